import { pipe } from 'fp-ts/function';
import * as T from 'fp-ts/Task';
import * as TE from 'fp-ts/TaskEither';

import { quoted } from '../../../codec/quote';
import type { Context } from '../../../context';
import { visible } from '../../../visible-text';
import type { OfferedInstant } from '../frame/moment-bar';
import { countedAccess, type PushOfSource, readRecentHistory } from './overview';
import { dateMeant, datesOfWeek, WEEKS } from '../words/date-words';
import { clockAt, dateAfter, instantIn } from '../words/time-zone';

/** So many pushes are offered, of so many that are looked at. */
const OFFERED = 10;
const LOOKED = 1_000;

/** When a push was, to where, and how much it changed. Quotes keep a name from saying the rest. */
const pushInWords = ({ push, source, provider }: PushOfSource, zone: string) => {
  const { date, time } = clockAt(Date.parse(push.at), zone);
  const counts = countedAccess(push);
  const changed = counts === null ? '' : `: +${counts.gained} −${counts.lost} permissions`;
  const to = source === provider ? [provider] : [provider, source];
  return `${date} ${time}, ${to.map((name) => visible(quoted(name))).join(', ')}${changed}`;
};

/** Words for days and weeks that are over and that the history has, each with the date at which it ends. */
const wordsSince = (since: string, zone: string): readonly OfferedInstant[] => {
  const now = Date.now();
  const days = ['yesterday', 'a week ago'].map((value) => ({
    value,
    next: dateAfter(dateMeant(value, now, zone) ?? '', 1),
  }));
  const weeks = WEEKS.map((value, week) => ({ value, next: datesOfWeek(week, since, zone).next }));
  return [...days, ...weeks].flatMap(({ value, next }) => {
    const end = instantIn(zone, next);
    return end <= Date.parse(since) || end > now
      ? []
      : [{ value, label: `the end of ${dateAfter(next, -1)}` }];
  });
};

/**
 * The instants that fields offer to a reader who knows none: days in words, and the newest pushes that
 * changed access, of which somebody may have changed what the page is about. A page does without them
 * if they cannot be read.
 */
export const offeredInstants = (
  context: Context,
  zone: string,
): T.Task<readonly OfferedInstant[]> =>
  pipe(
    readRecentHistory(context, LOOKED, OFFERED),
    TE.map((found) =>
      found === null
        ? []
        : [
            ...wordsSince(found.since, zone),
            ...found.pushes.map((each) => ({
              value: each.push.id.slice(0, 8),
              label: pushInWords(each, zone),
            })),
          ],
    ),
    TE.getOrElse((): T.Task<readonly OfferedInstant[]> => T.of([])),
  );
