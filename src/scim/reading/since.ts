/**
 * The times after which an import requests changes. All times but `until` are the application's
 * own, so its clock need not agree with ours.
 */
export interface Since {
  /** Changes after this moment are requested. */
  readonly marker: number;
  /** The newest change that was seen. */
  readonly newest: number;
  /** When the reading ended, by our clock. */
  readonly until: number;
}

/** When a reading began and ended, by our clock. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A change may show this much later than its time says. */
const LATE_MS = 10_000;

/**
 * The moment after which the next reading must request changes. A change that a reading missed
 * happened after it began, so it is newer than the newest change that was seen, less the time that
 * the reading lasted. When another reading sees nothing newer, everything up to that change is
 * known.
 */
export const nextSince = (before: Since | null, newest: number, { from, until }: Span): Since => {
  const isSettled = before !== null && newest <= before.newest && from - before.until >= LATE_MS;
  if (isSettled) return { marker: before.newest, newest: before.newest, until };
  const marker = newest - (until - from) - LATE_MS;
  return {
    marker: before === null ? marker : Math.max(before.marker, marker),
    newest: Math.max(newest, before?.newest ?? newest),
    until,
  };
};

/** The filter of what changed after a moment. */
export const changedAfter = (moment: number): string =>
  `meta.lastModified gt "${new Date(moment).toISOString()}"`;

/** What a filter by time must find, so that the service trusts it. */
export interface Proof {
  /** The moment to request. */
  readonly moment: number;
  /** Ids of resources that were changed after it. */
  readonly changed: readonly string[];
}

/** How many resources a proof may name. */
const MOST = 200;

/**
 * The requests that show whether the filter works: first for what is newer than the newest, then
 * for the newest. Null if resources do not say when they were changed.
 */
export const proofsOf = (times: ReadonlyMap<string, number | null>): readonly Proof[] | null => {
  let newest = -Infinity;
  let second = -Infinity;
  for (const time of times.values()) {
    if (time === null) return null;
    if (time > newest) [newest, second] = [time, newest];
    else if (time < newest && time > second) second = time;
  }
  if (times.size === 0) return null;
  const moment = second === -Infinity ? newest - 1000 : second;
  const changed = [...times].flatMap(([id, time]) => (time === newest ? [id] : []));
  return [
    { moment: newest + 1, changed: [] },
    { moment, changed: changed.slice(0, MOST) },
  ];
};

/** The newest of these times. */
export const newestOf = (times: ReadonlyMap<string, number | null>): number | null => {
  let newest: number | null = null;
  for (const time of times.values())
    if (time !== null && time > (newest ?? -Infinity)) newest = time;
  return newest;
};
