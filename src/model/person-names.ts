import { fold } from './fold';
import { escapePart } from './key';

/** The text that replaces an erased name in a record. */
export const ERASED = '(erased)';

/** Shorter names, and names that consist of letters or of digits alone, may be ordinary words. */
const SHORTEST = 4;
/** Combining marks are part of the letters before them. */
const ORDINARY = /^([\p{L}\p{M}]+|\p{N}+)$/u;

/** Invisible characters. A name is the same with and without them. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const SPACES = /\s+/g;

/** The spelling in which names and texts are compared: folded, each run of spaces as one space. */
export const spelled = (text: string): string =>
  fold(text.replace(INVISIBLE, '')).replace(SPACES, ' ').replaceAll('ς', 'σ').trim();

/** Whether a spelled name may be an ordinary word. */
export const isOrdinary = (name: string): boolean => name.length < SHORTEST || ORDINARY.test(name);

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** How a text is spelled within JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How keys, JSON and addresses spell a name. */
const spellingsOf = (name: string): readonly string[] => [
  ...new Set([
    name,
    escapePart(name),
    inJson(name),
    inJson(inJson(name)),
    encodeURIComponent(name.toWellFormed()).toLowerCase(),
  ]),
];

const OF_WORD = '\\p{L}\\p{M}\\p{N}_';

// A dot ends a sentence, unless more of a name follows it.
const patternOf = (name: string): string => {
  const spelling = spellingsOf(name)
    .map((each) => literal(each).replaceAll(' ', '\\s{1,99}'))
    .join('|');
  return isOrdinary(name)
    ? `(?<=["'])(?:${spelling})(?=\\\\{0,9}["'])`
    : `(?<![${OF_WORD}.@+-])(?:${spelling})(?![${OF_WORD}@+-]|\\.[\\p{L}\\p{N}])`;
};

const patternOfAll = (names: readonly string[]): RegExp =>
  new RegExp(names.length === 0 ? '(?!)' : names.map(patternOf).join('|'), 'giu');

const ENCODED = /(?:%[0-9a-f]{2})+/gi;

const decoded = (text: string): string =>
  text.replace(ENCODED, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));

/** The ways to read a text: as it is, and without percent-encoding, which may be applied twice. */
const readingsOf = (text: string): readonly string[] => {
  const readings = [spelled(text)];
  for (let before = text; readings.length < 3 && before.includes('%');) {
    const next = decoded(before);
    if (next === before) break;
    readings.push(spelled(next));
    before = next;
  }
  return readings;
};

const holds = (pattern: RegExp, readings: readonly string[]): boolean =>
  readings.some((reading) => {
    pattern.lastIndex = 0;
    return pattern.test(reading);
  });

/**
 * The names, emails and ids of a person, and where texts hold them (docs/rules.md: Erasing a
 * person). Texts are compared as `spelled` spells them.
 */
export class PersonNames {
  /** All names, as `spelled` spells them. */
  readonly all: readonly string[];
  private readonly set: ReadonlySet<string>;
  /** Where texts hold a name that is no ordinary word. */
  private readonly unmistakable: RegExp;
  /** Where texts hold any of the names. */
  private readonly pattern: RegExp;

  constructor(names: Iterable<string>) {
    this.set = new Set([...names].map(spelled).filter((name) => name !== ''));
    this.all = [...this.set].sort();
    // Longer names first, so that "ann@corp" is removed before "ann".
    const longestFirst = [...this.set].sort((a, b) => b.length - a.length);
    this.pattern = patternOfAll(longestFirst);
    this.unmistakable = patternOfAll(longestFirst.filter((name) => !isOrdinary(name)));
  }

  /** Whether a text is one of the names. */
  isOne(text: string): boolean {
    return this.set.size > 0 && readingsOf(text).some((reading) => this.set.has(reading));
  }

  /** Whether a text is one of the names, or holds one as a word of its own. */
  isIn(text: string): boolean {
    if (this.set.size === 0) return false;
    const readings = readingsOf(text);
    return readings.some((reading) => this.set.has(reading)) || holds(this.pattern, readings);
  }

  /** Whether a text is one of the names or holds one, and that name is no ordinary word. */
  isUnmistakablyIn(text: string): boolean {
    return this.set.size > 0 && this.isUnmistakable(readingsOf(text));
  }

  /** Whether one of the steps of a path is, or holds, a name that is no ordinary word. */
  isInPath(path: string): boolean {
    if (this.set.size === 0) return false;
    const readings = readingsOf(path);
    return (
      this.isUnmistakable(readings) ||
      this.all.some(
        (name) =>
          !isOrdinary(name) && readings.some((reading) => `.${reading}.`.includes(`.${name}.`)),
      )
    );
  }

  /** The text without the names. */
  without(text: string): string {
    if (this.isOne(text)) return ERASED;
    if (!holds(this.pattern, readingsOf(text))) return text;
    const replaced = text.normalize('NFC').replace(this.pattern, ERASED);
    // Another spelling, such as percent-encoding, may hide a name from the pattern.
    return holds(this.pattern, readingsOf(replaced)) ? ERASED : replaced;
  }

  private isUnmistakable(readings: readonly string[]): boolean {
    return (
      readings.some((reading) => this.set.has(reading) && !isOrdinary(reading)) ||
      holds(this.unmistakable, readings)
    );
  }
}
