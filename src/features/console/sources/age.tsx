import type { JSX } from 'preact';

import { daysSince } from '../overview/days';
import type { WatchedSource } from '../overview/overview';
import { counted } from '../parts/counted';

/** A data source without an accepted push for more days is stale, unless the reader names others. */
export const USUAL_DAYS = 7;

/** Whether a data source may be behind what it is a source of. A new one waits for its first push. */
export const isStale = (
  { source: { last_push_at }, since }: Pick<WatchedSource, 'source' | 'since'>,
  days: number,
): boolean => daysSince(last_push_at ?? since) > days;

/** How old the newest push to a data source is. */
export const Age = ({
  of,
  of: {
    source: { last_push_at },
  },
  days,
}: {
  readonly of: WatchedSource;
  readonly days: number;
}): JSX.Element => (
  <span class={isStale(of, days) ? 'loss' : undefined}>
    {last_push_at === null ? 'never' : counted(Math.floor(daysSince(last_push_at)), 'day')}
  </span>
);
