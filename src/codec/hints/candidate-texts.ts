import { quote } from '../quote';

/** A candidate of an ambiguous reference: what it is called, and fields that may tell it from others. */
export interface Candidate {
  readonly title: string;
  /** The value of each field by its word, in the order in which readers know them best. */
  readonly fields: Readonly<Record<string, string | null>>;
}

/** All choices of some of these fields: fewer before more, earlier before later. */
const choicesOf = (fields: readonly string[]): readonly (readonly string[])[] => {
  let choices: readonly (readonly string[])[] = [[]];
  for (const field of fields) {
    choices = [...choices, ...choices.map((choice) => [...choice, field])];
  }
  return [...choices].sort((a, b) => a.length - b.length);
};

const told = ({ title, fields }: Candidate, chosen: readonly string[]): string => {
  const parts = chosen.flatMap((field) => {
    const value = fields[field] ?? null;
    return value === null ? [] : [`${field} ${quote(value)}`];
  });
  return parts.length === 0 ? title : `${title} (${parts.join(', ')})`;
};

/**
 * The candidates in words, each with the fewest fields that tell all of them apart. `always` are told
 * in any case, such as the key by which a client may name one.
 */
export const toldApart = (
  candidates: readonly Candidate[],
  always: readonly string[] = [],
): readonly string[] => {
  const fields = Object.keys(candidates[0]?.fields ?? {}).filter((name) => !always.includes(name));
  const isEnough = (chosen: readonly string[]): boolean =>
    new Set(candidates.map((one) => told(one, chosen))).size === candidates.length;
  const fewest = choicesOf(fields).find(isEnough) ?? fields;
  return candidates.map((one) => told(one, [...fewest, ...always]));
};
