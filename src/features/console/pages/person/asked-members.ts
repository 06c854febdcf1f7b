import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AsOf, PageEnd } from '../../../../contract/answers/page';
import { LARGEST_ANSWER_PAGE, readToken, writeToken } from '../../../../contract/page';
import type { Context } from '../../../../context';
import { Instant } from '../../../../model/instant';
import { badRequest, type Failure } from '../../../../problem';
import { interfaceOf, type Member } from '../../../../questions/contract';

/** A group or a role, which of its members count, and when. */
export interface AboutMembers {
  readonly of: string;
  /** Whether only those count who are directly in it. */
  readonly directly: boolean;
  /** An instant; empty: now. */
  readonly at: string;
}

/** Some of the members of a group or role. */
export interface SomeMembers extends PageEnd {
  readonly values: readonly Member[];
  readonly total: number;
  readonly as_of: AsOf | null;
}

// A page token has the name and the key of the last member, and whether it is a human.
const TOKEN_PLACES = 3;

/** A page of the members of a group or role, by name, people first: at most `size`, after a token. */
export const askMembers = (
  context: Context,
  { at, ...of }: AboutMembers,
  token: string,
  size: number = LARGEST_ANSWER_PAGE,
): TE.TaskEither<Failure, SomeMembers> =>
  pipe(
    TE.fromEither(readToken(token, TOKEN_PLACES)),
    TE.mapLeft(badRequest),
    TE.flatMap((place) => {
      const [value = '', key = '', isPerson] = place ?? [];
      const after = place === null ? null : { value, key, isPerson: isPerson === 'true' };
      return interfaceOf(context).members(
        { ...of, size, after },
        at === '' ? null : new Instant(at),
      );
    }),
    TE.map(({ answer: { total, values, next }, asOf }) => ({
      values,
      total,
      has_more: next !== null,
      next_page_token:
        next === null ? '' : writeToken([next.value, next.key, String(next.isPerson)]),
      as_of: asOf,
    })),
  );
