import { lineAndColumn } from './place';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Deeper nesting is not followed, which bounds the memory. */
const MOST_LEVELS = 100_000;

/** A place in a text, and what is wrong there. */
export interface Fault {
  readonly at: number;
  readonly what: string;
}

/** A value, name or mark that was read, or a fault in it. */
type Token = { readonly end: number } | Fault;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

const UTF_16 = 'a zero byte is here: the text looks like UTF-16, and must be UTF-8';
const NULL_INSTEAD = 'is not JSON: write null, or leave the field out';
const COMMENT = 'JSON has no comments';
const CURLY = 'write straight double quotes, not curly ones';
const BLANK = 'JSON does not allow this blank: write a usual one';

/** What to write in place of what other languages and programs write. */
const INSTEAD: Readonly<Record<string, string>> = {
  NaN: `NaN ${NULL_INSTEAD}`,
  '-NaN': `-NaN ${NULL_INSTEAD}`,
  Infinity: `Infinity ${NULL_INSTEAD}`,
  '-Infinity': `-Infinity ${NULL_INSTEAD}`,
  undefined: `undefined ${NULL_INSTEAD}`,
  None: `None ${NULL_INSTEAD}`,
  True: 'True is not JSON: write true',
  False: 'False is not JSON: write false',
  "'": 'write double quotes, not single ones',
  '“': CURLY,
  '”': CURLY,
  '„': CURLY,
  '//': COMMENT,
  '/*': COMMENT,
  '#': COMMENT,
  '\0': UTF_16,
  '\u00a0': BLANK,
  '\u202f': BLANK,
  '\ufeff': 'a byte order mark may only be at the start',
};

const isSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;

const afterSpaces = (json: string, from: number): number => {
  let at = from;
  while (isSpace(json.charCodeAt(at))) at += 1;
  return at;
};

/** Says which part of the text has no end. */
const endsEarly = (json: string, what: string, start: number): Fault => ({
  at: json.length,
  what: `it ends too early: the ${what} that begins on line ${lineAndColumn(json, start).line} has no end`,
});

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LONGEST_ESCAPE = 6;

/** Reads a text in double quotes. */
const readText = (json: string, start: number): Token => {
  let at = start + 1;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return { end: at + 1 };
    if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      return { at: start, what: 'this text does not end on its line' };
    }
    if (code === 0) return { at, what: UTF_16 };
    if (code === TAB) return { at, what: 'within a text a tab is written as \\t' };
    if (code < SPACE) return { at, what: 'within a text a control character is written as \\u…' };
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at;
      const escape = ESCAPE.exec(json)?.[0];
      if (escape === undefined) {
        if (at + LONGEST_ESCAPE > json.length && !json.slice(at).includes('"')) break;
        return { at, what: 'JSON has no such escape: write \\\\ for a backslash' };
      }
      at += escape.length;
    } else at += 1;
  }
  return endsEarly(json, 'text', start);
};

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const MORE_OF_WORD = /[\w.+-]/;
const FOREIGN = new RegExp(
  Object.keys(INSTEAD)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[*]/g, '\\$&'))
    .join('|'),
  'y',
);

/** Where a pattern that begins at a place ends; null: it does not fit. */
const endOf = (pattern: RegExp, json: string, at: number): number | null => {
  pattern.lastIndex = at;
  return pattern.test(json) ? pattern.lastIndex : null;
};

/** What is wrong where something else is expected. It repeats no text but the words of `INSTEAD`. */
const unexpected = (json: string, at: number, expected: string): Fault => {
  const end = endOf(FOREIGN, json, at);
  return { at, what: (end === null ? undefined : INSTEAD[json.slice(at, end)]) ?? expected };
};

/** Reads a text, a number, or one of the words of JSON. */
const readScalar = (json: string, at: number): Token => {
  if (json.charCodeAt(at) === QUOTE) return readText(json, at);
  const number = endOf(NUMBER, json, at);
  const end = number ?? endOf(WORD, json, at);
  if (end !== null && !MORE_OF_WORD.test(json.charAt(end))) return { end };
  const what =
    number === null ? 'a value is expected' : 'this number is not written as JSON writes it';
  return unexpected(json, at, what);
};

/**
 * Where a text stops being JSON; null: it is JSON. It reads all of the text once, and notes only where
 * the open objects and lists begin. The scanner of `jsonc-parser` needs some 35 bytes for each space in a
 * run of spaces, so a payload of spaces would hold a thread for minutes.
 */
export const faultOf = (json: string): Fault | null => {
  const open: number[] = [];
  let expected: Expected = 'value';
  let isAfterComma = false;
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : ', or end');
  for (;;) {
    at = afterSpaces(json, at);
    const start = open.at(-1);
    const isObject = start !== undefined && json.charAt(start) === '{';
    const inside = isObject ? 'object' : 'list';
    const close = isObject ? '}' : ']';
    if (at >= json.length) {
      if (expected === 'nothing') return null;
      return start === undefined ? { at, what: 'it is empty' } : endsEarly(json, inside, start);
    }
    const character = json.charAt(at);
    const isName = expected === 'name' || expected === 'name or }';
    if (character === close && start !== undefined && expected !== ':') {
      if (isAfterComma) return { at, what: 'a comma is before it: remove the comma' };
      if (expected === 'value') return { at, what: 'a value is expected' };
      open.pop();
      expected = afterValue();
      at += 1;
      continue;
    }
    isAfterComma = false;
    if (expected === 'value' || expected === 'value or ]') {
      if (character === '{' || character === '[') {
        if (open.length >= MOST_LEVELS) {
          return { at, what: `what is here is nested deeper than ${MOST_LEVELS} levels` };
        }
        open.push(at);
        expected = character === '{' ? 'name or }' : 'value or ]';
        at += 1;
      } else {
        const value = readScalar(json, at);
        if ('what' in value) return value;
        expected = afterValue();
        at = value.end;
      }
    } else if (isName && character === '"') {
      const name = readText(json, at);
      if ('what' in name) return name;
      expected = ':';
      at = name.end;
    } else if (expected === ':' && character === ':') {
      expected = 'value';
      at += 1;
    } else if (expected === ', or end' && character === ',') {
      expected = isObject ? 'name' : 'value';
      isAfterComma = true;
      at += 1;
    } else if (isName) {
      return unexpected(json, at, 'a name in double quotes is expected');
    } else if (expected === ':') {
      return unexpected(json, at, 'a ":" is expected');
    } else if (start === undefined) {
      return unexpected(json, at, 'nothing more is expected');
    } else {
      const { line } = lineAndColumn(json, start);
      const end = `the "${close}" of the ${inside} that begins on line ${line}`;
      return unexpected(json, at, `a "," or ${end} is expected`);
    }
  }
};
