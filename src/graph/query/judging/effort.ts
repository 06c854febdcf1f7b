import { TooMuch } from './refusal';

/** The most steps of judging a query, some 50 ms. Loops within loops are judged again and again. */
const MOST_EFFORT = 100_000;

// Judging is one synchronous call, so one count is enough.
let spent = 0;

/** Begins to count what judging a query takes. */
export const beginEffort = (): void => {
  spent = 0;
};

/** Counts some steps of judging, and refuses a query that takes too many. */
export const spend = (steps: number): void => {
  spent += steps;
  if (spent > MOST_EFFORT) {
    throw new TooMuch(
      'has too many loops within loops to judge; write the inner ones as COLLECT { UNWIND … RETURN … }',
    );
  }
};
