/** How often the service tries something again, and how long it waits before each try. */
export interface Retries {
  /** The service gives up after this many tries. */
  readonly most: number;
  /** Seconds to wait after a failed try. The first try has the number 1. */
  readonly pauseSeconds: (tries: number) => number;
}

const LONGEST_PAUSE_SECONDS = 600;

/** Doubles the wait after each try, up to ten minutes. */
export const doublingRetries = (firstSeconds: number, most: number): Retries => ({
  most,
  pauseSeconds: (tries) => Math.min(LONGEST_PAUSE_SECONDS, firstSeconds * 2 ** (tries - 1)),
});
