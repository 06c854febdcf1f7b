import { TooMuch } from './refusal';
import type { Size } from './size';
import type { Meter, Scope, Term } from './term';

/** The most steps that Neo4j may need for one row, since it ends a query between rows only. */
const MOST_STEPS = 6_000_000;
/** The most entries and characters of a value. */
const MOST_WEIGHT = 20_000_000;

const INSTEAD =
  'Neo4j ends a query between rows, not within one. Write loops as rows (UNWIND range(…) AS x, COLLECT { UNWIND … RETURN … }, COUNT { … }), or take a part of a list (list[..1000])';

/** Judges an expression that Neo4j computes for a row. */
export const judged = (term: Term, scope: Scope, meter: Meter, isRows = false): Size => {
  const row = meter.inner();
  const size = term.size(scope, row);
  // Neo4j may compare the value with those of other rows.
  const steps = row.steps + (isRows ? 0 : size.weight / 4);
  if (!(steps <= MOST_STEPS)) {
    throw new TooMuch(`may loop too long over lists within one row. ${INSTEAD}`);
  }
  if (!isRows && !(size.weight <= MOST_WEIGHT)) {
    throw new TooMuch(
      `may make a list of more than ${MOST_WEIGHT} entries and characters. ${INSTEAD}`,
    );
  }
  return size;
};
