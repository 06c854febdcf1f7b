import type { Page, PageRequest } from './page';
import * as E from 'fp-ts/Either';

import { fold } from '../model/fold';
import { oneProblem, type ProblemList } from '../problem';

/** How a field is compared with a value. */
type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'gt' | 'ge' | 'lt' | 'le';

/** One comparison of a filter. Its value is the text as the client wrote it. */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** Conditions that must all hold. */
export type Reading = readonly Condition[];

/**
 * What a filter may mean, the likeliest first. Clients put names into filters without escaping
 * them, so `name eq "a" and name eq "b"` may be a comparison with one name (docs/rules.md: Lists).
 */
export type Filter = readonly Reading[];

const OPERATORS = 'eq|ne|co|sw|gt|ge|lt|le';
const LONGEST = 4_000;
/** People write few conditions. Each further one makes another statement, which Neo4j must plan. */
const MOST_CONDITIONS = 20;
// These expressions try no place twice, so the time is linear in the length of the text. Any text
// may be between the first and the last quote.
const QUOTED = new RegExp(`^(\\w+)\\s+(${OPERATORS})\\s+"([^]*)"$`, 'i');
const BARE = new RegExp(`^(\\w+)\\s+(${OPERATORS})\\s+([^\\s"]+)$`, 'i');
const AND = new RegExp(`(?<=\\s)and(?=\\s+\\w+\\s+(?:${OPERATORS})\\s)`, 'i');

const conditionOf = (text: string): Condition | null => {
  const trimmed = text.trim();
  const [, field, operator, value] = QUOTED.exec(trimmed) ?? BARE.exec(trimmed) ?? [];
  return field === undefined || operator === undefined || value === undefined
    ? null
    : { field: field.toLowerCase(), operator: operator.toLowerCase() as Operator, value };
};

const refused = (message: string): E.Either<ProblemList, never> =>
  E.left(oneProblem('/filter', 'BAD_FILTER', message));

/**
 * Reads a filter such as `name eq "crm" and state eq "ENABLED"` on these fields. An empty filter
 * selects everything.
 */
export const parseFilter = (
  text: string,
  fields: readonly string[],
): E.Either<ProblemList, Filter> => {
  if (text.trim() === '') return E.right([]);
  if (text.length > LONGEST) return refused(`must not be longer than ${LONGEST} characters`);
  const pieces = text.split(AND);
  const readings = (pieces.length === 1 ? [[text]] : [[text], pieces])
    .map((reading) => reading.map(conditionOf))
    .filter((reading): reading is Condition[] => !reading.includes(null));
  if (readings.length === 0) return refused('must be like: name eq "a name"');
  if (readings.some((reading) => reading.length > MOST_CONDITIONS)) {
    return refused(`may have at most ${MOST_CONDITIONS} comparisons`);
  }
  const known = readings.filter((reading) => reading.every(({ field }) => fields.includes(field)));
  return known.length === 0 ? refused(`can filter only by ${fields.join(', ')}`) : E.right(known);
};

const COMPARED: { readonly [O in Operator]: (a: string, b: string) => boolean } = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  co: (a, b) => a.includes(b),
  sw: (a, b) => a.startsWith(b),
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

/** A record whose fields are texts, flags or lists of texts. */
type Filtered = Readonly<Record<string, unknown>>;

const textsOf = (value: unknown): readonly string[] => {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string') return [value];
  return typeof value === 'boolean' || typeof value === 'number' ? [String(value)] : [];
};

const holds = (
  { field, operator, value }: Condition,
  record: Filtered,
  spell: (text: string) => string,
): boolean => {
  const texts = Object.hasOwn(record, field) ? textsOf(record[field]).map(spell) : [];
  const compare = COMPARED[operator];
  return operator === 'ne'
    ? texts.every((text) => compare(text, spell(value)))
    : texts.some((text) => compare(text, spell(value)));
};

const exactly = (text: string): string => text;

/**
 * The records that a filter selects. It uses the first reading of the filter that fits any record.
 * Each reading is tried exactly first, then without regard to case (docs/rules.md: Lists).
 */
export const filtered = <R extends object>(records: readonly R[], filter: Filter): readonly R[] => {
  if (filter.length === 0) return records;
  for (const reading of filter) {
    for (const spell of [exactly, fold]) {
      const fitting = records.filter((record) =>
        reading.every((condition) => holds(condition, record as Filtered, spell)),
      );
      if (fitting.length > 0) return fitting;
    }
  }
  return [];
};

/** The part of a list that a client asks for. */
export interface Wanted {
  readonly filter: Filter;
  readonly page: PageRequest;
}

/** Ids of the providers that the caller may see; `null` means all. */
export type Shown = readonly string[] | null;

/** A page of a list, and how many records match the filter in total. */
export type CountedPage<R> = Page<R> & { readonly total: number };
