import type { Token } from '../cypher-tokens';
import { called, compared } from './functions';
import { Unreadable } from './refusal';
import { loopTerm, reduceTerm } from './loops';
import { either, ELEMENT, list, mapOf, scalar, type Size, text, together } from './size';
import type { Meter, Scope, Term } from './term';
import { LEVELS_OF_SUBQUERY, TokenReader } from './token-reader';

const QUANTIFIERS = new Set(['ALL', 'ANY', 'NONE', 'SINGLE']);
const SUBQUERIES = new Set(['EXISTS', 'COUNT', 'COLLECT']);

/** A part of a query that runs for each row, such as a subquery, and the columns that it gives. */
export type Part = (scope: Scope, meter: Meter) => ReadonlyMap<string, Size>;

const constant = (size: Size): Term => ({ depth: 1, size: () => size });

/** A term of several others. Its value is made of theirs, in some steps. */
const made = (
  parts: readonly Term[],
  make: (sizes: readonly Size[], meter: Meter) => Size,
): Term => ({
  depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  size: (scope, meter) => {
    meter.add(1);
    const sizes = parts.map((part) => part.size(scope, meter));
    return meter.made(make(sizes, meter));
  },
});

const SMALL = scalar();

const largestOf = ([first = scalar(0), ...others]: readonly Size[]): Size =>
  others.reduce(either, first);

/** Reads expressions. What it does not know is `Unreadable`, so that nothing passes unjudged. */
export abstract class ExpressionReader extends TokenReader {
  /** Reads a subquery up to its closing brace. */
  protected abstract subquery(): Part;

  /** Reads a pattern, and gives what judges it: the scope with its variables. */
  protected abstract pattern(): (scope: Scope, meter: Meter) => Scope;

  /** Reads an expression. */
  expression(): Term {
    return this.nested(() => this.chain(0));
  }

  /** Binary operators, the weakest first. */
  private chain(level: number): Term {
    if (level === 3 && this.takes('NOT'))
      return this.nested(() => made([this.chain(3)], () => SMALL));
    if (level === 8) return this.unary();
    let left = this.chain(level + 1);
    for (let next = this.operator(level, left); next !== null; next = this.operator(level, left)) {
      left = this.bounded(next);
    }
    return left;
  }

  /** Reads an operator of this level and what follows it; `null` if there is none. */
  private operator(level: number, left: Term): Term | null {
    const right = (): Term => this.chain(level + 1);
    const compare = (): Term =>
      made([left, right()], ([a = SMALL, b = SMALL], meter) => {
        meter.add(Math.min(a.weight, b.weight) / 20);
        return SMALL;
      });
    if (level === 0) return this.takes('OR') ? compare() : null;
    if (level === 1) return this.takes('XOR') ? compare() : null;
    if (level === 2) return this.takes('AND') ? compare() : null;
    if (level === 4) return this.comparison(left, compare);
    if (level === 5) {
      if (this.takesSign('+') || this.takesSigns('|', '|')) {
        return made([left, right()], ([a = SMALL, b = SMALL], meter) => {
          const size = together(a, b);
          // A text is copied. Lists are linked.
          meter.add(size.kind === 'list' ? 0 : size.weight / 50);
          return size;
        });
      }
      if (!this.takesSign('-')) return null;
      return made([left, right()], ([a = SMALL, b = SMALL]) => scalar(a.amount + b.amount));
    }
    if (level === 6) return this.product(left, right);
    if (level === 7 && this.takesSign('^')) {
      return made([left, right()], ([a = SMALL, b = SMALL]) => scalar(a.amount ** b.amount));
    }
    return null;
  }

  private product(left: Term, right: () => Term): Term | null {
    if (this.takesSign('*')) {
      return made([left, right()], ([a = SMALL, b = SMALL]) => scalar(a.amount * b.amount));
    }
    if (this.takesSign('%')) return made([left, right()], ([, b = SMALL]) => scalar(b.amount));
    if (!this.takesSign('/')) return null;
    return made([left, right()], ([a = SMALL, b = SMALL]) =>
      scalar(/^[1-9]\d*$/.test(b.known ?? '') ? a.amount : Infinity),
    );
  }

  private comparison(left: Term, compare: () => Term): Term | null {
    if (this.takesSigns('=', '~')) {
      return made([left, this.chain(5)], ([value = SMALL, pattern = SMALL], meter) => {
        meter.add(compared(value, pattern));
        return SMALL;
      });
    }
    for (const signs of ['<>', '<=', '>=', '!=', '<', '>', '=']) {
      if (this.takesSigns(...signs)) return compare();
    }
    if (this.takes('STARTS') || this.takes('ENDS')) {
      this.word('WITH');
      return compare();
    }
    if (this.takes('CONTAINS')) return compare();
    if (this.takes('IN')) {
      return made([left, this.chain(5)], ([, values = SMALL], meter) => {
        meter.add(values.length + values.weight / 20);
        return SMALL;
      });
    }
    if (this.takesSigns(':', ':')) {
      this.typeName();
      return made([left], () => SMALL);
    }
    if (!this.takes('IS')) return null;
    this.takes('NOT');
    if (this.takesSigns(':', ':') || this.takes('TYPED')) this.typeName();
    else if (!this.takes('NULL')) {
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) this.takes(form);
      this.word('NORMALIZED');
    }
    return made([left], () => SMALL);
  }

  /** A name of a type, such as `LIST<INTEGER NOT NULL> | STRING`. */
  private typeName(): void {
    do {
      this.name();
      while (this.isOfType()) this.name();
      if (this.takesSign('<')) {
        this.typeName();
        this.sign('>');
      }
      if (this.takes('NOT')) this.word('NULL');
    } while (this.isSign('|') && !this.isLastBar() && this.takesSign('|'));
  }

  private isOfType(): boolean {
    return ['VALUE', 'TIME', 'DATETIME', 'NODE', 'EDGE', 'VERTEX'].some((word) => this.is(word));
  }

  private unary(): Term {
    if (this.takesSign('+') || this.takesSign('-')) {
      const negated = this.nested(() => this.unary());
      return made([negated], ([value = SMALL]) => scalar(value.amount));
    }
    let term = this.primary();
    for (let next = this.postfix(term); next !== null; next = this.postfix(term)) {
      term = this.bounded(next);
    }
    return term;
  }

  private postfix(term: Term): Term | null {
    if (this.isSign('.') && this.isName(1)) {
      this.sign('.');
      const name = this.name();
      return made([term], ([value = SMALL]) => value.field(name));
    }
    if (this.takesSign('[')) return this.indexed(term);
    if (this.isSign(':') && !this.isSign(':', 1)) {
      this.sign(':');
      return made([term, ...this.labels()], () => SMALL);
    }
    return null;
  }

  private indexed(term: Term): Term {
    const from = this.isSign('..') ? null : this.expression();
    if (!this.takesSign('..')) {
      this.sign(']');
      return made([term, from ?? constant(SMALL)], ([value = SMALL]) =>
        either(value.entry(), value.field('')),
      );
    }
    const to = this.isSign(']') ? null : this.expression();
    this.sign(']');
    return made([term, from ?? constant(scalar(0)), to ?? constant(SMALL)], (sizes) => {
      const [value = SMALL, , end = SMALL] = sizes;
      const length = to === null ? value.length : Math.min(value.length, end.amount);
      return length < value.length ? list(length, value.entry()) : { ...value, kind: 'list' };
    });
  }

  private primary(): Term {
    const token = this.ahead();
    if (token.kind === 'literal') {
      this.next();
      return constant(text(token.text.length, token.text));
    }
    if (token.kind === 'sign') return this.signed(token);
    const number = this.number();
    if (number !== null) return constant({ ...scalar(number.amount), known: number.text });
    if (token.kind === 'word' && token.text.startsWith('$')) return this.parameter();
    return this.named(token);
  }

  private signed({ text: sign }: Token): Term {
    if (sign === '(') {
      if (this.isPatternAhead()) return this.patternTerm();
      this.next();
      const inner = this.expression();
      this.sign(')');
      return inner;
    }
    if (sign === '[') return this.brackets();
    if (sign === '{') return this.mapTerm();
    if (sign === '.' && /^\d/.test(this.ahead(1).text)) {
      this.next();
      this.next();
      return constant(scalar(1));
    }
    throw this.unread();
  }

  private parameter(): Term {
    const { text: word } = this.next();
    // In backquotes the name is a token of its own.
    const name = word === '$' ? this.name() : word.slice(1);
    return { depth: 1, size: (_scope, meter) => meter.given(name) };
  }

  private patternTerm(): Term {
    const read = this.pattern();
    return {
      depth: 1,
      size: (scope, meter) => {
        read(scope, meter);
        return SMALL;
      },
    };
  }

  private named(token: Token): Term {
    const upper = token.kind === 'word' ? token.text.toUpperCase() : '';
    if (upper === 'CASE' && !this.isSign('.', 1)) return this.caseTerm();
    if (SUBQUERIES.has(upper) && this.isSign('{', 1)) {
      this.next();
      this.next();
      return this.subqueryTerm(upper);
    }
    if (this.isCallAhead()) return this.call();
    const name = this.name();
    if (this.isSign('{')) return this.projection(name);
    if (/^(?:TRUE|FALSE|NULL|INF|INFINITY|NAN)$/.test(upper)) return constant(SMALL);
    return this.variable(name);
  }

  private variable(name: string): Term {
    return {
      depth: 1,
      size: (scope) => {
        const size = scope.get(name);
        if (size === undefined && /^NFK?[CD]$/i.test(name)) return SMALL;
        if (size === undefined) throw new Unreadable(`does not know the variable ${name}`);
        return size;
      },
    };
  }

  private caseTerm(): Term {
    this.next();
    const tested = this.is('WHEN') ? [] : [this.expression()];
    const conditions: Term[] = [];
    const values: Term[] = [];
    while (this.takes('WHEN')) {
      do conditions.push(this.when());
      while (this.takesSign(','));
      this.word('THEN');
      values.push(this.expression());
    }
    if (this.takes('ELSE')) values.push(this.expression());
    this.word('END');
    return made([...values, ...tested, ...conditions], (sizes) =>
      largestOf(sizes.slice(0, values.length)),
    );
  }

  /** A condition of CASE, which may begin with its operator: `CASE x WHEN > 3 THEN …`. */
  private when(): Term {
    const before = constant(SMALL);
    const begins =
      ['=', '<', '>', '!'].some((sign) => this.isSign(sign)) ||
      this.isSign(':') ||
      ['STARTS', 'ENDS', 'CONTAINS', 'IN', 'IS'].some((word) => this.is(word));
    if (!begins) return this.expression();
    const read = this.operator(4, before);
    if (read === null) throw this.unread();
    return read;
  }

  private subqueryTerm(kind: string): Term {
    const part = this.nested(() => this.subquery(), LEVELS_OF_SUBQUERY);
    return {
      depth: 1,
      size: (scope, meter) => {
        meter.add(1);
        const columns = part(scope, meter.inner());
        if (kind !== 'COLLECT') return SMALL;
        return called('collect', [[...columns.values()].reduce(either, SMALL)]).size;
      },
    };
  }

  private call(): Term {
    let name = this.name();
    while (this.takesSign('.')) name += `.${this.name()}`;
    this.sign('(');
    const upper = name.toUpperCase();
    if (upper === 'REDUCE' || upper === 'ALLREDUCE') return this.reduceCall();
    if (QUANTIFIERS.has(upper)) return this.quantified();
    if (upper === 'COUNT' && this.takesSign('*')) {
      this.sign(')');
      return constant(SMALL);
    }
    if (/^(?:shortestPath|allShortestPaths|exists)$/i.test(name) && this.isPatternAhead()) {
      const read = this.pattern();
      this.sign(')');
      return { depth: 1, size: (scope, meter) => (read(scope, meter), ELEMENT) };
    }
    if (!this.takes('DISTINCT')) this.takes('ALL');
    const given = upper === 'TRIM' ? this.trimmed() : this.given();
    return made(given, (sizes, meter) => {
      meter.holds(sizes);
      const { size, steps } = called(name, sizes);
      meter.add(steps);
      return size;
    });
  }

  private given(): readonly Term[] {
    const given: Term[] = [];
    while (!this.isSign(')')) {
      given.push(this.expression());
      if (!this.isSign(')')) this.sign(',');
    }
    this.sign(')');
    return given;
  }

  /** `trim(BOTH 'x' FROM text)`. */
  private trimmed(): readonly Term[] {
    for (const side of ['BOTH', 'LEADING', 'TRAILING']) this.takes(side);
    const given = this.is('FROM') ? [] : [this.expression()];
    if (this.takes('FROM')) given.unshift(this.expression());
    while (this.takesSign(',')) given.push(this.expression());
    this.sign(')');
    return given;
  }

  private reduceCall(): Term {
    this.awaitBar();
    const sum = this.name();
    this.sign('=');
    const first = this.expression();
    this.sign(',');
    const each = this.name();
    this.word('IN');
    const values = this.expression();
    this.bar();
    const body = this.expression();
    const until = this.takesSign(',') ? this.expression() : null;
    this.sign(')');
    return reduceTerm({ sum, first, each, values, body, until });
  }

  private quantified(): Term {
    const each = this.name();
    this.word('IN');
    const values = this.expression();
    const where = this.takes('WHERE') ? [this.expression()] : [];
    this.sign(')');
    return loopTerm(each, values, where, () => SMALL);
  }

  /** A list, a comprehension of a list, or one of a pattern. */
  private brackets(): Term {
    if (
      this.isPatternAhead(1) ||
      (this.isName(1) && this.isSign('=', 2) && this.isPatternAhead(3))
    ) {
      this.next();
      return this.patternComprehension();
    }
    this.next();
    if (this.isName() && this.is('IN', 1)) return this.comprehension();
    const entries: Term[] = [];
    while (!this.isSign(']')) {
      entries.push(this.expression());
      if (!this.isSign(']')) this.sign(',');
    }
    this.sign(']');
    return made(entries, (sizes, meter) => {
      meter.holds(sizes);
      const weight = sizes.reduce((sum, size) => sum + size.weight, 1);
      return list(sizes.length, largestOf(sizes), weight);
    });
  }

  private comprehension(): Term {
    this.awaitBar();
    const each = this.name();
    this.word('IN');
    const values = this.expression();
    const where = this.takes('WHERE') ? [this.expression()] : [];
    const gives = this.isSign('|') ? (this.bar(), this.expression()) : null;
    this.sign(']');
    const parts = gives === null ? where : [gives, ...where];
    return loopTerm(each, values, parts, (all, [given = SMALL]) =>
      gives === null ? { ...all, kind: 'list' } : list(all.length, given),
    );
  }

  private patternComprehension(): Term {
    this.awaitBar();
    const read = this.pattern();
    const where = this.takes('WHERE') ? this.expression() : null;
    this.bar();
    const gives = this.expression();
    this.sign(']');
    return {
      depth: 1 + Math.max(gives.depth, where?.depth ?? 0),
      size: (scope, meter) => {
        // Neo4j can end it between the ways that it finds.
        const inner = meter.inner();
        const found = read(scope, inner);
        where?.size(found, inner);
        const entry = gives.size(found, inner);
        meter.add(1 + inner.steps);
        return called('collect', [entry]).size;
      },
    };
  }

  /** A map. */
  protected mapTerm(): Term {
    this.sign('{');
    const names: string[] = [];
    const values: Term[] = [];
    while (!this.isSign('}')) {
      names.push(this.name());
      this.sign(':');
      values.push(this.expression());
      if (!this.isSign('}')) this.sign(',');
    }
    this.sign('}');
    return made(values, (sizes, meter) => {
      meter.holds(sizes);
      return mapOf(new Map(names.map((name, at) => [name, sizes[at] ?? SMALL])));
    });
  }

  /** `node {.name, .*, other: 1, variable}`. */
  private projection(of: string): Term {
    const base = this.variable(of);
    this.sign('{');
    const names: string[] = [];
    const values: Term[] = [];
    let isAll = false;
    while (!this.isSign('}')) {
      if (this.takesSign('.')) {
        if (this.takesSign('*')) isAll = true;
        else {
          const name = this.name();
          names.push(name);
          values.push(made([base], ([value = SMALL]) => value.field(name)));
        }
      } else {
        const name = this.name();
        names.push(name);
        values.push(this.takesSign(':') ? this.expression() : this.variable(name));
      }
      if (!this.isSign('}')) this.sign(',');
    }
    this.sign('}');
    return made([base, ...values], ([whole = SMALL, ...sizes], meter) => {
      meter.holds(sizes);
      const map = mapOf(new Map(names.map((name, at) => [name, sizes[at] ?? SMALL])));
      return isAll ? { ...together(map, whole), kind: 'map' } : map;
    });
  }

  /** An expression of labels or types, and what it computes (`$(…)`). */
  protected labels(): readonly Term[] {
    const computed: Term[] = [];
    for (;;) {
      while (this.takesSign('!') || this.takesSign(':')) continue;
      if (this.takesSign('(')) {
        computed.push(...this.nested(() => this.labels()));
        this.sign(')');
      } else if (this.isWord() && this.ahead().text === '$' && this.isSign('(', 1)) {
        this.next();
        this.next();
        for (const word of ['ALL', 'ANY']) this.takes(word);
        computed.push(this.expression());
        this.sign(')');
      } else if (!this.takesSign('%')) this.name();
      if (this.takesSign('&') || (this.isSign(':') && !this.isSign(':', 1))) continue;
      if (this.isSign('|') && !this.isSign('|', 1) && !this.isLastBar()) {
        this.sign('|');
        continue;
      }
      return computed;
    }
  }
}
