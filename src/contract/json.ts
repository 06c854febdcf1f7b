import * as E from 'fp-ts/Either';

import { oneProblem, type ProblemList } from '../problem';
import { jsonFault } from './json-fault';
import { repeatedKeys } from './repeated-keys';

/** The first characters of every gzip in base64. */
const GZIP_IN_BASE64 = 'H4sI';

const LACKS_TYPE = ': it begins like base64 of a gzip, which needs "compression_type": "GZIP"';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses a JSON text. If it is not JSON, the problem names the place, if that is found
 * (docs/rules.md: Problems). An object that has one key twice is refused, since a parser silently
 * drops the first value. A byte order mark at the start is ignored.
 */
export const parseJson = (sent: string): E.Either<ProblemList, unknown> => {
  const text = sent.startsWith(BYTE_ORDER_MARK) ? sent.slice(1) : sent;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const fault = text.startsWith(GZIP_IN_BASE64) ? LACKS_TYPE : jsonFault(text);
    return E.left(oneProblem('', 'NOT_JSON', `the text is not JSON${fault}`));
  }
  const repeated = repeatedKeys(text, value);
  return repeated === null ? E.right(value) : E.left(repeated);
};
