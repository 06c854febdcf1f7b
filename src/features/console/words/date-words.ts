import { clockAt, dateAfter } from './time-zone';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const UNITS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** How many days before today some words mean; `null` if they mean no day. */
const daysAgo = (words: string, weekday: number): number | null => {
  if (words === 'today') return 0;
  if (words === 'yesterday') return 1;
  const [, count, unit = ''] = /^(a|\d{1,4}) (day|week)s? ago$/.exec(words) ?? [];
  if (count !== undefined) return (count === 'a' ? 1 : Number(count)) * (UNITS[unit] ?? 1);
  const [, named = ''] = /^(?:last |on )?(\w+)$/.exec(words) ?? [];
  const meant = WEEKDAYS.indexOf(named);
  // The last day of this name before today.
  return meant === -1 ? null : ((weekday - meant + 6) % 7) + 1;
};

/** What somebody wrote, in small letters and with one space between two words. */
const inWords = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ');

/** The first weeks of the history, as readers name them. */
export const WEEKS = ['first week', 'second week'] as const;

/** Which week of the history some words name: 0 is the first one. `null` if they name none. */
export const weekMeant = (text: string): number | null => {
  const words = inWords(text).replace(/^the /, '');
  const week = WEEKS.findIndex((each) => each === words);
  return week === -1 ? null : week;
};

/** The dates of a week of the history, and the one after it. The first begins when the history does. */
export const datesOfWeek = (
  week: number,
  since: string,
  zone: string,
): { readonly begin: string; readonly next: string } => {
  const { date } = clockAt(Date.parse(since), zone);
  return { begin: dateAfter(date, 7 * week), next: dateAfter(date, 7 * (week + 1)) };
};

/** The date that somebody wrote, as a date or in words of their time zone; `null` if it is neither. */
export const dateMeant = (text: string, now: number, zone: string): string | null => {
  if (DATE.test(text)) return text;
  const words = inWords(text);
  const { date } = clockAt(now, zone);
  const days = daysAgo(words, new Date(`${date}T00:00:00Z`).getUTCDay());
  return days === null ? null : dateAfter(date, -days);
};
