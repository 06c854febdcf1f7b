import type { JSX } from 'preact';

import { changesAddress } from '../frame/address';
import { DAY_MILLISECONDS } from '../overview/days';
import type { DayOfChanges } from '../overview/overview';
import { Bars } from './bars';

/** A day has an hour more when clocks are put back. */
const LONGEST_DAY = (25 / 24) * DAY_MILLISECONDS;

/** Whether days have bars: something changed, and no span is longer than a day. */
export const hasBars = (of: readonly DayOfChanges[]): boolean =>
  of.some(({ gained, lost }) => gained + lost > 0) &&
  of.every(({ since, until }) => Date.parse(until) - Date.parse(since) <= LONGEST_DAY);

/** How much pushes changed access on each day of a time; each bar leads to its day. */
export const ByDay = ({ of }: { readonly of: readonly DayOfChanges[] }): JSX.Element | null =>
  hasBars(of) ? (
    <Bars
      of={of.map(({ uncounted, ...day }) => ({ ...day, isCut: uncounted > 0 }))}
      counts="permissions that each push of the day gave and took"
      addressOf={({ since, until }) => changesAddress({ since, until })}
    />
  ) : null;
