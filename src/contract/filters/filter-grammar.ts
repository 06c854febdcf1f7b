/** One comparison, with everything between its first and last quote. */
const ONE_TEXT = /^\s*([^\s"()[\]]+)\s+([a-z]{2})\s+"([^]*)"\s*$/i;

/**
 * Escapes the quotes within the text of one comparison, if the client did not (`eq "Zoë "Z" Dee"`,
 * as clients made with SCIM-SDK send it). Null if the filter is not certainly such a comparison. In
 * a correct filter the first quote within the text would end it, and a word could not follow that
 * end without a space.
 */
const withQuotesEscaped = (text: string): string | null => {
  const [, property = '', operator = '', inside = ''] = ONE_TEXT.exec(text) ?? [];
  const first = /(?<!\\)"([^])/.exec(inside)?.[1] ?? ' ';
  if (/[\s)\]]/.test(first) || /"\s+(?:and|or)\s/i.test(inside)) return null;
  return `${property} ${operator} ${JSON.stringify(inside.replaceAll('\\"', '"'))}`;
};

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const;

/** How something is compared. `pr` is true if it is set. */
export type FilterOperator = (typeof OPERATORS)[number];

/** One comparison, with the places of the property and the value in the filter. */
export interface FilterCondition {
  readonly kind: 'condition';
  /** The name of the property, or the path of an attribute. */
  readonly property: string;
  readonly operator: FilterOperator;
  /** `null` with `pr`, and if a SCIM filter compares with null. */
  readonly value: string | number | boolean | null;
  /** The value as the filter spells it, with all digits of a number. */
  readonly spelled: string;
  readonly at: number;
  readonly valueAt: number;
}

/** Filters joined by `and` or `or`. */
export interface FilterJunction<F> {
  readonly kind: 'and' | 'or';
  readonly parts: readonly F[];
  /** Whether the parts are one comparison with a text whose value may mean two texts. */
  readonly isOneComparison?: true;
}

/** Conditions that one entry of a list must meet together, such as `emails[type eq "work"]`. */
export interface EntryFilter {
  readonly kind: 'entry';
  readonly list: string;
  readonly filter: Filter;
  readonly at: number;
}

/** A filter of SCIM (RFC 7644, 3.4.2.2). */
export type Filter =
  | FilterCondition
  | FilterJunction<Filter>
  | { readonly kind: 'not'; readonly part: Filter }
  | EntryFilter;

/**
 * A text is no filter, or a filter names something that cannot be. `at` counts characters from 0.
 */
export class FilterFault extends Error {
  constructor(
    readonly at: number,
    readonly reason: string,
  ) {
    super(`at character ${at + 1}: ${reason}`);
  }
}

/** Which filters an endpoint accepts. */
export interface FilterDialect {
  readonly longest: number;
  readonly mostConditions: number;
  /** Whether brackets hold a filter of entries, as in SCIM. */
  readonly hasEntries: boolean;
  /** Whether a text may be without quotes. */
  readonly takesBareTexts: boolean;
}

/** SCIM filters: those of the server, and those of what imports leave out. */
export const SCIM_FILTER: FilterDialect = {
  longest: 4096,
  mostConditions: 100,
  hasEntries: true,
  takesBareTexts: false,
};

const DEEPEST = 50;

interface Token {
  readonly kind: 'word' | 'text' | '(' | ')' | '[' | ']' | 'end';
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** The place of the quote that ends a text. */
const closingQuote = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  throw new FilterFault(from, 'a quote is not closed');
};

const isSpace = (character: string): boolean => character.trim() === '';

const tokensOf = (text: string, { hasEntries }: FilterDialect): readonly Token[] => {
  const tokens: Token[] = [];
  const isSign = (character: string): boolean =>
    character === '(' || character === ')' || (hasEntries && '[]'.includes(character));
  let at = 0;
  let last = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (isSpace(character)) {
      at += 1;
      continue;
    }
    let end = at + 1;
    let kind: Token['kind'] = 'word';
    if (isSign(character)) kind = character as '(';
    else if (character === '"') {
      kind = 'text';
      end = closingQuote(text, at) + 1;
    } else {
      const isInside = (next: string): boolean => !isSpace(next) && !isSign(next) && next !== '"';
      while (end < text.length && isInside(text[end] as string)) end += 1;
    }
    tokens.push({ kind, text: text.slice(at, end), at, end });
    at = end;
    last = end;
  }
  return [...tokens, { kind: 'end', text: '', at: last, end: last }];
};

const parsedText = (quoted: string): string | null => {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
};

/** Escapes that may be parts of a name whose backslash was not escaped, such as `CORP\tom`. */
const MAY_BE_RAW = /\\(?:["/\\]|([bfnrtu]))/g;

/**
 * The texts that a value in quotes may mean, the likeliest first. It is a JSON text, or else the
 * text as it is: not all clients escape backslashes. If the escapes could be parts of such a name
 * (`CORP\tom`), it may be either.
 */
export const textsOf = (quoted: string): readonly string[] => {
  const raw = quoted.slice(1, -1).replaceAll('\\"', '"');
  const parsed = parsedText(quoted);
  if (parsed === null) return [raw];
  const isCertain = [...quoted.matchAll(MAY_BE_RAW)].every(([, letter]) => letter === undefined);
  return isCertain || parsed === raw ? [parsed] : [parsed, raw];
};

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * The value of a word: a flag, null or a number. Undefined if the word is a text without quotes.
 */
const literalOf = (word: string, { takesBareTexts }: FilterDialect) => {
  // Some clients write `True` (docs/rules.md: Requests).
  if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  if (!takesBareTexts && /^null$/i.test(word)) return null;
  const number = NUMBER.test(word) ? Number(word) : NaN;
  return Number.isFinite(number) ? number : undefined;
};

/** A path of an attribute, split into its parts. */
export interface SpelledPath {
  /** The URN before the names; empty if there is none. */
  readonly schema: string;
  readonly names: readonly string[];
}

const isName = (text: string): boolean => /^[\w$][\w$-]*$/.test(text);

/**
 * Splits a path of an attribute, as in `urn:…:User:name.givenName`; null if the text is no path.
 */
export const splitPath = (path: string): SpelledPath | null => {
  const colon = path.lastIndexOf(':');
  const names = path.slice(colon + 1).split('.');
  const schema = path.slice(0, Math.max(0, colon));
  const isPath = names.every(isName) && /^[\w.:%/-]*$/.test(schema);
  return isPath ? { schema, names } : null;
};

/**
 * A path of a PATCH: an attribute, the entries of its list that fit, and a part (RFC 7644, 3.5.2).
 */
export interface FilteredPath {
  readonly path: string;
  readonly filter: Filter | null;
  readonly sub: string | null;
}

/** Reads tokens one after another. `not` binds closest, then `and`, then `or`. */
class Reader {
  private readonly tokens: readonly Token[];
  private next = 0;
  private conditions = 0;

  constructor(
    text: string,
    private readonly dialect: FilterDialect,
  ) {
    const { longest } = dialect;
    if (text.length > longest) throw new FilterFault(longest, `is longer than ${longest}`);
    this.tokens = tokensOf(text, dialect);
  }

  all(): Filter {
    const filter = this.joined('or', 0, false);
    const { kind, at } = this.token;
    if (kind !== 'end') throw new FilterFault(at, 'and, or, or the end of the filter is expected');
    return filter;
  }

  path(): FilteredPath {
    const path = this.attribute();
    const isFiltered = this.token.kind === '[';
    const filter = isFiltered ? this.inBrackets(0) : null;
    const sub = isFiltered ? this.subAfter() : null;
    const { kind, at } = this.token;
    if (kind !== 'end') throw new FilterFault(at, 'the end of the path is expected');
    return { path, filter, sub };
  }

  private get token(): Token {
    return this.tokens[this.next] as Token;
  }

  private take(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.next += 1;
    return token;
  }

  private isWord(word: string): boolean {
    return this.token.kind === 'word' && this.token.text.toLowerCase() === word;
  }

  private joined(kind: 'and' | 'or', depth: number, isInside: boolean): Filter {
    const part = (): Filter =>
      kind === 'or' ? this.joined('and', depth, isInside) : this.single(depth, isInside);
    const first = part();
    const parts = [first];
    while (this.isWord(kind)) {
      this.take();
      parts.push(part());
    }
    return parts.length === 1 ? first : { kind, parts };
  }

  private single(depth: number, isInside: boolean): Filter {
    const { at } = this.token;
    if (depth > DEEPEST) throw new FilterFault(at, `there are more than ${DEEPEST} levels`);
    if (this.isWord('not')) {
      this.take();
      return { kind: 'not', part: this.single(depth + 1, isInside) };
    }
    if (this.token.kind !== '(') return this.condition(depth, isInside);
    this.take();
    const inside = this.joined('or', depth + 1, isInside);
    const close = this.take();
    if (close.kind !== ')') throw new FilterFault(close.at, ') is expected');
    return inside;
  }

  private attribute(): string {
    const { kind, text, at } = this.take();
    const what = this.dialect.hasEntries ? 'an attribute' : 'a property';
    if (kind !== 'word') throw new FilterFault(at, `the name of ${what} is expected`);
    if (this.dialect.hasEntries && splitPath(text) === null) {
      throw new FilterFault(at, `${JSON.stringify(text)} is no name of an attribute`);
    }
    return text;
  }

  private inBrackets(depth: number): Filter {
    this.take();
    const filter = this.joined('or', depth + 1, true);
    const close = this.take();
    if (close.kind !== ']') throw new FilterFault(close.at, '] is expected');
    return filter;
  }

  /** The part after brackets, as in `emails[type eq "work"].value`; null if there is none. */
  private subAfter(): string | null {
    const { kind, text, at } = this.token;
    if (kind !== 'word' || at !== this.tokens[this.next - 1]?.end) return null;
    const name = text.slice(1);
    if (!text.startsWith('.') || !isName(name)) {
      throw new FilterFault(at, 'the name of a part is expected');
    }
    this.take();
    return name;
  }

  private condition(depth: number, isInside: boolean): Filter {
    const { at } = this.token;
    const property = this.attribute();
    if (this.token.kind !== '[') return this.compared(property, at);
    if (isInside) throw new FilterFault(this.token.at, 'brackets are within brackets');
    const filter = this.inBrackets(depth);
    const subAt = this.token.at;
    const sub = this.subAfter();
    if (sub === null) return { kind: 'entry', list: property, filter, at };
    // Both parts are about one and the same entry.
    const parts = [filter, this.compared(sub, subAt)];
    return { kind: 'entry', list: property, filter: { kind: 'and', parts }, at };
  }

  private compared(property: string, at: number): Filter {
    this.conditions += 1;
    const { mostConditions } = this.dialect;
    if (this.conditions > mostConditions) {
      throw new FilterFault(at, `there are more than ${mostConditions} conditions`);
    }
    const word = this.take();
    const operator = OPERATORS.find(
      (known) => word.kind === 'word' && known === word.text.toLowerCase(),
    );
    if (operator === undefined) {
      throw new FilterFault(word.at, `one of ${OPERATORS.join(', ')} is expected`);
    }
    const of = { kind: 'condition', property, operator, at } as const;
    if (operator === 'pr') return { ...of, value: null, spelled: '', valueAt: at };
    const { kind, text, at: valueAt } = this.take();
    if (kind === 'text') {
      const [first, second] = textsOf(text).map((value): FilterCondition => ({
        ...of,
        value,
        spelled: value,
        valueAt,
      })) as [FilterCondition, FilterCondition?];
      if (second === undefined) return first;
      const joining = operator === 'ne' ? 'and' : 'or';
      return { kind: joining, parts: [first, second], isOneComparison: true };
    }
    if (kind !== 'word') throw new FilterFault(valueAt, 'a value is missing');
    const value = literalOf(text, this.dialect);
    if (value === undefined && !this.dialect.takesBareTexts) {
      throw new FilterFault(valueAt, 'a text needs quotes');
    }
    return { ...of, value: value === undefined ? text : value, spelled: text, valueAt };
  }
}

/** Reads a filter. Throws `FilterFault`. */
export const readFilter = (text: string, dialect: FilterDialect): Filter => {
  try {
    return new Reader(text, dialect).all();
  } catch (error) {
    const escaped = error instanceof FilterFault ? withQuotesEscaped(text) : null;
    if (escaped === null) throw error;
    return new Reader(escaped, dialect).all();
  }
};

/** Reads the path of a PATCH of SCIM. Throws `FilterFault`. */
export const readPath = (text: string): FilteredPath => new Reader(text, SCIM_FILTER).path();
