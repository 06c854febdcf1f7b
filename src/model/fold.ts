const MOST_ASCII = 0x7f;

/** The text in NFC, in which ids and names are told apart (docs/rules.md: Keys). */
export const nfc = (text: string): string => {
  // Plain ASCII is its own NFC: most texts never reach `normalize`. A loop is quicker here than a pattern.
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > MOST_ASCII) return text.normalize('NFC');
  }
  return text;
};

/**
 * The text without regard to case: NFC, then lower case, then NFC again (docs/rules.md: Folding). The second NFC is needed: an H
 * with a line below has no composed form, but an h with one has. With it, to fold a folded text changes nothing.
 */
export const fold = (text: string): string => nfc(nfc(text).toLowerCase());

/** Compares by UTF-16 code units, the same on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
