import * as E from 'fp-ts/Either';

import { oneProblem, type ProblemList } from '../problem';

const POSITION = /at position (\d+)/;
const TOKEN = /^Unexpected token '(.{1,2})'/u;

// The engine tells a position or a token; people look for lines and columns. Nothing else of the text is repeated.
const placeOf = (text: string, reason: string): string => {
  if (reason.startsWith('Unexpected end')) return ': it ends too early';
  const position = POSITION.exec(reason)?.[1];
  if (position !== undefined) {
    const before = text.slice(0, Number(position));
    const line = before.split('\n').length;
    return `: line ${line}, column ${before.length - before.lastIndexOf('\n')}`;
  }
  const token = TOKEN.exec(reason)?.[1];
  return token === undefined ? '' : `: unexpected ${JSON.stringify(token)}`;
};

/** Reads a payload's text; of what is not JSON it tells the place, if that is known (graph.md 8). */
export const parseJson = (text: string): E.Either<ProblemList, unknown> => {
  try {
    return E.right(JSON.parse(text) as unknown);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return E.left(oneProblem('', 'NOT_JSON', `the text is not JSON${placeOf(text, reason)}`));
  }
};
