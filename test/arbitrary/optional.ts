import fc, { type Arbitrary } from 'fast-check';

/** A field that may be left out, null or set; shrinks to being left out. */
export function maybe<T>(value: Arbitrary<T>): Arbitrary<T | null | undefined> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 6, arbitrary: value },
  );
}

/** A field that is nearly always set. */
export function mostly<T>(value: Arbitrary<T>): Arbitrary<T | null | undefined> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
    { weight: 12, arbitrary: value },
  );
}

/** An optional text, which may also be empty. */
export function maybeText(pool: readonly string[]): Arbitrary<string | null | undefined> {
  return maybe(
    fc.oneof({ weight: 9, arbitrary: from(pool) }, { weight: 1, arbitrary: fc.constant('') }),
  );
}

/** One of a pool. */
export function from<T>(pool: readonly T[]): Arbitrary<T> {
  return fc.constantFrom(...pool);
}

/** A list of about half as many as `most`, none at times. */
export function some<T>(item: Arbitrary<T>, most: number): Arbitrary<T[]> {
  return fc.array(item, { maxLength: most, size: 'max' });
}

/** A reference to one of the entities that the payload turns out to have, by number (see `references.ts`). */
export const pick: Arbitrary<number> = fc.nat({ max: 9999 });

/** The same as pure JSON: what is undefined is left out. */
export function json<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
