/** A point in time, written in UTC (docs/rules.md: Values). */
export interface Instant {
  readonly instant: string;
}

const grammar =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Reads an RFC 3339 time; more than nanoseconds are cut (docs/rules.md: Values). Null when it is none. */
export function instantOf(text: unknown): Instant | null {
  const parts = typeof text === 'string' ? grammar.exec(text) : null;
  if (parts === null) return null;
  const [, date = '', time = '', fraction = '', offset = ''] = parts;
  if (!isCalendarDate(date)) return null;
  const utc = new Date(`${date}T${time}${offset.toUpperCase()}`).toISOString();
  if (!/^\d{4}-/.test(utc)) return null;
  const digits = fraction.slice(0, 9).replace(/0+$/, '');
  return { instant: utc.slice(0, 19) + (digits === '' ? 'Z' : `.${digits}Z`) };
}

function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  // JavaScript reads the 30th of February as the 1st or 2nd of March.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
