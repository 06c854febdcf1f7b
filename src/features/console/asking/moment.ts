import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { isInstant, justBefore, parseInstant } from '../../../model/instant';
import { badField, type Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { DAY_MILLISECONDS } from '../overview/days';
import { dateMeant } from '../words/date-words';
import { type PushOfSource, readPushesBeginning } from '../overview/overview';

const MINUTE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?:[Zz]| UTC)?$/;
const SECOND = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:[Zz]| UTC)?$/;
const MINUTE_MILLISECONDS = 60_000;
/** The id of a push, or at least as much of it as pages show. */
const PUSH = /^[0-9a-f]{8}(?![0-9a-f])[0-9a-f-]{0,28}$/i;

/** What a page accepts as a time, for those who wrote something else. */
export const TIMES_IN_WORDS =
  'a date like 2026-03-01, a time like 2026-03-01 10:54, today, yesterday, last Monday or 3 days ago';

/** Which end of a day or a minute a page means: a time that is compared begins with the first. */
export type Edge = 'begin' | 'end';

/**
 * The instant of an end of a day or a minute in UTC that begins at this text. The end of one that is
 * not over is empty, so that the page shows what is now. The beginning is the last instant before
 * it, so that what happened at its first instant happened since.
 */
const edgeOf = (
  begin: string,
  milliseconds: number,
  field: string,
  edge: Edge,
): E.Either<Failure, string> => {
  const first = parseInstant(begin);
  if (first === null)
    return E.left(badField(`/${field}`, 'BAD_TIME', 'is no date or minute that exists'));
  if (edge === 'begin') return E.right(justBefore(first).utc);
  const next = new Date(Date.parse(first.utc) + milliseconds);
  if (next.getTime() > Date.now() && Date.parse(first.utc) <= Date.now()) return E.right('');
  const after = parseInstant(next.toISOString());
  return E.right(after === null ? '' : justBefore(after).utc);
};

/**
 * The instant that a date, a minute, a day in words or an RFC 3339 time names; empty: now. `null`
 * for any other text. Left if there is no such day or minute (docs/console.md: An instant).
 */
export const instantWritten = (
  text: string,
  field: string,
  edge: Edge = 'end',
): E.Either<Failure, string> | null => {
  if (text === '' || text.toLowerCase() === 'now') return E.right('');
  const date = dateMeant(text, Date.now());
  if (date !== null) return edgeOf(`${date}T00:00:00Z`, DAY_MILLISECONDS, field, edge);
  const [, day, minute] = MINUTE.exec(text) ?? [];
  if (day !== undefined && minute !== undefined) {
    return edgeOf(`${day}T${minute}:00Z`, MINUTE_MILLISECONDS, field, edge);
  }
  // The interface means exactly such an instant, and so does a page.
  const [, ofDay, second] = isInstant(text) ? [] : (SECOND.exec(text) ?? []);
  if (ofDay !== undefined && second !== undefined) {
    return edgeOf(`${ofDay}T${second}Z`, 1_000, field, edge);
  }
  // A plus sign that an address did not encode arrives as a space.
  const time = text.replace(' ', '+');
  return isInstant(time) ? E.right(parseInstant(time)?.utc ?? '') : null;
};

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
 * The instant that a reader names: an RFC 3339 time, a date or a minute (its end in UTC, or now if
 * it is not over), or the id of a push or its beginning (its `at`). With the edge `begin` a date is its beginning. An empty text means now, and
 * stays empty. `field` is the parameter that names it. Only somebody with a role names a push, since
 * others would learn which pushes exist.
 */
export const instantNamed = (
  context: Context,
  written: string | null | undefined,
  field = 'at',
  mayNamePush = true,
  edge: Edge = 'end',
): TE.TaskEither<Failure, string> => {
  const text = (written ?? '').trim();
  const instant = instantWritten(text, field, edge);
  if (instant !== null) return TE.fromEither(instant);
  if (!mayNamePush || !PUSH.test(text)) {
    const push = mayNamePush ? ', or the id of a push' : '';
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
