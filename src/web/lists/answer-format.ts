import type { Request } from 'express';
import * as E from 'fp-ts/Either';

import { badField, type Failure } from '../../problem';
import { parameterOf } from './list-query';

/** A format of an answer: its name in `?format=`, and its media type. */
export interface AnswerFormat {
  readonly name: string;
  readonly mediaType: string;
}

/**
 * The format that a client requests by `?format=`, or else by `Accept`; without either, the first
 * one.
 */
export const formatOf = (
  req: Request,
  formats: readonly AnswerFormat[],
): E.Either<Failure, string> => {
  const names = formats.map(({ name }) => name);
  const asked = parameterOf(req, 'format');
  if (asked !== '') {
    if (names.includes(asked)) return E.right(asked);
    return E.left(badField('/format', 'UNKNOWN_VALUE', `is none of ${names.join(', ')}`));
  }
  const accepted = req.accepts(formats.map(({ mediaType }) => mediaType));
  const found = formats.find(({ mediaType }) => mediaType === accepted) ?? formats[0];
  return E.right(found?.name ?? '');
};
