import { compared } from './functions';
import { constant, made, SMALL } from './made-term';
import { either, list, scalar, together } from './size';
import type { Term } from './term';
import { TokenReader } from './token-reader';

/** Reads operators, and what follows a value: `x.name`, `x[0]`, `x:Label`. */
export abstract class OperatorReader extends TokenReader {
  /** Reads a value that no operator is part of. */
  protected abstract primary(): Term;

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
  protected operator(level: number, left: Term): Term | null {
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
