import { isOutage } from './neo4j/failure';
import { Unwanted } from './neo4j/unwanted';
import { errorFields, type Log } from './log';

/** One round of work. It checks `isStopping` between its steps. */
export type Round = (isStopping: () => boolean) => Promise<void>;

/**
 * Runs the rounds every `everySeconds`, and when woken. A round that fails runs again with the next
 * ones. The log names the work.
 */
export const runInBackground = (
  work: string,
  rounds: readonly Round[],
  everySeconds: number,
  log: Log,
) => {
  let isStopping = false;
  let isWoken = false;
  let wakeUp = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, everySeconds * 1000);
      timer.unref();
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!isStopping) {
      isWoken = false;
      for (const round of rounds) {
        if (isStopping) break;
        try {
          await round(() => isStopping);
        } catch (error) {
          // The outage log reports an outage once for all work. What the service itself ended at its
          // stop has not failed.
          if (!isOutage(error) && !(error instanceof Unwanted) && !isStopping) {
            const fields = { work, ...errorFields(error) };
            log.warn('background work failed; the service tries it again', fields);
          }
        }
      }
      if (!isWoken && !isStopping) await pause();
    }
  };
  const running = run();
  return {
    /** Starts the next round at once. */
    wake: (): void => {
      isWoken = true;
      wakeUp();
    },
    /** Stops after the current step. */
    stop: (): Promise<void> => {
      isStopping = true;
      wakeUp();
      return running;
    },
  };
};

/** Background work, in rounds. */
export type Background = ReturnType<typeof runInBackground>;

/** How often the service tries something again, and how long it waits before each try. */
export interface Retries {
  /** The service gives up after this many tries. */
  readonly most: number;
  /** Seconds to wait after a failed try. The first try has the number 1. */
  readonly pauseSeconds: (tries: number) => number;
}

const LONGEST_PAUSE_SECONDS = 600;

/** Seconds to wait after so many failed tries: each try doubles the wait, up to the longest one. */
export const doublingPause = (
  firstSeconds: number,
  tries: number,
  longestSeconds: number = LONGEST_PAUSE_SECONDS,
): number => Math.min(longestSeconds, firstSeconds * 2 ** (tries - 1));

/** Retries that wait twice as long after each try. */
export const doublingRetries = (firstSeconds: number, most: number): Retries => ({
  most,
  pauseSeconds: (tries) => doublingPause(firstSeconds, tries),
});
