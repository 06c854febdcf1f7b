import { quote } from '../quote';

/**
 * A candidate of an ambiguous reference: what it is called, and fields that may distinguish it from
 * others.
 */
export interface Candidate {
  readonly title: string;
  /**
   * The value of each field, by the word for the field. The fields that readers know best come
   * first.
   */
  readonly fields: Readonly<Record<string, string | null>>;
}

/**
 * All selections from these fields: smaller ones before larger ones, earlier fields before later
 * ones.
 */
const choicesOf = (fields: readonly string[]): readonly (readonly string[])[] => {
  let choices: readonly (readonly string[])[] = [[]];
  for (const field of fields) {
    choices = [...choices, ...choices.map((choice) => [...choice, field])];
  }
  return [...choices].sort((a, b) => a.length - b.length);
};

const textOf = ({ title, fields }: Candidate, chosen: readonly string[]): string => {
  const parts = chosen.flatMap((field) => {
    const value = fields[field] ?? null;
    return value === null ? [] : [`${field} ${quote(value)}`];
  });
  return parts.length === 0 ? title : `${title} (${parts.join(', ')})`;
};

/**
 * The candidates in words, each with the fewest fields that distinguish all of them. The fields
 * `always` are added in any case, such as the key by which a client may name a candidate.
 */
export const candidateTexts = (
  candidates: readonly Candidate[],
  always: readonly string[] = [],
): readonly string[] => {
  const fields = Object.keys(candidates[0]?.fields ?? {}).filter((name) => !always.includes(name));
  const isEnough = (chosen: readonly string[]): boolean =>
    new Set(candidates.map((one) => textOf(one, chosen))).size === candidates.length;
  const fewest = choicesOf(fields).find(isEnough) ?? fields;
  return candidates.map((one) => textOf(one, [...fewest, ...always]));
};
