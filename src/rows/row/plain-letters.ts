import unhomoglyph from 'unhomoglyph';

import { fold, isAscii } from '../../model/fold';

/** Signs that nobody sees: of no width, marks of direction, soft hyphens, selectors of variants. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
const BEYOND_ASCII = /\P{ASCII}/gu;
const MOST_ASCII = '\u007f';

/** The text as it is compared: without compatible forms of letters, unseen signs and case. */
const seen = (text: string): string => fold(text.normalize('NFKC').replace(UNSEEN, ''));

const ASCII = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));

/** The few letters of ASCII that look like others, such as `1` and `m`, with what stands for them. */
const ASCII_LOOKS: ReadonlyMap<string, string> = new Map(
  ASCII.map((letter) => [letter, fold(unhomoglyph(fold(letter)))] as const).filter(
    ([letter, look]) => look !== letter.toLowerCase(),
  ),
);

/** The most letters whose looks are remembered: more than any company's names have. */
const REMEMBERED = 20_000;

const known = new Map<string, string>();

/** What stands for a letter beyond ASCII. The library takes long for each text, and letters come again. */
const letterLook = (letter: string): string => {
  const found = known.get(letter);
  if (found !== undefined) return found;
  const look = unhomoglyph(letter);
  if (known.size < REMEMBERED) known.set(letter, look);
  return look;
};

/**
 * What texts have in common that look alike (docs/rules.md: Look-alikes). Texts of ASCII alone may
 * have it in common too: `1` has the look of `l`.
 */
export const lookOf = (text: string): string => {
  const isPlain = isAscii(text);
  let look = '';
  for (const letter of isPlain ? text.toLowerCase() : seen(text)) {
    look += letter <= MOST_ASCII ? (ASCII_LOOKS.get(letter) ?? letter) : letterLook(letter);
  }
  return isPlain ? look : fold(look);
};

/**
 * The text folded, with each letter beyond ASCII replaced by the one that it looks like. Letters of
 * ASCII stay, so a folded name that stands can be found by it.
 */
export const inPlainLetters = (text: string): string =>
  fold(seen(text).replace(BEYOND_ASCII, letterLook));
