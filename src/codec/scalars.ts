import { Codec, typeInWords } from './codec';

export const flag = new Codec<boolean>(
  'boolean',
  (value) => typeof value === 'boolean',
  (value, walk) => {
    if (typeof value !== 'boolean') {
      walk.refuse('WRONG_TYPE', () => `expected a boolean, got ${typeInWords(value)}`);
    }
  },
  { schema: { type: 'boolean' } },
);

/**
 * A finite number. JSON can spell numbers that no double can hold; those are refused
 * (docs/rules.md: Problems).
 */
export const number = new Codec<number>(
  'number',
  (value) => Number.isFinite(value),
  (value, walk) => {
    if (typeof value !== 'number') {
      walk.refuse('WRONG_TYPE', () => `expected a number, got ${typeInWords(value)}`);
    } else if (!Number.isFinite(value)) {
      walk.refuse('NOT_FINITE', () => 'is too large a number');
    }
  },
  { schema: { type: 'number' } },
);

/** A whole number in a range that includes both ends. */
export const wholeNumber = (least: number, most: number): Codec<number> => {
  const is = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return new Codec<number>(
    `whole number from ${least} to ${most}`,
    is,
    (value, walk) => {
      if (typeof value !== 'number') {
        walk.refuse('WRONG_TYPE', () => `expected a number, got ${typeInWords(value)}`);
      } else if (!is(value)) {
        walk.refuse('OUT_OF_RANGE', () => `must be a whole number from ${least} to ${most}`);
      }
    },
    { schema: { type: 'integer', minimum: least, maximum: most } },
  );
};
