/** A day, in milliseconds. */
export const DAY_MILLISECONDS = 86_400_000;

/** How many days have passed since an RFC 3339 time. */
export const daysSince = (time: string): number =>
  Math.max(0, Date.now() - Date.parse(time)) / DAY_MILLISECONDS;

/** The instant so many days ago, or before a time in milliseconds. */
export const instantDaysAgo = (days: number, before = Date.now()): string =>
  new Date(before - days * DAY_MILLISECONDS).toISOString();
