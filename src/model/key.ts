import { createHash } from 'node:crypto';

// With a data source's id (36 bytes) and `|` before it, a key stays within 512 bytes.
const LONGEST = 475;
const KEPT = 410;

const escapePart = (part: string): string =>
  part.includes('%') || part.includes('|') ? part.replace(/%/g, '%25').replace(/\|/g, '%7C') : part;

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

/**
 * One string out of id parts, such that two different tuples never give one key; a long one ends in its SHA-256 (graph.md 4).
 */
export const keyOf = (...parts: readonly string[]): string =>
  shorten(parts.map(escapePart).join('|'));

/** The key of something below another thing: the owner's key, then more parts (graph.md 4: a resource without an id). */
export const keyBelow = (owner: string, ...parts: readonly string[]): string =>
  shorten([owner, ...parts.map(escapePart)].join('|'));

/** How keys that begin with these parts and have more begin, as far as long ones keep it. */
export const keyStart = (...parts: readonly string[]): string =>
  startWithin(`${parts.map(escapePart).join('|')}|`, KEPT);
