const MOST_ASCII = 0x7f;

/** The text in NFC. Ids and names are compared in this form (docs/rules.md: Folding). */
export const nfc = (text: string): string => {
  // ASCII text is its own NFC, and most texts are ASCII, so `normalize` is rarely called. A loop is
  // quicker here than a regular expression.
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > MOST_ASCII) return text.normalize('NFC');
  }
  return text;
};

/**
 * Removes differences of case: NFC, then lower case, then NFC again (docs/rules.md: Folding). The
 * second NFC is needed because `H` with U+0331 has no composed form and `h` with it has one. So
 * folding a folded text changes nothing.
 */
export const fold = (text: string): string => nfc(nfc(text).toLowerCase());

/** Compares two texts by UTF-16 code units, which gives the same order on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
