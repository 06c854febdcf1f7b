import neo4j, { type DateTime as DateTimeValue, type Point } from 'neo4j-driver';

import { Instant } from '../../../model/instant';
import { toDateTime } from '../../../neo4j/values';
import { withoutTrailing } from '../../../model/trailing';

/** A property's value as a backup holds it: JSON, with an object for what JSON does not have. */
export type StoredValue =
  string | boolean | number | readonly StoredValue[] | { readonly [type: string]: unknown };

/** The properties of a node or relationship, as a backup holds them. */
export type StoredProperties = Readonly<Record<string, StoredValue>>;

/** The graph has a value of a type that a backup cannot hold. */
export class UnknownValueType extends Error {}

const { DateTime, Date: Day, Time, LocalTime, LocalDateTime, Duration } = neo4j.types;

type Parts = readonly (string | null)[];

const DAY = ['year', 'month', 'day'] as const;
const CLOCK = ['hour', 'minute', 'second', 'nanosecond'] as const;

/**
 * The temporal types, by their names in a backup, with the parts that make them. The driver reads
 * texts with a loss of nanoseconds, so a backup holds the parts.
 */
const TEMPORAL: Readonly<
  Record<string, { readonly type: new (...parts: never[]) => object; readonly parts: Parts }>
> = {
  datetime: { type: DateTime, parts: [...DAY, ...CLOCK, 'timeZoneOffsetSeconds', 'timeZoneId'] },
  date: { type: Day, parts: DAY },
  time: { type: Time, parts: [...CLOCK, 'timeZoneOffsetSeconds'] },
  localtime: { type: LocalTime, parts: CLOCK },
  localdatetime: { type: LocalDateTime, parts: [...DAY, ...CLOCK] },
  duration: { type: Duration, parts: ['months', 'days', 'seconds', 'nanoseconds'] },
};

const partsOf = (value: object, names: Parts): Parts =>
  names.map((name) => {
    const part = (value as Readonly<Record<string, { toString(): string } | null | undefined>>)[
      String(name)
    ];
    return part === undefined || part === null ? null : part.toString();
  });

const partOf = (text: string | null): unknown => {
  if (text === null) return undefined;
  return /^-?\d+$/.test(text) ? neo4j.int(text) : text;
};

/** A small number of the driver. Two times for each row are read, so this must be fast. */
const small = (value: DateTimeValue['year'] | undefined): number =>
  neo4j.isInt(value) ? value.toNumber() : Number(value);

const digits = (value: DateTimeValue['year'], length: number): string =>
  String(small(value)).padStart(length, '0');

/** A time as RFC 3339, as all times of the service are; undefined if it is of another kind. */
const plainTime = (time: DateTimeValue): string | undefined => {
  const year = small(time.year);
  const isPlain =
    time.timeZoneId == null && small(time.timeZoneOffsetSeconds) === 0 && year >= 0 && year <= 9999;
  if (!isPlain) return undefined;
  const date = `${digits(time.year, 4)}-${digits(time.month, 2)}-${digits(time.day, 2)}`;
  const clock = `${digits(time.hour, 2)}:${digits(time.minute, 2)}:${digits(time.second, 2)}`;
  const fraction = withoutTrailing(digits(time.nanosecond, 9), '0');
  return `${date}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`;
};

const pointOf = ({ srid, x, y, z }: Point): readonly string[] =>
  [srid, x, y, ...(z === undefined ? [] : [z])].map(String);

/** Turns a value of the driver into its form in a backup. */
export const toStored = (value: unknown): StoredValue => {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    // JSON has neither NaN nor infinities, and would write -0 as 0.
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { float: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (neo4j.isDateTime(value)) {
    const at = plainTime(value);
    if (at !== undefined) return { at };
  }
  if (Array.isArray(value)) return value.map(toStored);
  if (neo4j.isInt(value)) return { integer: value.toString() };
  for (const [name, { type, parts }] of Object.entries(TEMPORAL)) {
    if (value instanceof type) return { [name]: partsOf(value, parts) };
  }
  if (neo4j.isPoint(value)) return { point: pointOf(value) };
  if (value instanceof Int8Array) {
    const { buffer, byteOffset, byteLength } = value;
    return { bytes: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
  }
  throw new UnknownValueType(`A backup cannot hold a value of this type: ${String(value)}.`);
};

const READERS: Readonly<Record<string, (stored: never) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(TEMPORAL).map(([name, { type }]) => [
      name,
      (parts: Parts) => new type(...(parts.map(partOf) as never[])),
    ]),
  ),
  at: (utc: string) => toDateTime(new Instant(utc)),
  float: Number,
  integer: (text: string) => neo4j.int(text),
  bytes: (base64: string) => new Int8Array(Buffer.from(base64, 'base64')),
  point: ([srid = '', ...places]: readonly string[]) =>
    new neo4j.types.Point(neo4j.int(srid), ...(places.map(Number) as [number, number, number?])),
};

/** Turns a value of a backup into that of the driver. */
export const fromStored = (stored: StoredValue): unknown => {
  if (Array.isArray(stored)) return stored.map(fromStored);
  if (typeof stored !== 'object') return stored;
  const [entry] = Object.entries(stored);
  const reader = entry === undefined ? undefined : READERS[entry[0]];
  if (entry === undefined || reader === undefined) {
    throw new UnknownValueType(
      `The backup has a value of an unknown type: ${JSON.stringify(stored)}.`,
    );
  }
  return reader(entry[1] as never);
};

/** Turns properties of the driver into their form in a backup, without those that it leaves out. */
export const toStoredProperties = (
  properties: Readonly<Record<string, unknown>>,
  leftOut: readonly string[] = [],
): StoredProperties => {
  const stored: Record<string, StoredValue> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (!leftOut.includes(name)) stored[name] = toStored(value);
  }
  return stored;
};

/** Turns properties of a backup into those of the driver. */
export const fromStoredProperties = (stored: StoredProperties): Record<string, unknown> => {
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) properties[name] = fromStored(value);
  return properties;
};
