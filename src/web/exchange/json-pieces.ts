import { setImmediate } from 'node:timers/promises';

/** As much is written before the service answers others: some 10 ms of its main thread. */
export const WEIGHT_AT_ONCE = 20_000;

const LETTERS_OF_ONE = 32;

/** How long a value takes to write: its values, and its letters by the 32. It stops counting above `most`. */
export const weightOf = (value: unknown, most: number): number => {
  if (typeof value === 'string') return 1 + value.length / LETTERS_OF_ONE;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    weight += weightOf(each, most - weight);
    if (weight > most) break;
  }
  return weight;
};

/** Whether a value is too large to be written at once. */
export const isHeavy = (value: unknown): boolean =>
  weightOf(value, WEIGHT_AT_ONCE) > WEIGHT_AT_ONCE;

/** Entries in groups that can be written at once; a heavy one is alone. */
export function* inPortions<A>(entries: Iterable<A>): Generator<readonly A[], void> {
  let portion: A[] = [];
  let weight = 0;
  for (const entry of entries) {
    const its = weightOf(entry, WEIGHT_AT_ONCE);
    if (portion.length > 0 && weight + its > WEIGHT_AT_ONCE) {
      yield portion;
      [portion, weight] = [[], 0];
    }
    portion.push(entry);
    weight += its;
  }
  if (portion.length > 0) yield portion;
}

const isWritten = ([, value]: readonly [string, unknown]): boolean =>
  value !== undefined && typeof value !== 'function';

/** The JSON of a value in pieces, of which each takes little time. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || !isHeavy(value)) {
    yield JSON.stringify(value);
    return;
  }
  let comma = '';
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  if (isList) {
    for (const portion of inPortions(value as readonly unknown[])) {
      yield comma;
      const [only] = portion;
      if (portion.length === 1 && isHeavy(only)) yield* jsonPieces(only);
      else yield JSON.stringify(portion).slice(1, -1);
      comma = ',';
    }
  } else {
    for (const [name, each] of Object.entries(value).filter(isWritten)) {
      yield `${comma}${JSON.stringify(name)}:`;
      yield* jsonPieces(each);
      comma = ',';
    }
  }
  yield isList ? ']' : '}';
}

/** The same bytes as of `JSON.stringify`. Others are answered between its pieces. */
export const jsonInPieces = async (value: object): Promise<Buffer<ArrayBuffer>> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length < WEIGHT_AT_ONCE) continue;
    length = 0;
    await setImmediate();
  }
  return Buffer.concat(pieces);
};
