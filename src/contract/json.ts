import * as E from 'fp-ts/Either';

import { type Fault, faultOf } from '../json/fault';
import { lineAndColumn, textAround } from '../json/place';
import type { Problem, ProblemList } from '../problem';
import { repeatedKeys } from './repeated-keys';

/** The first characters of every gzip in base64. */
const GZIP_IN_BASE64 = 'H4sI';

const LACKS_TYPE = 'it begins like base64 of a gzip, which needs "compression_type": "GZIP"';

const BYTE_ORDER_MARK = '\uFEFF';

const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;

const inWords = (text: string, fault: Fault | null): string => {
  if (text.startsWith(GZIP_IN_BASE64)) return LACKS_TYPE;
  if (fault === null) return 'a parser cannot read it';
  const { line, column } = lineAndColumn(text, fault.at);
  return `line ${line}, column ${column}: ${fault.what}`;
};

const notJson = (text: string, fault: Fault | null): Problem => ({
  pointer: '',
  code: 'NOT_JSON',
  message: `the text is not JSON: ${inWords(text, fault)}`,
});

const parsed = (
  sent: string,
  problemOf: (text: string) => Problem,
): E.Either<ProblemList, unknown> => {
  const text = withoutMark(sent);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return E.left({ problems: [problemOf(text)], total: 1 });
  }
  const repeated = repeatedKeys(text, value);
  return repeated === null ? E.right(value) : E.left(repeated);
};

/**
 * Parses the JSON of a request. If it is not JSON, the problem names the place (docs/rules.md:
 * Problems). It repeats nothing of the text, which may hold secrets. An object that has one key twice
 * is refused, since a parser silently drops the first value. A byte order mark at the start is
 * ignored.
 */
export const parseJson = (sent: string): E.Either<ProblemList, unknown> =>
  parsed(sent, (text) => notJson(text, faultOf(text)));

/** Parses the text of a payload in the same way. The problem has the text around the place too. */
export const parsePayload = (sent: string): E.Either<ProblemList, unknown> =>
  parsed(sent, (text) => {
    const fault = faultOf(text);
    const near = fault === null ? {} : { near: textAround(text, fault.at) };
    return { ...notJson(text, fault), ...near };
  });
