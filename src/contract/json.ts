import * as E from 'fp-ts/Either';

import { oneProblem, type ProblemList } from '../problem';
import { jsonFault } from './json-fault';

/** How base64 of every gzip begins. */
const GZIP_IN_BASE64 = 'H4sI';

const LACKS_TYPE = ': it begins like base64 of a gzip, which needs "compression_type": "GZIP"';

/**
 * Parses the text of a payload. If it is not JSON, the problem tells the place, if that is found
 * (docs/rules.md: Problems).
 */
export const parseJson = (text: string): E.Either<ProblemList, unknown> => {
  try {
    return E.right(JSON.parse(text) as unknown);
  } catch {
    const fault = text.startsWith(GZIP_IN_BASE64) ? LACKS_TYPE : jsonFault(text);
    return E.left(oneProblem('', 'NOT_JSON', `the text is not JSON${fault}`));
  }
};
