import { withoutTrailing } from './trailing';

/**
 * A moment in UTC, written `2024-01-02T03:04:05.006Z`. The fraction has at most nine digits and no
 * trailing zeros (docs/rules.md: Values).
 */
export class Instant {
  constructor(readonly utc: string) {}

  /** In JSON, in hashes and in keys an instant has this one spelling. */
  toJSON(): string {
    return this.utc;
  }
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const daysInMonth = (year: number, month: number): number =>
  month === 2
    ? (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

const ZERO = '0'.charCodeAt(0);

/** The number that the digits from `start` to `end` spell. */
const numberAt = (text: string, start: number, end: number): number => {
  let number = 0;
  for (let at = start; at < end; at += 1) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
};

/**
 * Converts a time with an offset to UTC and returns its first 19 characters. Returns `null` if it
 * is then outside the years 0000 to 9999.
 */
const shifted = (text: string, offset: string): string | null => {
  const utc = new Date(`${text.slice(0, 10)}T${text.slice(11, 19)}${offset}`);
  const year = utc.getUTCFullYear();
  return year < 0 || year > 9999 ? null : utc.toISOString().slice(0, 19);
};

/**
 * Whether a text is an RFC 3339 time with a real date, no leap second, and a year from 0000 to 9999
 * even when converted to UTC (docs/rules.md: Values).
 */
export const isInstant = (text: string): boolean => {
  if (!RFC_3339.test(text)) return false;
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 7);
  const day = numberAt(text, 8, 10);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false;
  if (numberAt(text, 11, 13) > 23 || numberAt(text, 14, 16) > 59) return false;
  if (numberAt(text, 17, 19) > 59) return false;
  if (isUtc(text)) return true;
  const end = text.length - 6;
  if (numberAt(text, end + 1, end + 3) > 23 || numberAt(text, end + 4, end + 6) > 59) return false;
  // An offset can leave these years only from the first or the last year.
  return (year > 0 && year < 9999) || shifted(text, text.slice(end)) !== null;
};

const isUtc = (text: string): boolean => text.endsWith('Z') || text.endsWith('z');

/** Reads an RFC 3339 time. Returns `null` for texts that `isInstant` refuses. */
export const parseInstant = (text: string): Instant | null => {
  if (!isInstant(text)) return null;
  const inUtc = isUtc(text);
  const end = text.length - (inUtc ? 1 : 6);
  const fraction = withoutTrailing(text.slice(20, Math.min(end, 29)), '0');
  const rest = `${fraction === '' ? '' : `.${fraction}`}Z`;
  if (inUtc) return new Instant(`${text.slice(0, 10)}T${text.slice(11, 19)}${rest}`);
  const utc = shifted(text, text.slice(end));
  return utc === null ? null : new Instant(`${utc}${rest}`);
};

const NANOS = 1_000_000_000n;

/** The nanoseconds from 1970 to an instant. */
export const nanosOf = ({ utc }: Instant): bigint => {
  const [whole, fraction = ''] = utc.slice(0, -1).split('.') as [string, string?];
  return BigInt(Date.parse(`${whole}Z`) / 1000) * NANOS + BigInt(fraction.padEnd(9, '0'));
};

/** The instant that lies this many nanoseconds after 1970. */
export const instantOf = (nanos: bigint): Instant => {
  // Before 1970 too a fraction lies after its second.
  const part = ((nanos % NANOS) + NANOS) % NANOS;
  const whole = new Date(Number((nanos - part) / NANOS) * 1000).toISOString().slice(0, 19);
  const fraction = withoutTrailing(part.toString().padStart(9, '0'), '0');
  return new Instant(`${whole}${fraction === '' ? '' : `.${fraction}`}Z`);
};

/** The instant now, in milliseconds. */
export const present = (): Instant => instantOf(BigInt(Date.now()) * 1_000_000n);

/** The last instant before this one. */
export const justBefore = (instant: Instant): Instant => instantOf(nanosOf(instant) - 1n);
