import { fold } from './fold';
import { escapePart } from './key';

/** What stands in a record in place of a name that was erased. */
export const ERASED = '(erased)';

/** Shorter names, and names of letters or of digits alone, may be ordinary words. */
const SHORTEST = 4;
const ORDINARY = /^(\p{L}+|\p{N}+)$/u;

const isOrdinary = (name: string): boolean => name.length < SHORTEST || ORDINARY.test(name);

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** How a text is spelled within JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How keys and JSON spell a name. */
const spellingsOf = (name: string): readonly string[] => [
  ...new Set([name, escapePart(name), inJson(name), inJson(inJson(name))]),
];

// A dot ends a sentence, unless more of a name follows it.
const patternOf = (name: string): string => {
  const spelled = spellingsOf(name).map(literal).join('|');
  return isOrdinary(name)
    ? `(?<=["'])(?:${spelled})(?=\\\\*["'])`
    : `(?<![\\p{L}\\p{N}_.@+-])(?:${spelled})(?![\\p{L}\\p{N}_@+-]|\\.[\\p{L}\\p{N}])`;
};

const patternOfAll = (names: readonly string[]): RegExp =>
  new RegExp(names.length === 0 ? '(?!)' : names.map(patternOf).join('|'), 'giu');

const holds = (pattern: RegExp, text: string): boolean => {
  pattern.lastIndex = 0;
  return pattern.test(fold(text));
};

/**
 * The names, emails and ids of a person, and where texts hold them (docs/rules.md: Erasing a
 * person). Folded texts are compared.
 */
export class PersonNames {
  /** Folded. */
  readonly all: readonly string[];
  private readonly set: ReadonlySet<string>;
  /** Where texts hold a name that is no ordinary word. */
  private readonly unmistakable: RegExp;
  /** Where texts hold any of the names. */
  private readonly pattern: RegExp;

  constructor(names: Iterable<string>) {
    this.set = new Set([...names].map(fold).filter((name) => name.trim() !== ''));
    this.all = [...this.set].sort();
    // Longer names first: "ann@corp" goes whole before "ann" does.
    const longestFirst = [...this.set].sort((a, b) => b.length - a.length);
    this.pattern = patternOfAll(longestFirst);
    this.unmistakable = patternOfAll(longestFirst.filter((name) => !isOrdinary(name)));
  }

  /** What a text must contain to hold one of the names, folded. */
  get spellings(): readonly string[] {
    return [...new Set(this.all.flatMap(spellingsOf))];
  }

  /** Whether a text is one of the names. */
  isOne(text: string): boolean {
    return this.set.has(fold(text));
  }

  /** Whether a text is one of the names, or holds one as a word of its own. */
  isIn(text: string): boolean {
    return this.isOne(text) || holds(this.pattern, text);
  }

  /** Whether a text is one of the names or holds one, and that name is no ordinary word. */
  isUnmistakablyIn(text: string): boolean {
    return this.isUnmistakable(text) || holds(this.unmistakable, text);
  }

  /** Whether one of the steps of a path is, or holds, a name that is no ordinary word. */
  isInPath(path: string): boolean {
    const steps = `.${fold(path)}.`;
    return (
      this.all.some((name) => !isOrdinary(name) && steps.includes(`.${name}.`)) ||
      this.isUnmistakablyIn(path)
    );
  }

  /** The text without the names. */
  without(text: string): string {
    if (this.isOne(text)) return ERASED;
    if (!holds(this.pattern, text)) return text;
    const replaced = text.normalize('NFC').replace(this.pattern, ERASED);
    // Where upper and lower case differ in length, the pattern may miss a name.
    return holds(this.pattern, replaced) ? ERASED : replaced;
  }

  private isUnmistakable(text: string): boolean {
    const folded = fold(text);
    return this.set.has(folded) && !isOrdinary(folded);
  }
}
