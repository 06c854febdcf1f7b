import { createHash } from 'node:crypto';

import { nfc } from './fold';
import type { NodeKind } from './table';

// A complete key is a data source's id (36 bytes), `|` and a local key. With this limit it has at
// most 512 bytes.
const LONGEST = 475;
const START_BYTES = 410;

// No escaped part contains a bare `#`. So only the service puts one into a key: before the type of
// a resource that has an id, and before the SHA-256 of a shortened key.
const ESCAPED = /[%|#]/g;
const ESCAPES: Readonly<Record<string, string>> = { '%': '%25', '|': '%7C', '#': '%23' };

/** Escapes one part of a key (docs/rules.md: Keys). */
export const escapePart = (part: string): string =>
  part.includes('%') || part.includes('|') || part.includes('#')
    ? part.replace(ESCAPED, (sign) => ESCAPES[sign] as string)
    : part;

/** Reverses the escaping of one part of a key. */
export const unescapePart = (part: string): string =>
  part.replace(/%(25|7C|23)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The longest start of a text that has at most `START_BYTES` bytes in UTF-8. It cuts no character in two. */
const startOf = (text: string): string => {
  const buffer = Buffer.from(text);
  let end = START_BYTES;
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.toString('utf8', 0, end);
};

const shorten = (key: string): string =>
  key.length * 3 <= LONGEST || Buffer.byteLength(key) <= LONGEST
    ? key
    : `${startOf(key)}#${createHash('sha256').update(key).digest('hex')}`;

const joined = (parts: readonly string[]): string => parts.map(escapePart).join('|');

/**
 * The start of the local key of a resource with an id: label, application, and its type after a
 * bare `#`.
 */
const typed = (label: string, application: string, type: string): string =>
  `${joined([label, application])}|#${escapePart(type)}`;

/**
 * Joins id parts to one local key. Different parts always give different keys. A long key ends in
 * its SHA-256 (docs/rules.md: Keys).
 */
export const keyOf = (...parts: readonly string[]): string => shorten(joined(parts));

/** The local key of something below another: its parent's local key, then more parts. */
export const keyBelow = (owner: string, ...parts: readonly string[]): string =>
  shorten(`${owner}|${joined(parts)}`);

/** The local key of a resource with an id. Type and id identify it anywhere in its application. */
export const keyOfTyped = (label: string, application: string, type: string, id: string): string =>
  shorten(`${typed(label, application, type)}|${escapePart(id)}`);

/**
 * The common start of all local keys that begin with these parts and have more. It ends where long
 * keys are shortened.
 */
export const keyStart = (...parts: readonly string[]): string => startOf(`${joined(parts)}|`);

/** The common start of the keys that `keyOfTyped` gives. It ends where long keys are shortened. */
export const typedKeyStart = (label: string, application: string, type: string): string =>
  startOf(`${typed(label, application, type)}|`);

/**
 * The id of an entity, in NFC: the first id field of its kind that is set (docs/rules.md: Keys).
 * `""` counts as unset.
 */
export const idOf = ({ ids }: Pick<NodeKind, 'ids'>, entity: object): string => {
  for (const field of ids) {
    const value = (entity as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return nfc(value);
  }
  return '';
};
