import { setTimeout as sleep } from 'node:timers/promises';

import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../problem';
import { errorFields, type Log } from '../log';

/** How often the service checks whether Neo4j is back, and how often it logs that it is not. */
export interface OutageTimes {
  readonly lookSeconds: number;
  readonly tellSeconds: number;
}

const TIMES: OutageTimes = { lookSeconds: 1, tellSeconds: 60 };

/**
 * Logs outages of Neo4j: one line at the beginning, one a minute while it lasts, one at the end. During
 * an outage it calls Neo4j itself (`isBack`), so the outage ends even if no request comes.
 */
export const outageLog = (
  log: Log,
  isBack: TaskEither<Failure, void>,
  { lookSeconds, tellSeconds }: OutageTimes = TIMES,
  now: () => number = () => performance.now() / 1000,
) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let outage: Promise<void> | null = null;

  const untilBack = async (): Promise<void> => {
    const since = now();
    const seconds = (): number => Math.round(now() - since);
    let reportedAt = since;
    for (;;) {
      await sleep(lookSeconds * 1000, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      if (E.isRight(await isBack())) {
        log.info('Neo4j answers again', { seconds: seconds() });
        return;
      }
      if (now() - reportedAt >= tellSeconds) {
        reportedAt += tellSeconds;
        log.warn('Neo4j still does not answer', { seconds: seconds() });
      }
    }
  };

  return {
    /** Reports that Neo4j did not answer. Callers report each failure; the log gets one line. */
    noticed: (error: unknown): void => {
      if (outage !== null || signal.aborted) return;
      const { error_code, error_message } = errorFields(error);
      log.error('Neo4j does not answer; requests that need it are answered 503 until it does', {
        error_code,
        error_message,
      });
      outage = untilBack().finally(() => {
        outage = null;
      });
    },
    /** Stops checking whether Neo4j is back. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await outage;
    },
  };
};
