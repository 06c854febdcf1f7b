import { spend } from './effort';
import { ExpressionReader } from './expression';
import { judged } from './judged';
import { ELEMENT } from './size';
import type { Meter, Scope, Term } from './term';

/** A clause: the scope behind it, and its columns if it gives some. */
export type Clause = (scope: Scope, meter: Meter) => Scope;

/** Reads the patterns of nodes and relationships that a query matches. */
export abstract class PatternReader extends ExpressionReader {
  protected match(): Clause {
    const ways: ((scope: Scope, meter: Meter) => Scope)[] = [];
    this.mode();
    do ways.push(this.pattern());
    while (this.takesSign(','));
    while (this.takes('USING')) this.hint();
    const where = this.takes('WHERE') ? [this.expression()] : [];
    return (scope, meter) => {
      const found = ways.reduce((so, way) => way(so, meter), scope);
      for (const term of where) judged(term, found, meter);
      return found;
    };
  }

  /** `REPEATABLE ELEMENTS` or `DIFFERENT RELATIONSHIPS`. */
  private mode(): void {
    if (this.takes('REPEATABLE') || this.takes('DIFFERENT')) {
      this.name();
      this.takes('BINDINGS');
    }
  }

  /** `USING INDEX SEEK node:Label(property, …)`, `USING SCAN node:Label`, `USING JOIN ON node`. */
  private hint(): void {
    while (this.isName() && !this.isSign(':', 1) && !this.is('ON')) this.name();
    if (this.takes('ON')) {
      do this.name();
      while (this.takesSign(','));
      return;
    }
    this.name();
    this.sign(':');
    this.name();
    if (!this.takesSign('(')) return;
    do this.name();
    while (this.takesSign(','));
    this.sign(')');
  }

  protected pattern(): (scope: Scope, meter: Meter) => Scope {
    const names: string[] = [];
    const terms: Term[] = [];
    this.way(names, terms);
    return (scope, meter) => {
      spend(scope.size / 4);
      const found = new Map([...names.map((name) => [name, ELEMENT] as const), ...scope]);
      for (const term of terms) judged(term, found, meter);
      return found;
    };
  }

  private way(names: string[], terms: Term[]): void {
    if (this.isName() && this.isSign('=', 1)) {
      names.push(this.name());
      this.sign('=');
    }
    this.selector(terms);
    if (this.isName() && this.isSign('(', 1)) {
      if (!/^(?:shortestPath|allShortestPaths)$/i.test(this.name())) throw this.unread();
      this.sign('(');
      this.way(names, terms);
      this.sign(')');
      return;
    }
    this.node(names, terms);
    for (;;) {
      if (this.isSign('-') || (this.isSign('<') && this.isSign('-', 1))) {
        this.relationship(names, terms);
        this.quantifier();
        this.node(names, terms);
      } else if (this.isSign('(')) this.node(names, terms);
      else return;
    }
  }

  /** `ALL SHORTEST`, `ANY 3 PATHS`, `SHORTEST 2 GROUPS`, … */
  private selector(terms: Term[]): void {
    const words = [
      'ALL',
      'ANY',
      'SHORTEST',
      'PATH',
      'PATHS',
      'GROUP',
      'GROUPS',
      'WALK',
      'TRAIL',
      'ACYCLIC',
    ];
    while (words.some((word) => this.is(word)) && !this.isSign('(', 1)) {
      this.next();
      this.number();
      if (this.isWord() && this.ahead().text.startsWith('$')) terms.push(this.expression());
    }
    if (words.some((word) => this.is(word))) this.next();
  }

  /** A node, or a part of a pattern in parentheses. */
  private node(names: string[], terms: Term[]): void {
    this.nested(() => {
      this.sign('(');
      const isPart =
        this.isSign('(') || (this.isName() && this.isSign('=', 1) && this.isSign('(', 2));
      if (isPart) {
        this.way(names, terms);
        if (this.takes('WHERE')) terms.push(this.expression());
      } else this.inside(names, terms);
      this.sign(')');
    });
    this.quantifier();
  }

  private relationship(names: string[], terms: Term[]): void {
    this.takesSign('<');
    this.sign('-');
    if (this.takesSign('[')) {
      this.inside(names, terms);
      this.sign(']');
    }
    this.sign('-');
    this.takesSign('>');
  }

  /** What a node or a relationship has in its brackets. */
  private inside(names: string[], terms: Term[]): void {
    if (this.isName() && !this.is('WHERE') && !(this.is('IS') && this.isName(1))) {
      names.push(this.name());
    }
    if (this.takesSign(':') || this.takes('IS')) terms.push(...this.labels());
    if (this.takesSign('*')) {
      this.number();
      if (this.takesSign('..')) this.number();
    }
    if (this.isSign('{')) terms.push(this.mapTerm());
    else if (this.isWord() && this.ahead().text.startsWith('$')) terms.push(this.expression());
    if (this.takes('WHERE')) terms.push(this.expression());
  }

  private quantifier(): void {
    if (this.takesSign('+') || this.takesSign('*')) return;
    if (!this.isSign('{')) return;
    this.sign('{');
    this.number();
    if (this.takesSign(',')) this.number();
    this.sign('}');
  }
}
