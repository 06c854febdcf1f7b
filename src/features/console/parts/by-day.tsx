import type { JSX } from 'preact';

import { changesAddress } from '../frame/address';
import { datesBetween, endOf } from '../overview/days';
import type { DayOfChanges } from '../overview/overview';
import { Bars } from './bars';

/** The most days that bars show. */
const MOST_BARS = 62;

/** How much pushes changed access on each day of a time; each bar leads to its day. */
export const ByDay = ({
  of,
  from,
  to,
}: {
  readonly of: readonly DayOfChanges[];
  readonly from: string;
  readonly to: string;
}): JSX.Element | null => {
  const days = datesBetween(from, to);
  if (days.length > MOST_BARS || of.length === 0) return null;
  const byDay = new Map(of.map((each) => [each.day, each]));
  return (
    <Bars
      of={days.map((day) => {
        const { gained = 0, lost = 0, uncounted = 0 } = byDay.get(day) ?? {};
        const [begin, end] = [`${day}T00:00:00.000Z`, endOf(day)];
        return {
          since: begin < from ? from : begin,
          until: end > to ? to : end,
          ...{ gained, lost, isCut: uncounted > 0 },
        };
      })}
      addressOf={(period) => changesAddress(period)}
    />
  );
};
