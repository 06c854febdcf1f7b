import * as E from 'fp-ts/Either';

import { oneProblem, type ProblemList } from '../problem';

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const;

/** How a property is compared. `pr` asks whether it is set (docs/rules.md: Searches). */
export type SearchOperator = (typeof OPERATORS)[number];

/** One comparison of a property, with the places of the property and the value in the filter. */
export interface SearchCondition {
  readonly kind: 'condition';
  readonly property: string;
  readonly operator: SearchOperator;
  /** `null` only with `pr`. */
  readonly value: string | number | boolean | null;
  readonly at: number;
  readonly valueAt: number;
}

/** The filter of a search: conditions joined by `and`, `or` and `not`. */
export type SearchFilter =
  | SearchCondition
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SearchFilter[] }
  | { readonly kind: 'not'; readonly part: SearchFilter };

/** The problem of a filter, with its place. The message counts characters from 1. */
export const badFilter = (at: number, message: string): ProblemList =>
  oneProblem('/filter', 'BAD_FILTER', `at character ${at + 1}: ${message}`);

const LONGEST = 4_000;
const MOST_CONDITIONS = 50;
const DEEPEST = 50;

interface Token {
  readonly kind: 'word' | 'text' | 'open' | 'close' | 'end';
  readonly text: string;
  readonly at: number;
}

/** Ends the reading at any depth. It never leaves this file. */
class Wrong extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

const SPACES = /\s*/y;
const TOKEN = /(\()|(\))|"((?:[^"\\]|\\["\\])*)"|([^\s()"]+)/y;

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (let from = 0; from < end; from = TOKEN.lastIndex) {
    SPACES.lastIndex = from;
    SPACES.exec(text);
    const at = SPACES.lastIndex;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new Wrong(at, 'a quote is not closed, or a backslash is not followed by " or \\');
    const [, open, close, quoted, word] = match;
    if (open !== undefined) tokens.push({ kind: 'open', text: open, at });
    else if (close !== undefined) tokens.push({ kind: 'close', text: close, at });
    else if (quoted !== undefined) {
      tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1'), at });
    } else tokens.push({ kind: 'word', text: word ?? '', at });
  }
  return [...tokens, { kind: 'end', text: '', at: end }];
};

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

const valueOf = ({ kind, text, at }: Token): string | number | boolean => {
  if (kind === 'text') return text;
  if (kind !== 'word') throw new Wrong(at, 'a value is missing');
  // Some clients write `True` (docs/rules.md: Requests).
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const number = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : text;
};

/** Reads tokens one after another. `not` binds closest, then `and`, then `or`. */
class Reader {
  private next = 0;
  private conditions = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): SearchFilter {
    const filter = this.joined('or', 0);
    const { kind, at } = this.token;
    if (kind !== 'end') throw new Wrong(at, 'and, or, or the end of the filter is expected');
    return filter;
  }

  private get token(): Token {
    return this.tokens[this.next] ?? { kind: 'end', text: '', at: 0 };
  }

  private take(): Token {
    const { token } = this;
    this.next += 1;
    return token;
  }

  private isWord(word: string): boolean {
    return this.token.kind === 'word' && this.token.text.toLowerCase() === word;
  }

  private joined(kind: 'and' | 'or', depth: number): SearchFilter {
    const part = (): SearchFilter =>
      kind === 'or' ? this.joined('and', depth) : this.single(depth);
    const first = part();
    const parts = [first];
    while (this.isWord(kind)) {
      this.take();
      parts.push(part());
    }
    return parts.length === 1 ? first : { kind, parts };
  }

  private single(depth: number): SearchFilter {
    const { at } = this.token;
    if (depth > DEEPEST) throw new Wrong(at, `there are more than ${DEEPEST} levels`);
    if (this.isWord('not')) {
      this.take();
      return { kind: 'not', part: this.single(depth + 1) };
    }
    if (this.token.kind !== 'open') return this.condition();
    this.take();
    const inside = this.joined('or', depth + 1);
    const close = this.take();
    if (close.kind !== 'close') throw new Wrong(close.at, ') is expected');
    return inside;
  }

  private condition(): SearchCondition {
    const { kind, text: property, at } = this.take();
    if (kind !== 'word') throw new Wrong(at, 'the name of a property is expected');
    this.conditions += 1;
    if (this.conditions > MOST_CONDITIONS) {
      throw new Wrong(at, `there are more than ${MOST_CONDITIONS} conditions`);
    }
    const word = this.take();
    const operator = OPERATORS.find(
      (known) => word.kind === 'word' && known === word.text.toLowerCase(),
    );
    if (operator === undefined)
      throw new Wrong(word.at, `one of ${OPERATORS.join(', ')} is expected`);
    if (operator === 'pr')
      return { kind: 'condition', property, operator, value: null, at, valueAt: at };
    const token = this.take();
    return { kind: 'condition', property, operator, value: valueOf(token), at, valueAt: token.at };
  }
}

/**
 * Reads the filter of a search, such as `is_active eq true and (name co "ann" or not email pr)`. An
 * empty filter gives `null`.
 */
export const parseSearchFilter = (text: string): E.Either<ProblemList, SearchFilter | null> => {
  if (text.trim() === '') return E.right(null);
  if (text.length > LONGEST) return E.left(badFilter(LONGEST, `is longer than ${LONGEST}`));
  try {
    return E.right(new Reader(tokensOf(text)).whole());
  } catch (error) {
    if (error instanceof Wrong) return E.left(badFilter(error.at, error.message));
    throw error;
  }
};
