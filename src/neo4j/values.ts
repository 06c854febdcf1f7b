import neo4j, { type DateTime } from 'neo4j-driver';

import { Instant } from '../model/instant';
import type { PropertyValues, Value } from '../rows/row/row';
import { withoutTrailing } from '../model/trailing';

const { int } = neo4j;

/** Turns an instant into a zoned datetime in UTC, as Neo4j holds it. */
export const toDateTime = ({ utc }: Instant): DateTime => {
  const [whole, fraction = ''] = utc.slice(0, -1).split('.') as [string, string?];
  const [year, month, day, hour, minute, second] = whole.split(/[-T:]/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const nanosecond = Number(fraction.padEnd(9, '0'));
  return new neo4j.types.DateTime(
    int(year),
    int(month),
    int(day),
    int(hour),
    int(minute),
    int(second),
    int(nanosecond),
    int(0),
  );
};

const digits = (value: { toString(): string }, length: number): string =>
  value.toString().padStart(length, '0');

/** Turns a datetime from `toDateTime` back into an instant. */
export const toInstant = (time: DateTime): Instant => {
  const date = [digits(time.year, 4), digits(time.month, 2), digits(time.day, 2)].join('-');
  const clock = [time.hour, time.minute, time.second].map((part) => digits(part, 2)).join(':');
  const fraction = withoutTrailing(digits(time.nanosecond, 9), '0');
  return new Instant(`${date}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`);
};

/** Turns the value of a property into the driver's form. A `bigint` becomes an integer of Neo4j. */
export const toGraphValue = (value: Value | bigint | null): unknown =>
  value instanceof Instant ? toDateTime(value) : value;

/** Turns properties into the driver's form. `null` unsets a property. */
export const toGraph = (
  properties: Readonly<Record<string, Value | bigint | null>>,
): Record<string, unknown> => {
  const converted: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    converted[name] = toGraphValue(properties[name] as Value | bigint | null);
  }
  return converted;
};

/** Turns the driver's value of a property into the form of rows. */
export const fromGraphValue = (value: unknown): Value =>
  value instanceof neo4j.types.DateTime
    ? toInstant(value as DateTime)
    : neo4j.isInt(value)
      ? value.toNumber()
      : (value as Value);

/** Turns the driver's properties into the form of rows. */
export const fromGraph = (properties: Readonly<Record<string, unknown>>): PropertyValues =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, fromGraphValue(value)]),
  );

/** The time of a property from `fromGraph`, as RFC 3339; `null` if it holds none. */
export const utcOf = (value: unknown): string | null =>
  value instanceof Instant ? value.utc : null;
