import { hash } from 'node:crypto';

import { Digest, sized, sorted } from '../../model/digest';
import { Instant } from '../../model/instant';
import { NO_PROPERTIES, type PropertyValues, type Row, type Stated, type Value } from './row';

/**
 * The version of the rules by which rows are made and hashed. Raise it when they change: the next
 * full push then rewrites what differs (docs/rules.md: Full pushes).
 */
export const RULES_VERSION = 1;

// The rows of a push have few different sets of property names. The names of each set are sorted
// once and cached.
const MOST_ORDERS = 10_000;
const orders = new Map<string, readonly string[]>();

const sortedNames = (properties: PropertyValues): readonly string[] => {
  const names = Object.keys(properties);
  const set = names.join();
  const known = orders.get(set);
  if (known !== undefined) return known;
  if (orders.size >= MOST_ORDERS) orders.clear();
  names.sort();
  orders.set(set, names);
  return names;
};

const spelled = (value: Value | undefined): string => {
  if (typeof value === 'string') return sized(value);
  return value instanceof Instant ? `@${value.utc}` : JSON.stringify(value);
};

/**
 * Properties as text, sorted by name, so the order in which they were set does not matter. No name
 * holds a line break, so the text is unambiguous.
 */
const described = (properties: PropertyValues): string => {
  let text = '';
  for (const name of sortedNames(properties)) text += `\n${name}${spelled(properties[name])}`;
  return text;
};

/** A stated relationship as text. Most have no properties, so their identity says everything. */
const saying = ({ identity, properties }: Stated): string => {
  const more = properties === NO_PROPERTIES ? '' : described(properties);
  return more === '' ? identity : sized(identity) + more;
};

const listed = (texts: string[]): string => {
  let text = '';
  for (const each of sorted(texts)) text += sized(each);
  return text;
};

/** What one relationship of a long list adds to the hash of its row. It includes the row's key. */
const linkHash = (key: string, { identity }: Stated): string =>
  hash('sha256', sized(key) + identity, 'hex');

/**
 * The hash of the content of a row, in hexadecimal. Equal rows have equal hashes in all data
 * sources (docs/rules.md: Digests). It is the SHA-256 of everything except long lists of
 * relationships, plus the SHA-256 of each relationship in these lists, modulo 2^256.
 */
export const rowHash = ({ kind, key, properties, relationships, tags }: Row): string => {
  const long: string[] = [];
  const others: string[] = [];
  for (const each of relationships) {
    if (each.kind.isLong) long.push(linkHash(key, each));
    else others.push(saying(each));
  }
  const rest = hash(
    'sha256',
    // Code joins the text piece by piece, which takes three quarters of the time that JSON would.
    // Every row of every push is hashed.
    `${kind.label}${sized(key)}${described(properties)}\n>${listed(others)}\n#${listed([...tags])}`,
    'hex',
  );
  return long.length === 0 ? rest : Digest.of(rest).with(long).hex;
};

/**
 * The hash of a row after a change, computed from its hash before. It assumes that relationships of
 * long lists do not change if neither `before` nor `after` holds them.
 */
export const hashAfter = (hashBefore: string, before: Row, after: Row): string =>
  Digest.of(hashBefore).with([rowHash(after)], [rowHash(before)]).hex;

/**
 * Replaces a row's hash if the service does not know what the row should contain. No row has this
 * hash, so the next full push rewrites the row. It adds nothing to a digest.
 */
export const UNKNOWN_HASH = '0'.repeat(64);

/**
 * The stored hash of a current row. If somebody changed the stored value by hand, it counts as
 * unknown.
 */
export const existingHash = (value: unknown): string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : UNKNOWN_HASH;
