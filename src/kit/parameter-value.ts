import * as E from 'fp-ts/Either';

import { isInstant } from '../model/instant';
import type { Parameter } from './values';

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
