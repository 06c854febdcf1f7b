import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../../problem';
import { type FormOutcome, statusOf } from '../forms/page-form';
import type { Shown } from '../frame/page';

/** The failures that a page says in a sentence: those that another step can mend. */
const SAID: readonly Failure['_tag'][] = ['Invalid', 'PermissionDenied', 'Conflict', 'Exhausted'];

const capital = (text: string): string => text.replace(/^\p{Ll}/u, (one) => one.toUpperCase());

/** Why something was refused, as a sentence. */
const sentenceOf = (failure: Failure): string => {
  if (failure._tag !== 'Invalid' || failure.problems.length === 0) return failure.message;
  const said = failure.problems.map(({ pointer, message }) =>
    /^(is|has|names|must)\b/.test(message)
      ? `${capital(pointer.slice(1).replaceAll('_', ' '))} ${message}`
      : capital(message),
  );
  return `${said.join('; ')}.`;
};

/** Shows a page again, with why its form was refused, if another step can mend that. */
export const orSaid =
  (
    again: (refused: string) => TE.TaskEither<Failure, Shown>,
    more: readonly Failure['_tag'][] = [],
  ) =>
  (failure: Failure): TE.TaskEither<Failure, FormOutcome> =>
    [...SAID, ...more].includes(failure._tag)
      ? pipe(
          again(sentenceOf(failure)),
          TE.map((shown) => ({ shown, status: statusOf(failure) })),
        )
      : TE.left(failure);
