import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { isInstant, justBefore, nanosOf, parseInstant } from '../../../model/instant';
import { badField, type Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import type { Instants } from '../frame/page';
import { trimmed } from '../frame/trimmed';
import { dateMeant, datesOfWeek, weekMeant, WEEKS } from '../words/date-words';
import { dateAfter, instantIn, UTC } from '../words/time-zone';
import { type PushOfSource, readHistorySince, readPushesBeginning } from '../overview/overview';

const TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?([Zz]| UTC)?$/;
const MINUTE_MILLISECONDS = 60_000;
/** The id of a push, or at least as much of it as pages show. */
const PUSH = /^[0-9a-f]{8}(?![0-9a-f])[0-9a-f-]{0,28}$/i;

/** What a page accepts as a time, for those who wrote something else. */
export const TIMES_IN_WORDS =
  'a date like 2026-03-01, a time like 2026-03-01 10:54, today, yesterday, last Monday or 3 days ago';

/** Which end of a day or a minute a page means: a time that is compared begins with the first. */
export type Edge = 'begin' | 'end';

const NO_TIME = 'is no date or minute that exists';

/** A day, a minute or a second: its first instant, and the first one after it. */
interface Span {
  readonly first: number;
  readonly next: number;
}

/**
 * The instant of an end of a day or a minute. The end of one that is not over is empty, so that the
 * page shows what is now. The beginning is the last instant before it, so that what happened at its
 * first instant happened since.
 */
const edgeOf = ({ first, next }: Span, edge: Edge): string => {
  if (edge === 'end' && next > Date.now() && first <= Date.now()) return '';
  const instant = new Date(edge === 'begin' ? first : next);
  // There is nothing after the last day that dates have, nor before the first one.
  const at = Number.isNaN(instant.getTime()) ? null : parseInstant(instant.toISOString());
  if (at === null) return '';
  const before = justBefore(at).utc;
  return isInstant(before) ? before : at.utc;
};

/** The day, minute or second that a text names on clocks of a zone; `null` if it names none. */
const spanWritten = (text: string, zone: string): Span | 'no time' | null => {
  const date = dateMeant(text, Date.now(), zone);
  const exists = (day: string, time: string): boolean => parseInstant(`${day}T${time}Z`) !== null;
  if (date !== null) {
    if (!exists(date, '00:00:00')) return 'no time';
    return { first: instantIn(zone, date), next: instantIn(zone, dateAfter(date, 1)) };
  }
  const [, day, minute, seconds, isUtc] = TIME.exec(text) ?? [];
  if (day === undefined || minute === undefined) return null;
  const time = `${minute}${seconds ?? ':00'}`;
  if (!exists(day, time)) return 'no time';
  const first = instantIn(isUtc === undefined ? zone : UTC, day, time);
  return { first, next: first + (seconds === undefined ? MINUTE_MILLISECONDS : 1_000) };
};

/**
 * The instant that a date, a minute, a day in words or an RFC 3339 time names; empty: now. `null`
 * for any other text. Left if there is no such day or minute (docs/console.md: An instant).
 */
export const instantWritten = (
  text: string,
  field: string,
  zone: string,
  edge: Edge = 'end',
): E.Either<Failure, string> | null => {
  if (text === '' || text.toLowerCase() === 'now') return E.right('');
  // The interface means exactly such an instant, and so does a page.
  const span = isInstant(text) ? null : spanWritten(text, zone);
  if (span === 'no time') return E.left(badField(`/${field}`, 'BAD_TIME', NO_TIME));
  if (span !== null) return E.right(edgeOf(span, edge));
  // A plus sign that an address did not encode arrives as a space.
  const time = text.replace(' ', '+');
  return isInstant(time) ? E.right(parseInstant(time)?.utc ?? '') : null;
};

/**
 * The instant of an end of a week of the history. The end of a week that is not over would be now, which
 * nobody means who names the week.
 */
const edgeOfWeek = (
  context: Context,
  week: number,
  field: string,
  zone: string,
  edge: Edge,
): TE.TaskEither<Failure, string> =>
  pipe(
    readHistorySince(context),
    TE.flatMapEither((since) => {
      const refused = (why: string) => E.left(badField(`/${field}`, 'BAD_TIME', why));
      if (since === null)
        return refused('names a week of the history, and the service stores none');
      const dates = datesOfWeek(week, since, zone);
      const span = { first: instantIn(zone, dates.begin), next: instantIn(zone, dates.next) };
      return (edge === 'begin' ? span.first : span.next) > Date.now()
        ? refused(
            `is not over yet: the history begins on ${datesOfWeek(0, since, zone).begin}, so the ${WEEKS[week] ?? 'week'} ends on ${dateAfter(dates.next, -1)}`,
          )
        : E.right(edgeOf(span, edge));
    }),
  );

const NO_PUSH: Failure = { _tag: 'NotFound', message: 'There is no push with this id.' };

/** The push with this id, or the only one whose id begins so. `field` is the parameter that names it. */
export const pushNamed = (
  context: Context,
  text: string,
  field: string,
): TE.TaskEither<Failure, PushOfSource> =>
  pipe(
    PUSH.test(text) ? readPushesBeginning(context, text.toLowerCase()) : TE.right([]),
    TE.flatMap(([push, another]) => {
      if (push === undefined) return TE.left(NO_PUSH);
      return another === undefined
        ? TE.right(push)
        : TE.left(
            badField(
              `/${field}`,
              'AMBIGUOUS_REFERENCE',
              'is the beginning of the ids of several pushes. Write more of it',
            ),
          );
    }),
  );

/**
 * The instant that a reader names: an RFC 3339 time, a date or a minute (its end in the reader's time
 * zone, or now if it is not over), the first or second week of the history, or the id of a push or its
 * beginning (its `at`). With the edge `begin` a date or week is its beginning. An empty text means now,
 * and stays empty. `field` is the parameter that names it. Only somebody with a role names a push or a
 * week, since others would learn which pushes exist.
 */
export const instantNamed = (
  context: Context,
  written: string | null | undefined,
  zone: string,
  field = 'at',
  mayNamePush = true,
  edge: Edge = 'end',
): TE.TaskEither<Failure, string> => {
  const text = (written ?? '').trim();
  const instant = instantWritten(text, field, zone, edge);
  if (instant !== null) return TE.fromEither(instant);
  const week = weekMeant(text);
  if (week !== null && mayNamePush) return edgeOfWeek(context, week, field, zone, edge);
  if (!mayNamePush || !PUSH.test(text)) {
    const push = mayNamePush ? ', first week, or the id of a push' : '';
    return TE.left(
      badField(
        `/${field}`,
        'BAD_TIME',
        `is no time that this page understands. It understands ${TIMES_IN_WORDS}${push}`,
      ),
    );
  }
  return pipe(
    pushNamed(context, text, field),
    TE.flatMap(({ push }) => interfaceOf(context).instantOfPush(push.id)),
    TE.flatMap((at) => (at === null ? TE.left(NO_PUSH) : TE.right(at))),
  );
};

/** The two instants as the address of a page has them. */
export const instantsIn = (query: {
  readonly at?: string | null | undefined;
  readonly against?: string | null | undefined;
}): Instants => ({ at: trimmed(query.at), against: trimmed(query.against) });

/**
 * The two instants that a reader names, each as `instantNamed` reads it. A page that is not found is
 * not there at `at`, so an unknown push in `against` is a wrong field.
 */
export const instantsNamed = (
  context: Context,
  { at, against }: Instants,
  zone: string,
  mayNamePush = true,
): TE.TaskEither<Failure, Instants> =>
  pipe(
    TE.Do,
    TE.bind('at', () => instantNamed(context, at, zone, 'at', mayNamePush)),
    TE.bind('against', () =>
      pipe(
        instantNamed(context, against, zone, 'against', mayNamePush),
        TE.mapLeft((failure) =>
          failure._tag === 'NotFound'
            ? badField('/against', 'BAD_TIME', 'is neither a time nor the id of a push')
            : failure,
        ),
      ),
    ),
  );

/** The time between two instants. */
export interface Between {
  readonly since: string;
  /** Empty: now. */
  readonly until: string;
  /** Whether the page is about its end. */
  readonly isOfEnd: boolean;
}

/** The time between the two instants of a page; `null` if both are the same. */
export const timeBetween = ({ at, against }: Instants): Between | null => {
  const [one, other] = [at, against].map((text) => {
    const instant = parseInstant(text);
    return instant === null ? null : nanosOf(instant);
  });
  if (one === other || one === undefined || other === undefined) return null;
  const isOfEnd = one === null || (other !== null && one > other);
  return isOfEnd ? { since: against, until: at, isOfEnd } : { since: at, until: against, isOfEnd };
};

/**
 * The period of the list of changes to which a page links: until its instant, or between its two
 * instants.
 */
export const timeOfChanges = (
  written: Instants,
  meant: Instants,
): { readonly since: string; readonly until: string } => {
  const between = written.against === '' ? null : timeBetween(meant);
  return between === null
    ? { since: '', until: written.at }
    : { since: between.since, until: between.until };
};
