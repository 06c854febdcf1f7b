import unhomoglyph from 'unhomoglyph';

import { fold } from '../../model/fold';

/** Signs that nobody sees: of no width, marks of direction, soft hyphens, selectors of variants. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
const BEYOND_ASCII = /\P{ASCII}/gu;

/** The text as it is compared: without compatible forms of letters, unseen signs and case. */
const seen = (text: string): string => fold(text.normalize('NFKC').replace(UNSEEN, ''));

/**
 * What texts have in common that look alike (docs/rules.md: Look-alikes). Texts of ASCII alone may
 * have it in common too: `1` has the look of `l`.
 */
export const lookOf = (text: string): string => fold(unhomoglyph(seen(text)));

/**
 * The text folded, with each letter beyond ASCII replaced by the one that it looks like. Letters of
 * ASCII stay, so a folded name that stands can be found by it.
 */
export const inPlainLetters = (text: string): string =>
  fold(seen(text).replace(BEYOND_ASCII, (letter) => unhomoglyph(letter)));
