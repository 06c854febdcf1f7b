import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { changesAddress } from '../frame/address';
import { Reading } from '../frame/reading';
import { datesBetween, endOf } from '../overview/days';
import type { DayOfChanges } from '../overview/overview';
import { UTC } from '../words/time-zone';
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
  const { zone } = useContext(Reading);
  const days = datesBetween(from, to, MOST_BARS + 1);
  if (days.length > MOST_BARS || of.length === 0) return null;
  const byDay = new Map(of.map((each) => [each.day, each]));
  const bars = (
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
  return zone === UTC ? (
    bars
  ) : (
    <>
      {bars}
      <p class="hint">The days of the bars are those of UTC.</p>
    </>
  );
};
