import { createHash } from 'node:crypto';

import { fold, nfc } from '../../model/fold';
import { keyBelow, keyOf, keyOfTyped } from '../../model/key';
import type { KeySpelling } from './standing-key';

/** The `rules_version` of rows before this migration, and after it. */
export const [FORMER_RULES, RULES] = [2, 3] as const;

const escaped = (part: string): string => part.replace(/%/g, '%25').replace(/\|/g, '%7C');

const shortened = (key: string): string => {
  const bytes = Buffer.from(key);
  if (bytes.length <= 475) return key;
  let end = 410;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}#${createHash('sha256').update(key).digest('hex')}`;
};

const formerKeyOf = (...parts: readonly string[]): string =>
  shortened(parts.map(escaped).join('|'));

/**
 * The spelling of keys in store version 1: `#` is not escaped, and folded text is not always in
 * NFC.
 */
export const FORMER: KeySpelling = {
  fold: (text) => nfc(text).toLowerCase(),
  keyOf: formerKeyOf,
  keyBelow: (owner, ...parts) => shortened([owner, ...parts.map(escaped)].join('|')),
  keyOfTyped: (label, application, type, id) => formerKeyOf(label, application, `#${type}`, id),
  said: (text) => text,
};

/** The spelling of keys in store version 2. Text that is folded already only needs NFC. */
export const CURRENT: KeySpelling = { fold, keyOf, keyBelow, keyOfTyped, said: nfc };
