/** How many characters on each side of a place are shown. */
const AROUND = 40;

/** Marks a place in the text around it. */
const HERE = '‹here›';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The line and column of a place in a text; both count from 1. */
export const lineAndColumn = (
  text: string,
  place: number,
): { readonly line: number; readonly column: number } => {
  let [line, start] = [1, 0];
  for (let at = 0; at < place; at += 1) {
    const code = text.charCodeAt(at);
    const isBreak =
      code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
    if (!isBreak) continue;
    line += 1;
    start = at + 1;
  }
  return { line, column: place - start + 1 };
};

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ');

/** Some characters before and after a place of a text, as one line. */
export const textAround = (text: string, place: number): string => {
  const [from, to] = [Math.max(0, place - AROUND), Math.min(text.length, place + AROUND)];
  // No character is cut in two.
  const before = oneLine(text.slice(from, place).replace(/^[\udc00-\udfff]/u, ''));
  const after = oneLine(text.slice(place, to).replace(/[\ud800-\udbff]$/u, ''));
  return `${from > 0 ? '…' : ''}${before}${HERE}${after}${to < text.length ? '…' : ''}`;
};
