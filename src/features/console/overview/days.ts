/** A day, in milliseconds. */
export const DAY_MILLISECONDS = 86_400_000;

/** How many days have passed since an RFC 3339 time. */
export const daysSince = (time: string): number =>
  Math.max(0, Date.now() - Date.parse(time)) / DAY_MILLISECONDS;

/** The instant so many days ago. */
export const instantDaysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MILLISECONDS).toISOString();

/** The beginning of the day after a date, in UTC. */
export const endOf = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MILLISECONDS).toISOString();

/** The first `most` dates between two times, in UTC, both included. */
export const datesBetween = (from: string, to: string, most: number): readonly string[] => {
  const dates: string[] = [];
  const last = to.slice(0, 10);
  for (let date = from.slice(0, 10); date <= last; date = endOf(date).slice(0, 10)) {
    if (dates.length === most) break;
    dates.push(date);
  }
  return dates;
};
