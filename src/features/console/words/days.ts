import { instantOf, isInstant, justBefore, nanosOf, parseInstant } from '../../../model/instant';
import { clockAt, dateAfter, instantIn } from './time-zone';

/** A part of a time: what happened after the one instant, up to the other one. */
export interface PartOfTime {
  readonly since: string;
  readonly until: string;
}

const NANOS = 1_000_000n;

/** The last instant before a day begins; `null` if it has none. */
const edgeBefore = (milliseconds: number): string | null => {
  if (Number.isNaN(new Date(milliseconds).getTime())) return null;
  const { utc } = justBefore(instantOf(BigInt(milliseconds) * NANOS));
  return isInstant(utc) ? utc : null;
};

/** The days of a time on clocks of a zone, the first and the last one in part; `null`: there are more than `most`. */
export const daysBetween = (
  from: string,
  to: string,
  zone: string,
  most: number,
): readonly PartOfTime[] | null => {
  const begin = parseInstant(from);
  if (begin === null) return null;
  const days: PartOfTime[] = [];
  let since = from;
  // What happened at the first instant of a day is of that day.
  let { date } = clockAt(Number((nanosOf(begin) + 1n) / NANOS), zone);
  while (days.length < most) {
    date = dateAfter(date, 1);
    const next = instantIn(zone, date);
    const until = next <= Date.parse(to) ? edgeBefore(next) : null;
    if (until === null) return [...days, { since, until: to }];
    if (Date.parse(until) > Date.parse(since)) days.push({ since, until });
    since = until;
  }
  return null;
};
