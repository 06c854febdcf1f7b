import { spend } from './effort';

/**
 * How large a value of a query can be at most, as far as its text shows. The service checks a query
 * by these sizes before it runs (docs/rules.md: What a query may make).
 */
export interface Size {
  /** Entries of a list or map, or characters of a text. */
  readonly length: number;
  /** Entries and characters in all, those of nested values too. */
  readonly weight: number;
  /** The largest amount that the value can be if it is a number. */
  readonly amount: number;
  /** How many lists `+` has linked into this one. Neo4j walks them when another value holds the list. */
  readonly links?: number;
  /** Whether it certainly is a list, or certainly is something else. */
  readonly kind: 'list' | 'map' | 'other' | 'any';
  /** The text or number itself, where the query or a parameter gives it. */
  readonly known?: string | undefined;
  /** The size of an entry. */
  readonly entry: () => Size;
  /** The size of the property or field of this name. */
  readonly field: (name: string) => Size;
}

/** A list that a query collects from rows counts as so long. Neo4j limits its memory. */
export const COLLECTED = 10_000;
/** A list that a node has as a property counts as so long. */
const LISTED = 8;
/** A list of the nodes or relationships of a path counts as so long. */
const WAY = 30;
/** A stored text counts as this many characters: it is read from the store, and shared. */
const STORED_TEXT = 4;

/** The size of a number, a time, a boolean or null. */
export const scalar = (amount = Infinity): Size => {
  const size: Size = {
    ...{ length: 1, weight: 1, amount, kind: 'other' },
    entry: () => size,
    field: () => size,
  };
  return size;
};

/** A value of which only its size in all is known. */
export const anything = (weight: number): Size => {
  const size: Size = {
    ...{ length: weight, weight, amount: Infinity, kind: 'any' },
    entry: () => size,
    field: () => size,
  };
  return size;
};

/** A text of this many characters. */
export const text = (length: number, known?: string): Size => {
  const size: Size = { ...scalar(), length, weight: 2 + length, known };
  return size;
};

/** A list of this many entries. */
export const list = (
  length: number,
  entry: Size,
  weight = length === 0 ? 1 : 1 + length * entry.weight,
): Size => ({
  ...{ length, weight, amount: Infinity, kind: 'list' },
  entry: () => entry,
  field: () => entry,
});

/** A property of a node or relationship. */
export const PROPERTY: Size = {
  ...{ length: LISTED, weight: STORED_TEXT, amount: Infinity, kind: 'any' },
  entry: () => text(STORED_TEXT),
  field: () => scalar(),
};

/** What a pattern names: a node, a relationship, a path, or a list of these. */
export const ELEMENT: Size = {
  ...{ length: WAY, weight: WAY, amount: Infinity, kind: 'any' },
  entry: () => ELEMENT,
  field: () => PROPERTY,
};

/** A map with these fields. */
export const mapOf = (fields: ReadonlyMap<string, Size>): Size => {
  const sizes = [...fields.values()];
  return {
    length: sizes.length,
    weight: sizes.reduce((sum, { weight }) => sum + 1 + weight, 1),
    amount: Infinity,
    kind: 'map',
    entry: () => sizes.reduce(either, scalar()),
    field: (name) => fields.get(name) ?? scalar(),
  };
};

/** A value that is one of two. */
export const either = (one: Size, other: Size): Size => {
  spend(1);
  return one === other ? one : eitherOf(one, other);
};

const eitherOf = (one: Size, other: Size): Size => ({
  length: Math.max(one.length, other.length),
  weight: Math.max(one.weight, other.weight),
  amount: Math.max(one.amount, other.amount),
  links: Math.max(linksOf(one), linksOf(other)),
  kind: one.kind === other.kind ? one.kind : 'any',
  entry: () => either(one.entry(), other.entry()),
  field: (name) => either(one.field(name), other.field(name)),
});

/** How many lists `+` has linked into a value. */
export const linksOf = ({ links = 1 }: Size): number => links;

/** What a value adds to the entries of a list: its own entries, or itself. */
const added = (size: Size): Size => {
  spend(1);
  if (size.kind === 'list') return size.entry();
  return size.kind === 'any' ? either(size, size.entry()) : size;
};

const kindOf = (one: Size, other: Size): Size['kind'] => {
  if (one.kind === 'list' || other.kind === 'list') return 'list';
  return one.kind === 'any' || other.kind === 'any' ? 'any' : 'other';
};

/** Two values put together by `+` or `||`: texts, lists, numbers, or a list and an entry. */
export const together = (one: Size, other: Size): Size =>
  one.weight <= 1 && other.weight <= 1 && kindOf(one, other) === 'other'
    ? scalar(one.amount + other.amount)
    : joined(one, other);

const joined = (one: Size, other: Size): Size => ({
  length: one.length + other.length,
  weight: one.weight + other.weight,
  amount: one.amount + other.amount,
  links: linksOf(one) + linksOf(other),
  kind: kindOf(one, other),
  entry: () => either(added(one), added(other)),
  field: (name) => either(one.field(name), other.field(name)),
});

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries and characters of a value, those of nested values too. */
const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return 2 + value.length;
  let weight = 1;
  if (Array.isArray(value)) for (const each of value) weight += weightOf(each);
  else if (isMap(value)) for (const name in value) weight += 1 + weightOf(value[name]);
  return weight;
};

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : 1;
};

const kindOfGiven = (value: unknown): Size['kind'] => {
  if (Array.isArray(value)) return 'list';
  return isMap(value) ? 'map' : 'other';
};

/** The largest of the values of parameters. It looks at nested values only when they are needed. */
const largest = (values: readonly unknown[]): Size => {
  let [length, weight, amount] = [0, 0, 0];
  const kinds = new Set<Size['kind']>();
  for (const value of values) {
    length = Math.max(length, lengthOf(value));
    weight = Math.max(weight, weightOf(value));
    amount = Math.max(amount, typeof value === 'number' ? Math.abs(value) : 0);
    kinds.add(kindOfGiven(value));
  }
  const [kind = 'other'] = kinds;
  let entry: Size | undefined;
  const fields = new Map<string, Size>();
  return {
    ...{ length, weight, amount: amount === 0 ? Infinity : amount },
    kind: kinds.size > 1 ? 'any' : kind,
    entry: () => (entry ??= largestEntry(values, weight)),
    field: (name) => {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const field = largest(values.flatMap((value) => (isMap(value) ? [value[name]] : [])));
      fields.set(name, field);
      return field;
    },
  };
};

/** The entries of larger parameters are not looked at one by one. */
const MOST_LOOKED_AT = 5_000;

const largestEntry = (values: readonly unknown[], weight: number): Size => {
  const lists = values.filter((value): value is readonly unknown[] => Array.isArray(value));
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  return count > MOST_LOOKED_AT ? anything(weight) : largest(lists.flat());
};

/** The size of the value of a parameter, as the request gives it. */
export const givenSize = (value: unknown): Size => {
  if (typeof value === 'string') return text(value.length, value);
  if (typeof value === 'number') return { ...scalar(Math.abs(value)), known: String(value) };
  return largest([value]);
};
