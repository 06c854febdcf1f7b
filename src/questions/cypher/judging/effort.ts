import { TooMuch } from './refusal';

/**
 * The most steps of checking a query, some 50 ms. Loops within loops are checked again and again.
 */
const MOST_EFFORT = 100_000;

// Judging is one synchronous call, so one count is enough.
let spent = 0;

/** Begins to count the steps of checking a query. */
export const beginEffort = (): void => {
  spent = 0;
};

/** Counts some steps of checking, and refuses a query that needs too many. */
export const spend = (steps: number): void => {
  spent += steps;
  if (spent > MOST_EFFORT) {
    throw new TooMuch(
      'has too many loops within loops to judge; write the inner ones as COLLECT { UNWIND … RETURN … }',
    );
  }
};
