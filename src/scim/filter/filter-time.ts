/** A moment whose fraction has as many digits as were sent. */
export interface FilterTime {
  /** Milliseconds from 1970 to its second. */
  readonly second: number;
  /** The digits of its fraction, without zeros at the end. */
  readonly fraction: string;
}

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+ -]\d\d:?\d\d)?)?$/i;

const MINUTE = 60_000;

/** A plus that a client did not escape in an address arrives as a space. */
const offsetOf = (zone: string | undefined): number | null => {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
};

const withoutZeros = (digits: string): string => {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
};

/**
 * Reads a time of SCIM (`xsd:dateTime`, RFC 7643, 2.3.5); null if the text is no time. A date
 * without a time is its first moment, and a time without a zone is in UTC.
 */
export const filterTime = (text: string): FilterTime | null => {
  const parts = TIME.exec(text);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number((part as string | undefined) ?? 0)) as [
    ...[number, number, number],
    ...[number, number, number],
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const offset = offsetOf(parts[8]);
  if (!isDate || hour > 23 || minute > 59 || second > 60 || offset === null) return null;
  date.setUTCHours(hour, minute, second);
  return { second: date.getTime() - offset, fraction: withoutZeros(parts[7] ?? '') };
};

/** Below zero: the first is earlier. Zero: they are the same moment. */
export const compareTimes = (a: FilterTime, b: FilterTime): number => {
  if (a.second !== b.second) return a.second - b.second;
  return a.fraction < b.fraction ? -1 : a.fraction > b.fraction ? 1 : 0;
};
