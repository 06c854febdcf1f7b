import type { Token } from '../cypher-tokens';
import { TooMuch, Unreadable } from './refusal';
import type { Term } from './term';

const END: Token = { text: '', kind: 'sign' };
/**
 * A subquery counts as this many levels, because Neo4j plans each one together with all those
 * within it.
 */
export const LEVELS_OF_SUBQUERY = 10;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** How deep a query may nest: Neo4j's parser never answers to one that nests thousands deep. */
export const DEEPEST = 100;
/** How many operators one after the other may have each other as their parts. */
const LONGEST_CHAIN = 300;

/** A number that a query spells. */
interface Numeral {
  readonly text: string;
  readonly amount: number;
}

/** Reads the tokens of a query one after the other. */
export class TokenReader {
  private at = 0;
  private depth = 0;
  /** For each bracket the place of its end, and for each token the bracket that it is in. */
  private readonly ends = new Map<number, number>();
  private readonly within: number[] = [];
  /** Brackets in which a bar is still to come that is no alternative of labels. */
  private readonly awaiting = new Set<number>();

  /** The words in capitals, and an empty text for each other token. */
  private readonly keywords: readonly string[];

  constructor(private readonly tokens: readonly Token[]) {
    this.keywords = tokens.map(({ kind, text }) => (kind === 'word' ? text.toUpperCase() : ''));
    const open: number[] = [];
    tokens.forEach(({ kind, text }, at) => {
      this.within.push(open.at(-1) ?? -1);
      if (kind !== 'sign') return;
      if (text in CLOSING) open.push(at);
      else if (Object.values(CLOSING).includes(text)) {
        const begin = open.pop();
        if (begin !== undefined) this.ends.set(begin, at);
      }
    });
  }

  protected get isDone(): boolean {
    return this.at >= this.tokens.length;
  }

  protected ahead(further = 0): Token {
    return this.tokens[this.at + further] ?? END;
  }

  protected next(): Token {
    const token = this.ahead();
    this.at += 1;
    return token;
  }

  protected unread(): Unreadable {
    const { text } = this.ahead();
    return new Unreadable(text === '' ? 'its end' : text.slice(0, 40));
  }

  protected isWord(further = 0): boolean {
    return this.ahead(further).kind === 'word';
  }

  /** Whether a keyword comes. */
  protected is(keyword: string, further = 0): boolean {
    return this.keywords[this.at + further] === keyword;
  }

  protected takes(keyword: string): boolean {
    if (!this.is(keyword)) return false;
    this.at += 1;
    return true;
  }

  protected word(keyword: string): void {
    if (!this.takes(keyword)) throw this.unread();
  }

  protected isSign(sign: string, further = 0): boolean {
    const { kind, text } = this.ahead(further);
    return kind === 'sign' && text === sign && sign !== '';
  }

  protected takesSign(sign: string): boolean {
    return this.takesSigns(sign);
  }

  protected takesSigns(...signs: readonly string[]): boolean {
    if (!signs.every((sign, further) => this.isSign(sign, further))) return false;
    this.at += signs.length;
    return true;
  }

  protected sign(sign: string): void {
    if (!this.takesSign(sign)) throw this.unread();
  }

  protected isName(further = 0): boolean {
    const { kind, text } = this.ahead(further);
    return kind === 'name' || (kind === 'word' && !/^[\d$]/.test(text));
  }

  protected name(): string {
    if (!this.isName()) throw this.unread();
    return this.next().text;
  }

  /** Reads a number, if one comes. */
  protected number(): Numeral | null {
    if (!this.isWord() || !/^\d/.test(this.ahead().text)) return null;
    let text = this.next().text;
    if (this.isSign('.') && this.isWord(1) && /^\d/.test(this.ahead(1).text)) {
      this.at += 1;
      text += `.${this.next().text}`;
    }
    if (/^[\d.]+e$/i.test(text) && (this.isSign('-') || this.isSign('+'))) {
      text += `${this.next().text}${this.next().text}`;
    }
    const amount = Number(text.replaceAll('_', ''));
    return { text, amount: Number.isNaN(amount) ? Infinity : Math.abs(amount) };
  }

  /** Whether a call of a function comes: a name with dots before a parenthesis. */
  protected isCallAhead(): boolean {
    if (!this.isName()) return false;
    let further = 1;
    while (this.isSign('.', further) && this.isName(further + 1)) further += 2;
    return this.isSign('(', further);
  }

  /** Whether a pattern comes, and no expression in parentheses. */
  protected isPatternAhead(further = 0): boolean {
    if (!this.isSign('(', further)) return false;
    const end = this.ends.get(this.at + further);
    if (end === undefined) return false;
    const after = end - this.at + 1;
    const inside = further + 1;
    const isNode =
      after === inside + 1 ||
      this.isSign(':', inside) ||
      this.isSign('{', inside) ||
      this.isSign('(', inside) ||
      (this.isName(inside) &&
        (after === inside + 2 ||
          this.isSign(':', inside + 1) ||
          this.isSign('{', inside + 1) ||
          this.is('WHERE', inside + 1)));
    const isWay =
      (this.isSign('-', after) && ['[', '-'].some((sign) => this.isSign(sign, after + 1))) ||
      (this.isSign('<', after) && this.isSign('-', after + 1));
    return isNode && isWay;
  }

  /** Says that the bracket here has a bar that ends its first part. */
  protected awaitBar(): void {
    this.awaiting.add(this.within[this.at] ?? -1);
  }

  /** Reads that bar. */
  protected bar(): void {
    this.awaiting.delete(this.within[this.at] ?? -1);
    this.sign('|');
  }

  /** Whether the bar here is the one that its bracket awaits: the last one of it. */
  protected isLastBar(): boolean {
    const bracket = this.within[this.at] ?? -1;
    if (!this.awaiting.has(bracket)) return false;
    const end = this.ends.get(bracket) ?? this.tokens.length;
    for (let at = this.at + 1; at < end; at += 1) {
      at = this.ends.get(at) ?? at;
      const { kind, text } = this.tokens[at] ?? END;
      if (kind !== 'sign' || text !== '|') continue;
      const next = this.tokens[at + 1];
      if (next?.kind === 'sign' && next.text === '|') at += 1;
      else return false;
    }
    return true;
  }

  /** Reads something that nests. */
  protected nested<A>(read: () => A, levels = 1): A {
    this.depth += levels;
    if (this.depth > DEEPEST) {
      throw new TooMuch(
        `nests deeper than ${DEEPEST} levels; write its parts one after the other, by WITH`,
      );
    }
    const given = read();
    this.depth -= levels;
    return given;
  }

  /** Refuses a chain of operators that is too long. */
  protected bounded(term: Term): Term {
    if (term.depth <= LONGEST_CHAIN) return term;
    throw new TooMuch(
      `has a chain of more than ${LONGEST_CHAIN} operators; send a list as a parameter and use IN`,
    );
  }

  /** How far it has read. It reads from there again after `back`. */
  protected get place(): number {
    return this.at;
  }

  protected back(place: number): void {
    this.at = place;
  }
}
