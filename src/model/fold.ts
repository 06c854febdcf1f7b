const MOST_ASCII = 0x7f;

/** Whether a text consists of ASCII alone. A loop is quicker here than a regular expression. */
export const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > MOST_ASCII) return false;
  return true;
};

/** The text in NFC. Ids and names are compared in this form (docs/rules.md: Folding). */
export const nfc = (text: string): string =>
  // ASCII text is its own NFC, and most texts are ASCII, so `normalize` is rarely called.
  isAscii(text) ? text : text.normalize('NFC');

/**
 * Removes differences of case: NFC, lower case, `ς` to `σ`, then NFC again (docs/rules.md:
 * Folding). Lower case turns a capital sigma into either of the two small ones, depending on the
 * letters around it. The second NFC is needed because `H` with U+0331 has no composed form and `h`
 * with it has one. So folding a folded text changes nothing. No Cypher statement folds data,
 * because Neo4j lower-cases in another way.
 */
export const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/** Compares two texts by UTF-16 code units, which gives the same order on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
