import * as E from 'fp-ts/Either';
import neo4j from 'neo4j-driver';

import { type Step, pointerOf } from '../../codec/pointer';
import { quote } from '../../codec/quote';
import { isInstant, parseInstant } from '../../model/instant';
import type { Problem, ProblemList } from '../../problem';
import { toDateTime } from '../../neo4j/values';

const { int } = neo4j;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

const toDate = (text: string): unknown => {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || !isInstant(`${text}T00:00:00Z`)) return undefined;
  return new neo4j.types.Date(int(year), int(Number(month)), int(Number(day)));
};

const toMoment = (text: string): unknown => {
  const instant = parseInstant(text);
  return instant === null ? undefined : toDateTime(instant);
};

const DURATION =
  /^P(?=.)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,9}))?S)?)?$/;

const toDuration = (text: string): unknown => {
  const found = DURATION.exec(text);
  if (found === null) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = found
    .slice(1, 8)
    .map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return new neo4j.types.Duration(
    int(years * 12 + months),
    int(weeks * 7 + days),
    int((hours * 60 + minutes) * 60 + seconds),
    int(Number((found[8] ?? '').padEnd(9, '0'))),
  );
};

const LARGEST = 2n ** 63n - 1n;

const toInteger = (text: string): unknown => {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const whole = BigInt(text);
  return whole > LARGEST || whole < -LARGEST - 1n ? undefined : int(text);
};

/** A type that a parameter can have. A client writes it as an object with this one key. */
interface ParameterType {
  /** Reads a value of this type; `undefined` if the text is none. */
  readonly read: (text: string) => unknown;
  readonly example: string;
}

const TYPES: Readonly<Record<string, ParameterType>> = {
  date: { read: toDate, example: '"2024-01-31"' },
  datetime: { read: toMoment, example: '"2024-01-31T09:30:00Z"' },
  duration: { read: toDuration, example: '"P1DT2H"' },
  integer: { read: toInteger, example: '"9007199254740993"' },
};

/** The key and value of an object with a single key; or else `null`. */
const onlyEntry = (value: object): readonly [key: string, value: unknown] | null => {
  const [first, ...others] = Object.entries(value);
  return first === undefined || others.length > 0 ? null : first;
};

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const DEEPEST = 100;

/** Reads parameters and collects their problems. */
class Reader {
  readonly problems: Problem[] = [];
  private readonly path: Step[] = ['parameters'];

  map(given: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, this.at(key, () => this.value(value))]),
    );
  }

  private value(value: unknown): unknown {
    if (this.path.length > DEEPEST) return this.refuse(`is nested deeper than ${DEEPEST} levels`);
    // JSON has one kind of number and Neo4j two. LIMIT, SKIP and list indexes need integers.
    if (typeof value === 'number') return Number.isSafeInteger(value) ? int(value) : value;
    if (Array.isArray(value)) return value.map((each, at) => this.at(at, () => this.value(each)));
    if (!isMap(value)) return value;
    const [key = '', held] = onlyEntry(value) ?? [];
    if (key === 'map' && isMap(held)) return this.at(key, () => this.map(held));
    const type = Object.hasOwn(TYPES, key) ? TYPES[key] : undefined;
    return type === undefined ? this.map(value) : this.at(key, () => this.typed(key, type, held));
  }

  private typed(name: string, { read, example }: ParameterType, held: unknown): unknown {
    const isSpelt = typeof held === 'string' || typeof held === 'number';
    const value = isSpelt ? read(String(held)) : undefined;
    if (value !== undefined) return value;
    const shown = isSpelt ? quote(String(held)) : 'this';
    return this.refuse(
      `${shown} is no ${name} like ${example}; a map with this one key is sent as {"map": {"${name}": …}}`,
    );
  }

  private refuse(message: string): null {
    this.problems.push({ pointer: pointerOf(...this.path), code: 'BAD_PARAMETER', message });
    return null;
  }

  private at<A>(step: Step, read: () => A): A {
    this.path.push(step);
    const value = read();
    this.path.pop();
    return value;
  }
}

const MOST_PROBLEMS = 100;

/**
 * Turns parameters of the request into values of the driver. An object whose one key names a type
 * is a value of that type. `{"map": {…}}` is the inner map, whatever its keys (docs/api.md: Queries
 * in Cypher).
 */
export const toParameters = (
  given: Readonly<Record<string, unknown>>,
): E.Either<ProblemList, Readonly<Record<string, unknown>>> => {
  const reader = new Reader();
  const parameters = reader.map(given);
  const { problems } = reader;
  return problems.length === 0
    ? E.right(parameters)
    : E.left({ problems: problems.slice(0, MOST_PROBLEMS), total: problems.length });
};

/** The names of parameters that are texts in the form of a time. See `textNotice`. */
export const textsThatSpellTimes = (given: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && (isInstant(value) || toDate(value) !== undefined) ? [name] : [],
  );

const hasInexact = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexact);
};

/** The names of parameters with an integer that may have lost digits. See `inexactNotice`. */
export const inexactNumbersIn = (given: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) => (hasInexact(value) ? [name] : []));
