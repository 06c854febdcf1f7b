import { createScanner } from 'jsonc-parser';

// The numbers of the scanner's tokens. The library exports them only as a constant enumeration,
// which does not exist at run time.
const OPEN_BRACE = 1;
const CLOSE_BRACE = 2;
const OPEN_BRACKET = 3;
const CLOSE_BRACKET = 4;
const COMMA = 5;
const COLON = 6;
const TEXT = 10;
const NUMBER = 11;
const COMMENTS = [12, 13];
const SPACES = [14, 15];
const UNKNOWN = 16;
const END = 17;
const UNFINISHED_TEXT = 2;

/**
 * The scanner reads this many characters. It needs some 35 bytes for each space in a run of spaces,
 * so it would work for minutes on a payload of spaces alone.
 */
const MOST_CHARACTERS = 4_000_000;

const LATER = `: the fault is after its first ${MOST_CHARACTERS} characters`;

/** Deeper nesting is not followed, which bounds the memory. */
const MOST_LEVELS = 100_000;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

const IN_WORDS: { readonly [E in Expected]: string } = {
  value: 'a value is expected',
  'value or ]': 'a value is expected',
  name: 'a name in double quotes is expected',
  'name or }': 'a name in double quotes is expected',
  ':': 'a ":" is expected',
  ', or end': 'a "," or the end of the list or object is expected',
  nothing: 'nothing more is expected',
};

const WORDS = /-?NaN|-?Infinity|undefined|None|True|False|'/y;

const INSTEAD: Readonly<Record<string, string>> = {
  True: 'write true',
  False: 'write false',
  "'": 'write double quotes, not single ones',
};

/**
 * What to write in place of a word of another language. The message repeats only such words, and no
 * other text of a payload.
 */
const advice = (text: string, at: number): string | null => {
  WORDS.lastIndex = at;
  const word = WORDS.exec(text)?.[0];
  if (word === undefined) return null;
  const instead = INSTEAD[word] ?? 'write null, or leave the field out';
  return word === "'" ? instead : `${word} is not JSON: ${instead}`;
};

/**
 * The place where a text stops being JSON, what is wrong there and what to write. `''` if no such
 * place is found. It reads only the first characters of a long text.
 */
export const jsonFault = (sent: string): string => {
  const text = sent.slice(0, MOST_CHARACTERS);
  const isCut = sent.length > MOST_CHARACTERS;
  const scanner = createScanner(text, false);
  const objects: boolean[] = [];
  let expected: Expected = 'value';
  let isAfterComma = false;
  const place = (what: string): string =>
    `: line ${scanner.getTokenStartLine() + 1}, column ${scanner.getTokenStartCharacter() + 1}: ${what}`;
  const afterValue = (): Expected => (objects.length === 0 ? 'nothing' : ', or end');
  for (;;) {
    const token: number = scanner.scan();
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    if (isCut && end >= text.length) return LATER;
    if (SPACES.includes(token)) continue;
    const error: number = scanner.getTokenError();
    if (token === END) return expected === 'nothing' ? '' : ': it ends too early';
    if (COMMENTS.includes(token)) return place('JSON has no comments');
    if (error === UNFINISHED_TEXT) {
      return end >= text.length
        ? ': it ends too early'
        : place('this text does not end on its line');
    }
    if (error !== 0) return place('this text or number is not written as JSON writes it');
    const isObject = objects.at(-1) ?? false;
    const isName = expected === 'name' || expected === 'name or }';
    const isValue = expected === 'value' || expected === 'value or ]';
    const isClosing = token === CLOSE_BRACE || token === CLOSE_BRACKET;
    if (isClosing && isAfterComma && isObject === (token === CLOSE_BRACE)) {
      return place('a comma is before it: remove the comma');
    }
    isAfterComma = false;
    if (isValue && (token === OPEN_BRACE || token === OPEN_BRACKET)) {
      if (objects.length >= MOST_LEVELS) return '';
      objects.push(token === OPEN_BRACE);
      expected = token === OPEN_BRACE ? 'name or }' : 'value or ]';
    } else if (isValue && token >= 7 && token <= NUMBER) {
      expected = afterValue();
    } else if (isName && token === TEXT) {
      expected = ':';
    } else if (expected === ':' && token === COLON) {
      expected = 'value';
    } else if (expected === ', or end' && token === COMMA) {
      expected = isObject ? 'name' : 'value';
      isAfterComma = true;
    } else if (
      (token === CLOSE_BRACE &&
        isObject &&
        (expected === 'name or }' || expected === ', or end')) ||
      (token === CLOSE_BRACKET &&
        !isObject &&
        (expected === 'value or ]' || expected === ', or end'))
    ) {
      objects.pop();
      expected = afterValue();
    } else {
      const advised = token === UNKNOWN ? advice(text, scanner.getTokenOffset()) : null;
      return place(advised ?? IN_WORDS[expected]);
    }
  }
};
