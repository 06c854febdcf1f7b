import { hash } from 'node:crypto';

import { sized, sorted } from '../../model/digest';
import { Instant } from '../../model/instant';
import { NO_PROPERTIES, type PropertyValues, type Row, type Stated, type Value } from './row';

/** Raised whenever rows are made or hashed in another way; the next push then rewrites what differs (docs/rules.md: Full pushes). */
export const RULES_VERSION = 3;

// Rows of a push have few sets of properties: each is sorted once.
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

/** Properties by name, so that no order in which they were set shows; no name holds a line break. */
const described = (properties: PropertyValues): string => {
  let text = '';
  for (const name of sortedNames(properties)) text += `\n${name}${spelled(properties[name])}`;
  return text;
};

/** What a stated relationship says: mostly nothing but that it stands. */
const saying = ({ identity, properties }: Stated): string => {
  const more = properties === NO_PROPERTIES ? '' : described(properties);
  return more === '' ? identity : sized(identity) + more;
};

const listed = (texts: string[]): string => {
  let text = '';
  for (const each of sorted(texts)) text += sized(each);
  return text;
};

/** SHA-256 in hexadecimal of what a row says: the same for equal rows of any data source (docs/rules.md: Promises). */
export const rowHash = ({ kind, key, properties, relationships, tags }: Row): string =>
  // Put together by hand, which takes three quarters of the time of JSON: each row of each push is hashed.
  hash(
    'sha256',
    `${kind.label}${sized(key)}${described(properties)}\n>${listed(relationships.map(saying))}\n#${listed([...tags])}`,
    'hex',
  );

/** In the place of a row's hash: nobody knows what the row should say, so that the next full push puts it right. It is no row's, and adds nothing to a digest. */
export const UNKNOWN_HASH = '0'.repeat(64);

/** What stands as a row's hash, whatever was made of it by hand. */
export const standingHash = (value: unknown): string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : UNKNOWN_HASH;
