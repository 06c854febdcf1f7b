import { type Instant, parseInstant } from '../../model/instant';
import {
  flag,
  number,
  type PlainNames,
  type Properties,
  type Property,
  text,
  texts,
  time,
} from '../../model/table';

/** A value of a property, as a node stores it. A `bigint` becomes an integer of Neo4j. */
export type StoredValue = string | number | bigint | boolean | Instant | readonly string[] | null;

/** The properties of a node. */
export type StoredValues = Readonly<Record<string, unknown>>;

/** How a node stores the value of a field: in which properties, and in which form. */
export interface Stored {
  readonly properties: (field: string, doc: string) => Properties;
  readonly write: (field: string, value: unknown) => Readonly<Record<string, StoredValue>>;
  /** Returns the value, or `null` if the node has none. */
  readonly read: (field: string, values: StoredValues) => unknown;
}

const oneProperty = (
  property: (doc: string) => Property,
  write: (value: unknown) => StoredValue = (value) => value as StoredValue,
  read: (stored: unknown) => unknown = (stored) => stored,
): Stored => ({
  properties: (field, doc) => ({ [field]: property(doc) }),
  write: (field, value) => ({ [field]: value === null ? null : write(value) }),
  read: (field, values) => {
    const stored = values[field] ?? null;
    return stored === null ? null : read(stored);
  },
});

const instantIn = (text: string): Instant => {
  const instant = parseInstant(text);
  // A record without this time could mean another thing: a key that never expires.
  if (instant === null) throw new Error(`${JSON.stringify(text)} is not a time`);
  return instant;
};

/** A text of the same name. `names` says what of a person it may hold. */
export const asText = (names: PlainNames): Stored => oneProperty((doc) => text(doc, names));
/** A list of texts of the same name. */
export const asTexts = (names: PlainNames): Stored => oneProperty((doc) => texts(doc, names));
/** A boolean of the same name. */
export const asFlag: Stored = oneProperty(flag);
/** A float of the same name. */
export const asNumber: Stored = oneProperty(number, undefined, Number);
/** An integer of the same name. */
export const asWhole: Stored = oneProperty(number, (value) => BigInt(value as number), Number);
/** A zoned datetime of the same name. Requests and answers write it in RFC 3339. */
export const asTime: Stored = oneProperty(
  time,
  (value) => instantIn(value as string),
  (stored) => (stored as Instant).utc,
);
/** JSON in a text of the same name. */
export const asJson = (names: PlainNames): Stored =>
  oneProperty(
    (doc) => text(`${doc} As JSON.`, names),
    (value) => JSON.stringify(value),
    (stored) => JSON.parse(stored as string),
  );

/** The same form in a property of another name. */
export const named = (name: string, { properties, write, read }: Stored): Stored => ({
  properties: (_, doc) => properties(name, doc),
  write: (_, value) => write(name, value),
  read: (_, values) => read(name, values),
});

/** Joins what each of several fields gives. */
export const joined = <A>(
  parts: readonly Readonly<Record<string, A>>[],
): Readonly<Record<string, A>> => Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
