import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Summary } from '../../../contract/answers/questions/access';
import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { Context } from '../../../context';
import { type Instant, nanosOf, parseInstant } from '../../../model/instant';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { CSV_ADDRESSES, type Parameters } from '../frame/address';
import { instantDaysAgo } from '../overview/days';
import type { TimeOfPushes } from '../overview/overview';
import { type Answered, ask } from './ask';
import { keysMeant } from './meant';
import { instantNamed } from './moment';

/** What a page about changes is narrowed to, as its address says it. Empty: not narrowed. */
export interface Filtered {
  readonly since: string;
  readonly until: string;
  readonly push: string;
  readonly principal: string;
  readonly resource: string;
  /** `true`: what the resource contains counts too. */
  readonly contents: string;
  readonly application: string;
  readonly dataSource: string;
  readonly change: string;
}

/** The time that a page is about: so many days until its end, if the address names no beginning. */
export const timeOf = (
  context: Context,
  { since, until }: Pick<Filtered, 'since' | 'until'>,
  days: number,
  zone: string,
): TE.TaskEither<Failure, TimeOfPushes> =>
  pipe(
    TE.Do,
    TE.bind('from', () => instantNamed(context, since, zone, 'since', true, 'begin')),
    TE.bind('to', () => instantNamed(context, until, zone, 'until')),
    TE.map(({ from, to }) => ({
      from: from || instantDaysAgo(days, to === '' ? Date.now() : Date.parse(to)),
      to: to || new Date().toISOString(),
    })),
  );

/** Whose each principal of a list certainly is, by its key. */
export type Humans = ReadonlyMap<string, Summary | null>;

/**
 * Finds whose the principals of a list certainly are now (docs/rules.md: One human); of those who are
 * gone, whose they were at the beginning of the list.
 */
export const askHumans = (
  context: Context,
  rows: readonly { readonly principal: { readonly id: string } }[],
  from: Instant | null = null,
): TE.TaskEither<Failure, Humans> => {
  const { humansOf } = interfaceOf(context);
  const keys = [...new Set(rows.map(({ principal }) => principal.id))];
  return pipe(
    humansOf(keys),
    TE.flatMap((now) => {
      const gone = keys.filter((key) => !now.has(key));
      if (from === null || gone.length === 0) return TE.right(now);
      return pipe(
        humansOf(gone, from),
        TE.map((then): Humans => new Map([...now, ...then])),
      );
    }),
  );
};

/** The keys that a filter names, if it names something. */
const filteredTo = (
  context: Context,
  field: string,
  text: string,
  sort: 'people' | 'places',
): TE.TaskEither<Failure, readonly string[]> =>
  text === '' ? TE.right([]) : keysMeant(context, field, text, sort);

/** The changes of access, as the interface answers them. */
const askChanges = (
  context: Context,
  parameters: Parameters,
): TE.TaskEither<Failure, Answered<AccessChangeList>> =>
  ask(
    interfaceOf(context).changes,
    { endpoint: questions.changes, csvAt: CSV_ADDRESSES.changes },
    { ...parameters, details: 'true' },
  );

/** Who gained and who lost what by a push, people first. */
export const askChangesOfPush = (
  context: Context,
  push: string,
): TE.TaskEither<Failure, Answered<AccessChangeList>> =>
  askChanges(context, { push, people_first: 'true' });

/** How many rows a page has at most. A human is on one page, unless they alone have more. */
const ROWS = '500';

/** Who gained and who lost what, as the interface answers it: a page of at most so many rows. */
export const askEverybodysChanges = (
  context: Context,
  { until, push, principal, resource, contents, application, dataSource, change }: Filtered,
  time: TimeOfPushes,
  page: string,
  pageSize = ROWS,
): TE.TaskEither<Failure, Answered<AccessChangeList>> =>
  pipe(
    TE.Do,
    TE.bind('who', () => filteredTo(context, 'principal', principal, 'people')),
    TE.bind('what', () => filteredTo(context, 'resource', resource, 'places')),
    TE.flatMap(({ who, what }) =>
      askChanges(context, {
        ...(push === '' ? { since: time.from, until: until === '' ? '' : time.to } : { push }),
        principal: who,
        person: who.length === 0 ? '' : 'true',
        resource: what,
        contents: what.length === 0 ? '' : contents,
        application,
        data_source: dataSource,
        change,
        page_token: page,
        page_size: pageSize,
        people_first: who.length === 0 ? 'true' : '',
      }),
    ),
  );

/** A time before the history, of which nothing is known. */
export interface BeforeHistory {
  /** When the history begins. */
  readonly begins: string;
}

const nanosAt = (time: string): bigint => {
  const instant = parseInstant(time);
  return instant === null ? 0n : nanosOf(instant);
};

/** An answer about a time, or when the history begins if all of that time lies before it. */
export const orBeforeHistory = <A>(
  context: Context,
  { from, to }: TimeOfPushes,
  asked: TE.TaskEither<Failure, A>,
): TE.TaskEither<Failure, A | BeforeHistory> =>
  pipe(
    asked,
    TE.orElse((failure): TE.TaskEither<Failure, A | BeforeHistory> => {
      const isOfTime =
        failure._tag === 'Invalid' && failure.problems.some(({ pointer }) => pointer === '/since');
      if (!isOfTime || nanosAt(from) >= nanosAt(to)) return TE.left(failure);
      return pipe(
        interfaceOf(context).history({ query: {}, params: {} }),
        TE.flatMap(({ value: { since: begins } }): TE.TaskEither<Failure, BeforeHistory> =>
          begins === null || nanosAt(begins) < nanosAt(to)
            ? TE.left(failure)
            : TE.right({ begins }),
        ),
      );
    }),
  );
