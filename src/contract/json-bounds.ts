import * as E from 'fp-ts/Either';

import { badField, type Failure } from '../problem';

/** How much the JSON of a body may hold. */
export interface JsonBounds {
  /** Objects and lists inside each other. */
  readonly levels: number;
  /** Values: entries of lists, fields of objects, and the objects and lists themselves. */
  readonly values: number;
}

/** The bounds of a request that carries its payload as text, or none. */
export const REQUEST_BOUNDS: JsonBounds = { levels: 64, values: 10_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

const endOfString = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

const tooDeep = (levels: number): Failure =>
  badField('', 'TOO_DEEP', `is nested deeper than ${levels} levels`);

const tooMany = (values: number): Failure => ({
  _tag: 'TooLarge',
  message: `The body holds more than ${values} values. Send less at once.`,
});

/**
 * Refuses JSON that holds more than it may, before the service makes anything of it. It stops
 * counting where the bound is exceeded. What is no JSON at all is for the parser to say.
 */
export const withinBounds = (
  bytes: Uint8Array,
  bounds: JsonBounds,
): E.Either<Failure, undefined> => {
  let [level, values] = [0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === LIST || byte === OBJECT) {
      values += 1;
      level += 1;
      if (level > bounds.levels) return E.left(tooDeep(bounds.levels));
    } else if (byte === LIST_END || byte === OBJECT_END) level -= 1;
    if (values > bounds.values) return E.left(tooMany(bounds.values));
  }
  return E.right(undefined);
};
