import * as E from 'fp-ts/Either';

import { oneProblem, type ProblemList } from '../problem';
import { jsonFault } from './json-fault';

/**
 * Parses the text of a payload. If it is not JSON, the problem tells the place, if that is found
 * (docs/rules.md: Problems).
 */
export const parseJson = (text: string): E.Either<ProblemList, unknown> => {
  try {
    return E.right(JSON.parse(text) as unknown);
  } catch {
    return E.left(oneProblem('', 'NOT_JSON', `the text is not JSON${jsonFault(text)}`));
  }
};
