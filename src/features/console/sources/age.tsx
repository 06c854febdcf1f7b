import type { JSX } from 'preact';

import { daysSince } from '../overview/days';
import type { SourceOfProvider } from '../overview/overview';
import { counted } from '../parts/counted';

/** A data source without an accepted push for more days is stale, unless the reader names others. */
export const USUAL_DAYS = 7;

/** Whether a data source may be behind what it is a source of. */
export const isStale = ({ last_push_at }: SourceOfProvider['source'], days: number): boolean =>
  last_push_at === null || daysSince(last_push_at) > days;

/** How old the newest push to a data source is. */
export const Age = ({
  of: { source },
  days,
}: {
  readonly of: SourceOfProvider;
  readonly days: number;
}): JSX.Element =>
  source.last_push_at === null ? (
    <span class="loss">never</span>
  ) : (
    <span class={isStale(source, days) ? 'loss' : undefined}>
      {counted(Math.floor(daysSince(source.last_push_at)), 'day')}
    </span>
  );
