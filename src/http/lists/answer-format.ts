import type { Request } from 'express';
import * as E from 'fp-ts/Either';

import { type Failure, invalid, oneProblem } from '../../problem';
import { parameterOf } from './list-query';

/** A format of an answer: its name in `?format=`, and its media type. */
export interface AnswerFormat {
  readonly name: string;
  readonly mediaType: string;
}

/**
 * The format that a client asks for by `?format=`, else by `Accept`; without either, the first one.
 */
export const formatOf = (
  req: Request,
  formats: readonly AnswerFormat[],
): E.Either<Failure, string> => {
  const names = formats.map(({ name }) => name);
  const asked = parameterOf(req, 'format');
  if (asked !== '') {
    if (names.includes(asked)) return E.right(asked);
    const problem = oneProblem('/format', 'UNKNOWN_VALUE', `is none of ${names.join(', ')}`);
    return E.left(invalid('The request is not valid.', problem));
  }
  const accepted = req.accepts(formats.map(({ mediaType }) => mediaType));
  const found = formats.find(({ mediaType }) => mediaType === accepted) ?? formats[0];
  return E.right(found?.name ?? '');
};
