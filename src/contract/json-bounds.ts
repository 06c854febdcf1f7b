import * as E from 'fp-ts/Either';

import { excessOf } from '../json/size';
import { badField, type Failure } from '../problem';

/** How much the JSON of a body may hold. */
export interface JsonBounds {
  /** Objects and lists inside each other. */
  readonly levels: number;
  /** Values: entries of lists, fields of objects, and the objects and lists themselves. */
  readonly values: number;
}

/** The bounds of a request that carries its payload as a text, or carries none. */
export const REQUEST_BOUNDS: JsonBounds = { levels: 64, values: 10_000 };

const tooDeep = (levels: number): Failure =>
  badField('', 'TOO_DEEP', `is nested deeper than ${levels} levels`);

const tooMany = (values: number): Failure => ({
  _tag: 'TooLarge',
  message: `The body holds more than ${values} values. Send less at once.`,
});

/** Refuses JSON that holds more than it may, before the service reads anything from it. */
export const withinBounds = (
  bytes: Uint8Array,
  bounds: JsonBounds,
): E.Either<Failure, undefined> => {
  const excess = excessOf(bytes, bounds);
  if (excess === null) return E.right(undefined);
  return E.left(excess === 'levels' ? tooDeep(bounds.levels) : tooMany(bounds.values));
};
