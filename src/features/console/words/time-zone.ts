import { DAY_MILLISECONDS } from '../overview/days';

/** The time zone of readers whose browsers have said none. */
export const UTC = 'UTC';

const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** How each zone writes times, by the name that its list has: a few hundred at the most. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, format);
  return format;
};

/** The time zone of this name, as its list spells it; `null`: there is none. */
export const zoneNamed = (name: string): string | null => {
  if (!NAME.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};

/** A date and a time of day, as clocks of a zone show them. */
interface Clock {
  readonly date: string;
  /** Hours, minutes and seconds. */
  readonly time: string;
}

/** What clocks of a zone show at an instant. */
export const clockAt = (milliseconds: number, zone: string): Clock => {
  if (zone === UTC) {
    const text = new Date(milliseconds).toISOString();
    return { date: text.slice(0, 10), time: text.slice(11, 19) };
  }
  const parts = new Map(
    formatOf(zone)
      .formatToParts(milliseconds)
      .map(({ type, value }) => [type, value] as const),
  );
  const part = (name: Intl.DateTimeFormatPartTypes, digits = 2): string =>
    (parts.get(name) ?? '').padStart(digits, '0');
  return {
    date: `${part('year', 4)}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  };
};

/** By how much clocks of a zone are before those of UTC. */
const offsetAt = (milliseconds: number, zone: string): number => {
  const whole = Math.floor(milliseconds / 1_000) * 1_000;
  const { date, time } = clockAt(whole, zone);
  return Date.parse(`${date}T${time}Z`) - whole;
};

/** In the first and the last year that dates have, clocks of all zones are those of UTC. */
const YEARS = ['0002', '9999'].map((year) => Date.parse(`${year}-01-01T00:00:00Z`)) as [
  number,
  number,
];

/**
 * The first instant at which clocks of a zone show a time of a date; NaN if there is no such date. A
 * time that they leave out, as the hour before summer time, is the instant at which they leave it out.
 */
export const instantIn = (zone: string, date: string, time = '00:00:00'): number => {
  const shown = Date.parse(`${date}T${time}Z`);
  if (zone === UTC || !(shown >= YEARS[0] && shown < YEARS[1])) return shown;
  const candidates = [-1, 1].map((side) => shown - offsetAt(shown + side * DAY_MILLISECONDS, zone));
  const right = candidates.filter((each) => each + offsetAt(each, zone) === shown);
  return right.length > 0 ? Math.min(...right) : Math.max(...candidates);
};

/** The date so many days after a date. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
