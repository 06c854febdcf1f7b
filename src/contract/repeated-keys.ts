import { FirstProblems } from '../codec/first-problems';
import { quote } from '../codec/quote';
import { pointerOf, type Step } from '../codec/pointer';
import type { ProblemList } from '../problem';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The index of the closing quote of a JSON string that begins at `start`. */
export const endOfString = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
};

/** How many members all objects of a JSON text have. */
const writtenMembers = (json: string): number => {
  let members = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = endOfString(json, at);
    else if (character === COLON) members += 1;
  }
  return members;
};

/** How many members all objects within a value have. */
const readMembers = (value: unknown): number => {
  let members = 0;
  const waiting: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!Array.isArray(next)) members += Object.keys(next).length;
    for (const each of Object.values(next) as unknown[]) {
      if (typeof each === 'object' && each !== null) waiting.push(each);
    }
  }
  return members;
};

/** An object or list that is open, and where in it the text is. */
interface Open {
  readonly keys: Set<string> | null;
  step: Step;
  isAtKey: boolean;
}

const findRepeated = (json: string): ProblemList => {
  const found = new FirstProblems();
  const open: Open[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const inside = open.at(-1);
    switch (json.charAt(at)) {
      case '"': {
        const end = endOfString(json, at);
        if (inside?.keys != null && inside.isAtKey) {
          const key = JSON.parse(json.slice(at, end + 1)) as string;
          inside.step = key;
          if (inside.keys.has(key)) {
            found.add(() => ({
              pointer: pointerOf(...open.map(({ step }) => step)),
              code: 'REPEATED_FIELD',
              message: `${quote(key)} occurs twice in this object`,
            }));
          }
          inside.keys.add(key);
          inside.isAtKey = false;
        }
        at = end;
        break;
      }
      case '{':
        open.push({ keys: new Set(), step: '', isAtKey: true });
        break;
      case '[':
        open.push({ keys: null, step: 0, isAtKey: false });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (inside === undefined) break;
        if (inside.keys === null) inside.step = Number(inside.step) + 1;
        else inside.isAtKey = true;
        break;
      default:
        break;
    }
  }
  return found.list;
};

/**
 * The keys that an object of a JSON text has twice in the same spelling; `null` if there are none.
 * `value` is the result of parsing the text. The parser drops all but the last, so the function
 * counts the members first.
 */
export const repeatedKeys = (json: string, value: unknown): ProblemList | null =>
  writtenMembers(json) === readMembers(value) ? null : findRepeated(json);
