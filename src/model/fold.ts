// Plain ASCII is its own NFC: most texts never reach `normalize`.
// eslint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** The text in NFC, in which ids and names are told apart (graph.md 4). */
export const nfc = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFC'));

/** The text without regard to case: NFC, then lower case (graph.md 4, *fold*). */
export const fold = (text: string): string => nfc(text).toLowerCase();

/** Compares by UTF-16 code units, the same on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
