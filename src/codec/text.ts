import { isInstant } from '../model/instant';
import { Codec, typeInWords, type Walk } from './codec';
import { timeInstead } from './epoch';
import { quote } from './quote';

/**
 * The rules of a text: its length, whether it may be empty, and its characters (docs/rules.md:
 * Limits).
 */
export interface TextRule {
  readonly most: number;
  readonly measure: 'bytes' | 'characters';
  readonly mayBeEmpty: boolean;
  /** The fewest characters of a text that is not empty. */
  readonly least?: number;
  /** Set if the text may have tabs and line breaks. No text may have other control characters. */
  readonly mayHaveLines?: true;
  readonly pattern?: RegExp;
  /** The characters that the pattern allows, in words. */
  readonly characters?: string;
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

const characters = (text: string): number => text.replace(SURROGATE_PAIR, ' ').length;

// A UTF-16 code unit needs at most three bytes, and a character at most two code units. So most
// texts need not be measured.
const fits = (text: string, { most, measure }: TextRule): boolean =>
  measure === 'bytes'
    ? text.length * 3 <= most || (text.length <= most && Buffer.byteLength(text) <= most)
    : text.length <= most || (text.length <= most * 2 && characters(text) <= most);

// Terminals obey these characters, nobody sees them, and many programs end a text at the first NUL.
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

const controlOf = ({ mayHaveLines }: Pick<TextRule, 'mayHaveLines'>): RegExp =>
  mayHaveLines === true ? CONTROL_BUT_LINES : CONTROL;

const codePoint = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The first control character that the rules forbid in a text, as `U+0000`; null if the text has
 * none.
 */
export const controlIn = (text: string, rule: Pick<TextRule, 'mayHaveLines'>): string | null => {
  const found = controlOf(rule).exec(text)?.[0];
  return found === undefined ? null : codePoint(found);
};

const isText = (value: unknown, rule: TextRule): boolean =>
  typeof value === 'string' &&
  (rule.mayBeEmpty || value !== '') &&
  value.length >= (rule.least ?? 0) &&
  fits(value, rule) &&
  value.isWellFormed() &&
  !controlOf(rule).test(value) &&
  (rule.pattern === undefined || rule.pattern.test(value));

/** Explains what is wrong with a text, or with a key that is data. */
export const explainText = (value: unknown, rule: TextRule, walk: Walk): void => {
  if (typeof value !== 'string') {
    walk.refuse('WRONG_TYPE', () => `expected a string, got ${typeInWords(value)}`);
    return;
  }
  if (!rule.mayBeEmpty && value === '') {
    walk.refuse('EMPTY', () => 'must not be empty');
    return;
  }
  if (!value.isWellFormed()) {
    walk.refuse('ILL_FORMED_TEXT', () => 'is not well-formed Unicode (a surrogate stands alone)');
  }
  if (rule.least !== undefined && value.length < rule.least) {
    walk.refuse('TOO_SHORT', () => `is shorter than ${rule.least} characters`);
  }
  if (!fits(value, rule)) {
    walk.refuse('TOO_LONG', () => `is longer than ${rule.most} ${rule.measure}`);
  }
  const control = controlIn(value, rule);
  if (control !== null) {
    walk.refuse('CONTROL_CHARACTER', () => `has the control character ${control}`);
  } else if (rule.pattern !== undefined && value.isWellFormed() && !rule.pattern.test(value)) {
    walk.refuse('BAD_NAME', () => `${quote(value)} may only have ${rule.characters ?? ''}`);
  }
};

/** A text that obeys these rules. */
export class Text extends Codec<string> {
  constructor(
    name: string,
    readonly rule: TextRule,
  ) {
    super(
      name,
      (value) => isText(value, rule),
      (value, walk) => explainText(value, rule, walk),
    );
  }
}

/** Any text of any length. */
export const anyText = new Codec<string>(
  'text',
  (value) => typeof value === 'string',
  (value, walk) => {
    if (typeof value !== 'string') {
      walk.refuse('WRONG_TYPE', () => `expected a string, got ${typeInWords(value)}`);
    }
  },
  { schema: { type: 'string' } },
);

/** A text of the specification: at most 256 bytes, possibly empty (docs/rules.md: Limits). */
export const text = new Text('text', { most: 256, measure: 'bytes', mayBeEmpty: true });

/**
 * A name, an id or a reference: a text field that must not be empty (docs/rules.md: References).
 */
export const requiredText = new Text('required text', { ...text.rule, mayBeEmpty: false });

/** Notes of the specification: at most 256 bytes, possibly on several lines. */
export const notes = new Text('notes', { ...text.rule, mayHaveLines: true });

/** A description. Its limit counts characters, and it may have lines (docs/rules.md: Limits). */
export const description = (most: number): Text =>
  new Text(`description of ${most} characters`, {
    most,
    measure: 'characters',
    mayBeEmpty: true,
    mayHaveLines: true,
  });

/** A filter, which people may write on several lines. */
export const filterText = (name: string, most: number): Text =>
  new Text(name, { most, measure: 'bytes', mayBeEmpty: false, mayHaveLines: true });

/** A name that matches a pattern. */
export const patternText = (
  name: string,
  rule: Pick<TextRule, 'mayBeEmpty'> & Required<Pick<TextRule, 'pattern' | 'characters'>>,
): Text => new Text(name, { most: 256, measure: 'bytes', ...rule });

/** Exactly one of some texts. `""` leaves an optional field unset (docs/rules.md: Values). */
export class Enumeration<V extends string> extends Codec<V> {
  constructor(
    name: string,
    readonly values: readonly V[],
  ) {
    const known = new Set<unknown>(values);
    super(
      name,
      (value) => known.has(value),
      (value, walk) => {
        if (typeof value !== 'string') {
          walk.refuse('WRONG_TYPE', () => `expected a string, got ${typeInWords(value)}`);
        } else if (!known.has(value)) {
          walk.refuse(
            'UNKNOWN_VALUE',
            (hints) =>
              `${quote(value)} is none of ${values.join(', ')}${hints.didYouMean(value, values, 1)}`,
          );
        }
      },
      { unset: 'empty text' },
    );
  }
}

/** Exactly one of these texts. */
export const enumeration = <V extends string>(
  name: string,
  values: readonly [V, ...(readonly V[])],
): Enumeration<V> => new Enumeration(name, values);

const LONGEST_TIME = 256;

const isTime = (value: string): boolean => value.length <= LONGEST_TIME && isInstant(value);

/** An RFC 3339 time. `""` leaves an optional field unset (docs/rules.md: Values). */
export const time = new Codec<string>(
  'RFC 3339 time',
  (value) => typeof value === 'string' && isTime(value),
  (value, walk) => {
    if (typeof value === 'number') {
      walk.refuse('WRONG_TYPE', () => `expected a string, got a number: ${timeInstead(value)}`);
    } else if (typeof value !== 'string') {
      walk.refuse('WRONG_TYPE', () => `expected a string, got ${typeInWords(value)}`);
    } else if (!isTime(value)) {
      walk.refuse('BAD_TIME', () => `${quote(value)} is not a time like 2024-01-31T09:30:00Z`);
    }
  },
  { unset: 'empty text', schema: { type: 'string', format: 'date-time' } },
);
