import unhomoglyph from 'unhomoglyph';

import { fold } from '../../model/fold';

/**
 * Invisible characters: characters of no width, direction marks, soft hyphens, variant selectors.
 */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
const BEYOND_ASCII = /\P{ASCII}/gu;

/**
 * The text as it is compared: without compatible forms of letters, invisible characters and case.
 */
const seen = (text: string): string => fold(text.normalize('NFKC').replace(UNSEEN, ''));

/**
 * A form that texts have in common if they look alike (docs/rules.md: Look-alikes). Texts of ASCII
 * alone may have the same form too: `1` looks like `l`.
 */
export const lookOf = (text: string): string => fold(unhomoglyph(seen(text)));

/**
 * The text folded, with each letter beyond ASCII replaced by the letter that it looks like. ASCII
 * letters do not change, so it can be used to find an existing folded name.
 */
export const inPlainLetters = (text: string): string =>
  fold(seen(text).replace(BEYOND_ASCII, (letter) => unhomoglyph(letter)));
