import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, may } from '../../codec/exact';
import { anyText, enumeration, patternText, time } from '../../codec/text';
import { API_CODES, type ApiCode, PROBLEM_CODES, type ProblemCode } from '../../problem';
import { count } from './values';

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) =>
  Object.keys(table) as [K, ...K[]];

const problemCode = enumeration<ProblemCode>('problem code', keysOf(PROBLEM_CODES));

const place = {
  row: may(count, 'The row of the CSV file, as spreadsheets count.'),
  column: may(anyText, 'The column of the CSV file, by its name in the first row.'),
} as const;

/** Why a payload or request was refused, as records report it (docs/rules.md: Problems). */
export const RecordedProblem = exact('problem', {
  pointer: has(anyText, 'A JSON pointer (RFC 6901) in the spelling of the sender.'),
  code: has(problemCode, 'Which rule it breaks.'),
  message: has(anyText, 'What is wrong, in a sentence.'),
  ...place,
});

const FieldViolation = exact('field violation', {
  field: has(anyText, 'The names of the pointer, joined by dots, without places in lists.'),
  description: has(anyText, 'What is wrong, in a sentence.'),
  pointer: has(anyText, 'A JSON pointer (RFC 6901) in the spelling of the sender.'),
  code: has(problemCode, 'Which rule it breaks.'),
  near: may(
    anyText,
    'The text around the place, which `‹here›` marks, of a payload that is not JSON.',
  ),
  ...place,
});

/** The problems of a refused payload or request. */
export const BadRequest = exact('bad request', {
  '@type': has(
    enumeration('type of detail', ['type.googleapis.com/google.rpc.BadRequest']),
    'Always this.',
  ),
  field_violations: has(list(FieldViolation), 'The first problems.'),
  total: has(count, 'How many problems there are, listed or not.'),
});
export type BadRequest = t.TypeOf<typeof BadRequest>;

const requestId = patternText('request id', {
  mayBeEmpty: false,
  pattern: /^[0-9a-f]{32}$/,
  characters: '32 hexadecimal digits',
});

/** The answer to every refused request (docs/rules.md: Requests). */
export const ErrorAnswer = exact('error', {
  code: has(enumeration<ApiCode>('code', keysOf(API_CODES)), 'What kind of refusal it is.'),
  message: has(anyText, 'What is wrong, in a sentence.'),
  request_id: has(requestId, 'What the log knows the request by.'),
  timestamp: has(time, 'When it was refused.'),
  details: has(list(BadRequest), 'What is wrong in the payload or request, if it can be named.'),
});
export type ErrorAnswer = t.TypeOf<typeof ErrorAnswer>;
