import { isUtf8 } from 'node:buffer';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Editors of Windows write it in front of a text; it is no part of the first line. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const FIRST_OF_TWO = 0x80;
const FIRST_OF_THREE = 0xe0;
const FIRST_OF_FOUR = 0xf0;

/** Blocks of this size are checked at once. Of the first one that is wrong, each character is. */
const BLOCK = 1024;

/** How files begin that people take for texts in UTF-8. */
const BEGINNINGS: readonly (readonly [bytes: readonly number[], advice: string])[] = [
  [[0xff, 0xfe], 'it is UTF-16: save it as UTF-8'],
  [[0xfe, 0xff], 'it is UTF-16: save it as UTF-8'],
  [[0x1f, 0x8b], 'it is a gzip: uncompress it'],
  [[0x50, 0x4b, 0x03, 0x04], 'it is a zip file or a spreadsheet: save it as CSV or JSON'],
];

const lengthAt = (byte: number): number =>
  byte < FIRST_OF_TWO ? 1 : byte < FIRST_OF_THREE ? 2 : byte < FIRST_OF_FOUR ? 3 : 4;

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x80 && byte < 0xc0;

/** The first place before a limit at which a character begins. */
const boundary = (bytes: Uint8Array, limit: number): number => {
  let at = limit;
  while (at > limit - 4 && isContinuation(bytes[at])) at -= 1;
  return at;
};

/** Where bytes stop being UTF-8. */
const illFormedAt = (bytes: Uint8Array): number => {
  let start = 0;
  for (;;) {
    const end = start + BLOCK < bytes.length ? boundary(bytes, start + BLOCK) : bytes.length;
    if (!isUtf8(bytes.subarray(start, end)) || end === bytes.length) break;
    start = end;
  }
  while (start < bytes.length) {
    const end = start + lengthAt(bytes[start] ?? 0);
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  return start;
};

/**
 * Says what bytes that are not UTF-8 look like, or else the line and column at which they stop being
 * so, and what to do about it; both count from 1.
 */
export const utf8Fault = (bytes: Uint8Array, whatToDo = ''): string => {
  const known = BEGINNINGS.find(([first]) => first.every((byte, at) => bytes[at] === byte));
  if (known !== undefined) return known[1];
  const place = illFormedAt(bytes);
  const hasMark = BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length));
  let [line, column] = [1, 1];
  for (let at = hasMark ? BYTE_ORDER_MARK.length : 0; at < place; at += 1) {
    const byte = bytes[at] ?? 0;
    const isBreak = byte === LINE_FEED || (byte === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED);
    if (isBreak) [line, column] = [line + 1, 1];
    else if (!isContinuation(byte)) column += byte >= FIRST_OF_FOUR ? 2 : 1;
  }
  return `line ${line}, column ${column}${whatToDo}`;
};
