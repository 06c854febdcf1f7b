/** How often something is tried again, and how long is waited before. */
export interface Retries {
  /** After so many tries it is given up. */
  readonly most: number;
  /** How long is waited after a try that failed, by its number from 1. */
  readonly pauseSeconds: (tries: number) => number;
}

const LONGEST_PAUSE_SECONDS = 600;

/** Waits twice as long after each try, ten minutes at most. */
export const doublingRetries = (firstSeconds: number, most: number): Retries => ({
  most,
  pauseSeconds: (tries) => Math.min(LONGEST_PAUSE_SECONDS, firstSeconds * 2 ** (tries - 1)),
});
