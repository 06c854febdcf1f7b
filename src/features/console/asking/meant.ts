import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Entity } from '../../../contract/answers/questions/entities';
import type { Context } from '../../../context';
import { badField, type Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { byKind, kindInSentence, PEOPLE, PLACES } from '../frame/kinds';
import { ask } from './ask';
import { findNamed, type Sought } from './search';

/** Whether a name is that of somebody, or of something that can be reached. */
type Sort = 'people' | 'places';

const LABELS: Readonly<Record<Sort, readonly string[]>> = { people: PEOPLE, places: PLACES };

/** What a name means, people first. */
export interface Meant {
  readonly found: readonly Entity[];
  /** Whether the search had more than it read, so that others may be meant. */
  readonly isCut: boolean;
  /** Whether all of these are called exactly so; others have the text in a name. */
  readonly isExact: boolean;
}

const searched = (
  context: Context,
  text: string,
  how: Sought,
  sort: Sort,
): TE.TaskEither<Failure, Meant> =>
  pipe(
    findNamed(context, text, how),
    TE.map(({ answer }) => ({
      found: answer.values.filter(({ label }) => LABELS[sort].includes(label)).toSorted(byKind),
      isCut: answer.has_more,
      isExact: how === 'exactly',
    })),
  );

/** What is called exactly so; or else what has the text in one of its names. */
const placesNamed = (context: Context, text: string): TE.TaskEither<Failure, Meant> =>
  pipe(
    searched(context, text, 'exactly', 'places'),
    TE.flatMap((exact) =>
      exact.found.length > 0 || exact.isCut
        ? TE.right(exact)
        : searched(context, text, 'within', 'places'),
    ),
  );

/**
 * Those who have the text in one of their names. Anybody who pushes can call an account like a part
 * of somebody's name, so an exact name alone decides nothing. If more have the text than a search
 * reads, these are those called exactly so.
 */
const peopleNamed = (context: Context, text: string): TE.TaskEither<Failure, Meant> =>
  pipe(
    searched(context, text, 'within', 'people'),
    TE.flatMap((meant) =>
      meant.isCut
        ? pipe(
            searched(context, text, 'exactly', 'people'),
            TE.map((exact) => ({ ...exact, isCut: true })),
          )
        : TE.right(meant),
    ),
  );

/** All that a name may mean. */
export const meantByName = (
  context: Context,
  text: string,
  sort: Sort,
): TE.TaskEither<Failure, Meant> =>
  sort === 'people' ? peopleNamed(context, text) : placesNamed(context, text);

/** The most nodes of one human that a question names. */
export const MOST_OF_ONE = 20;

/** Whether all these nodes certainly belong to one human. The interface refuses a question about several. */
export const areOneHuman = (
  context: Context,
  ids: readonly string[],
): TE.TaskEither<Failure, boolean> => {
  if (ids.length === 1) return TE.right(true);
  if (ids.length > MOST_OF_ONE) return TE.right(false);
  return pipe(
    // Of all questions about a human this one reads least.
    ask(
      interfaceOf(context).reviewers,
      { endpoint: questions.reviewers },
      { principal: ids, person: 'true' },
    ),
    TE.map(() => true),
    TE.orElse((failure) =>
      failure._tag === 'Invalid' || failure._tag === 'NotFound'
        ? TE.right(false)
        : TE.left(failure),
    ),
  );
};

/** Says that a name means several, and which. */
const unclear = (field: string, { found }: Meant): Failure => {
  const some = found.slice(0, 5).map(({ id, label }) => `${kindInSentence(label)} ${id}`);
  return badField(
    `/${field}`,
    'AMBIGUOUS_REFERENCE',
    some.length === 0
      ? 'is part of too many names. Write more of it, or a key'
      : `means several. Write the key of one, such as ${some.join(', ')}`,
  );
};

/**
 * The keys that a text means: it is a key itself, or a name. Several are given only of somebody,
 * since they may be one human; the interface decides that.
 */
export const keysMeant = (
  context: Context,
  field: string,
  text: string,
  sort: Sort,
): TE.TaskEither<Failure, readonly [string, ...string[]]> => {
  if (text.includes('|')) return TE.right([text]);
  const isNobody = `is ${JSON.stringify(text)}, and ${sort === 'people' ? 'nobody' : 'no resource'} in the graph has that in a name`;
  return pipe(
    meantByName(context, text, sort),
    TE.flatMap((meant): TE.TaskEither<Failure, readonly [string, ...string[]]> => {
      const [one, ...others] = meant.found.map(({ id }) => id);
      const most = sort === 'people' ? MOST_OF_ONE : 1;
      if (meant.isCut || others.length >= most) return TE.left(unclear(field, meant));
      return one === undefined
        ? TE.left(badField(`/${field}`, 'UNKNOWN_ENTITY', isNobody))
        : TE.right([one, ...others]);
    }),
  );
};
