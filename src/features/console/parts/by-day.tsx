import type { JSX } from 'preact';

import { changesAddress } from '../frame/address';
import { DAY_MILLISECONDS } from '../overview/days';
import type { DayOfChanges } from '../overview/overview';
import { Bars } from './bars';

/** A day has an hour more when clocks are put back. */
const LONGEST_DAY = (25 / 24) * DAY_MILLISECONDS;

/** How much pushes changed access on each day of a time; each bar leads to its day. */
export const ByDay = ({ of }: { readonly of: readonly DayOfChanges[] }): JSX.Element | null =>
  of.some(({ since, until }) => Date.parse(until) - Date.parse(since) > LONGEST_DAY) ? null : (
    <Bars
      of={of.map(({ uncounted, ...day }) => ({ ...day, isCut: uncounted > 0 }))}
      addressOf={({ since, until }) => changesAddress({ since, until })}
    />
  );
