import { createHash } from 'node:crypto';

// With a data source's id (36 bytes) and `|` before it, a key stays within 512 bytes.
const LONGEST = 475;
const KEPT = 410;

// A bare `#` is for the service alone: a shortened key has one in its last part, and no other key has.
const ESCAPED = /[%|#]/g;
const ESCAPES: Readonly<Record<string, string>> = { '%': '%25', '|': '%7C', '#': '%23' };

const escapePart = (part: string): string =>
  part.includes('%') || part.includes('|') || part.includes('#')
    ? part.replace(ESCAPED, (sign) => ESCAPES[sign] as string)
    : part;

/** What a part of a key said before it was escaped. */
export const unescapePart = (part: string): string =>
  part.replace(/%(25|7C|23)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The longest start of a text that fits in so many bytes of UTF-8 without cutting a character. */
const startWithin = (text: string, bytes: number): string => {
  const buffer = Buffer.from(text);
  let end = bytes;
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.toString('utf8', 0, end);
};

const shorten = (key: string): string =>
  key.length * 3 <= LONGEST || Buffer.byteLength(key) <= LONGEST
    ? key
    : `${startWithin(key, KEPT)}#${createHash('sha256').update(key).digest('hex')}`;

const joined = (parts: readonly string[]): string => parts.map(escapePart).join('|');

/** What a key says of a resource with an id: its application and its type, behind a mark that no text can spell. */
const typed = (label: string, application: string, type: string): string =>
  `${joined([label, application])}|#${escapePart(type)}`;

/** One string out of id parts. Two different tuples never give one key; a long key ends in its SHA-256 (docs/rules.md: Keys). */
export const keyOf = (...parts: readonly string[]): string => shorten(joined(parts));

/** The key of something below another thing: the owner's key, then more parts. */
export const keyBelow = (owner: string, ...parts: readonly string[]): string =>
  shorten(`${owner}|${joined(parts)}`);

/** The key of something that is told apart by its type and id, wherever it stands in its application. */
export const keyOfTyped = (label: string, application: string, type: string, id: string): string =>
  shorten(`${typed(label, application, type)}|${escapePart(id)}`);

/** How keys that begin with these parts and have more begin, as far as long ones keep it. */
export const keyStart = (...parts: readonly string[]): string =>
  startWithin(`${joined(parts)}|`, KEPT);

/** How keys of `keyOfTyped` begin, as far as long ones keep it. */
export const typedKeyStart = (label: string, application: string, type: string): string =>
  startWithin(`${typed(label, application, type)}|`, KEPT);
