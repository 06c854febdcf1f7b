import * as E from 'fp-ts/Either';

import { isInstant } from '../model/instant';

/** A parameter of a saved query. */
export interface Parameter {
  readonly name: string;
  /**
   * The text after `:param <name> =>` in Neo4j Browser: an expression that returns rows on the
   * demo's graph.
   */
  readonly example: string;
  readonly doc: string;
}

/** The variable that holds the values of the query's parameters. */
const ASKED = 'asked';

const opensIn = (line: string): number => line.split('{').length - line.split('}').length;

/** The lines of a query, each with the number of open braces at its beginning. */
const withDepths = (cypher: string): readonly (readonly [line: string, depth: number])[] => {
  let depth = 0;
  return cypher.split('\n').map((line) => {
    const here = depth;
    depth += opensIn(line);
    return [line, here] as const;
  });
};

/** The index of the line that closes the subquery of the line `start`. */
const endOf = (lines: readonly string[], start: number): number => {
  let depth = 0;
  return lines.findIndex((line, at) => {
    if (at < start) return false;
    depth += opensIn(line);
    return depth === 0;
  });
};

/**
 * Passes the variable on to each subquery that uses it, and through each `WITH` before its last
 * use.
 */
const handedOn = (cypher: string): string => {
  const lines = cypher.split('\n');
  const uses = lines.map((line) => line.includes(`${ASKED}.`));
  const last = uses.lastIndexOf(true);
  return withDepths(cypher)
    .map(([line, depth], at) => {
      if (at > last) return line;
      if (/^\s*CALL \(/.test(line) && uses.slice(at, endOf(lines, at) + 1).includes(true)) {
        return line
          .replace('CALL ()', `CALL (${ASKED})`)
          .replace(/CALL \((?!asked)/, `CALL (${ASKED}, `);
      }
      return depth === 0 ? line.replace(/^WITH( DISTINCT)?\b/, `$& ${ASKED},`) : line;
    })
    .join('\n');
};

const mapOf = (parameters: readonly Parameter[]): readonly string[] =>
  parameters.flatMap(({ name, example, doc }, at) => [
    `  // ${doc}`,
    `  ${name}: ${example}${at < parameters.length - 1 ? ',' : ''}`,
  ]);

/**
 * The query with values instead of parameters. It is one statement, since Neo4j Browser shows no
 * rows of several. Each value is written once, at the top, where the reader changes it.
 */
export const withValues = ({
  cypher,
  parameters,
}: {
  readonly cypher: string;
  readonly parameters: readonly Parameter[];
}): string =>
  parameters.length === 0
    ? cypher
    : [
        '// To ask about something else, change the values here.',
        'WITH {',
        ...mapOf(parameters),
        `} AS ${ASKED}`,
        handedOn(
          parameters.reduce(
            (text, { name }) => text.replace(new RegExp(`\\$${name}\\b`, 'g'), `${ASKED}.${name}`),
            cypher,
          ),
        ),
      ].join('\n');

/** What the value of a parameter of a saved query is. */
export type ParameterType =
  'key of who' | 'key of what' | 'time' | 'duration' | 'number' | 'texts' | 'text';

/** The type of a parameter, from the expression that is its example. */
export const typeOf = ({ example, name }: Pick<Parameter, 'example' | 'name'>): ParameterType => {
  if (example.startsWith('COLLECT')) return name === 'resource' ? 'key of what' : 'key of who';
  if (example.startsWith('datetime(')) return 'time';
  if (example.startsWith('duration(')) return 'duration';
  if (/^-?\d+$/.test(example)) return 'number';
  return example === 'null' || example.startsWith('[') ? 'texts' : 'text';
};

/** Whether a query may run without a value of a parameter. The head of its file says so. */
export const isOptional = ({ doc }: Pick<Parameter, 'doc'>): boolean => doc.includes('null: all');

const MOST_CHARACTERS = 1_000;
const MOST_TEXTS = 100;
const LARGEST = 1_000_000_000;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MOST_CHARACTERS;

const DURATION = /^P(?=.)[0-9YMWDTHS.]+$/;

interface Reading {
  /** Reads a value as a parameter of a query in Cypher; `undefined`: it is none. */
  readonly read: (value: unknown) => unknown;
  readonly expected: string;
}

const TEXT: Reading = {
  read: (value) => (isText(value) && value !== '' ? value : undefined),
  expected: `a text of 1 to ${MOST_CHARACTERS} characters`,
};

const READINGS: Readonly<Record<ParameterType, Reading>> = {
  'key of who': TEXT,
  'key of what': TEXT,
  text: TEXT,
  time: {
    read: (value) => (isText(value) && isInstant(value) ? { datetime: value } : undefined),
    expected: 'a time like "2026-03-01T00:00:00Z"',
  },
  duration: {
    read: (value) => (isText(value) && DURATION.test(value) ? { duration: value } : undefined),
    expected: 'a duration like "P7D"',
  },
  number: {
    read: (value) =>
      Number.isInteger(value) && Math.abs(Number(value)) <= LARGEST ? value : undefined,
    expected: `a whole number, at most ${LARGEST}`,
  },
  texts: {
    read: (value) =>
      Array.isArray(value) && value.length <= MOST_TEXTS && value.every(isText) ? value : undefined,
    expected: `a list of at most ${MOST_TEXTS} texts of at most ${MOST_CHARACTERS} characters`,
  },
};

/**
 * Reads the value of a parameter of a saved query. It is bounded, so that no value makes a query
 * work more than the graph does. Gives what `/api/v1/query` calls a parameter, or what was expected.
 */
export const parameterValue = (parameter: Parameter, given: unknown): E.Either<string, unknown> => {
  const isAbsent = given === undefined || given === null;
  if (isAbsent && isOptional(parameter)) return E.right(null);
  const { read, expected } = READINGS[typeOf(parameter)];
  const value = isAbsent ? undefined : read(given);
  return value === undefined ? E.left(`must be ${expected}`) : E.right(value);
};
