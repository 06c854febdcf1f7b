import type { Part } from './expression';
import { spend } from './effort';
import { judged } from './judged';
import { type Clause, PatternReader } from './pattern-reader';
import { TooMuch } from './refusal';
import { ELEMENT } from './size';
import { LEVELS_OF_SUBQUERY } from './token-reader';
import type { Scope, Term } from './term';

const MOST_CLAUSES = 1_000;

/** Reads the clauses of a query that only reads. Others are `Unreadable`. */
export class QueryReader extends PatternReader {
  private clauses = 0;

  /** Reads the complete query. */
  query(): Part {
    this.options();
    const part = this.parts();
    this.takesSign(';');
    if (!this.isDone) throw this.unread();
    return part;
  }

  /** `CYPHER 25 runtime=slotted`. */
  private options(): void {
    if (!this.takes('CYPHER')) return;
    this.number();
    while (this.isName() && this.isSign('=', 1)) {
      this.name();
      this.sign('=');
      this.name();
    }
  }

  protected subquery(): Part {
    const isPattern = this.isSign('(') || (this.isName() && this.isSign('=', 1));
    const part = isPattern ? this.patternSubquery() : this.parts();
    this.sign('}');
    return part;
  }

  /** `EXISTS { (a)-->(b) WHERE … }`. */
  private patternSubquery(): Part {
    const match = this.match();
    return (scope, meter) => (match(scope, meter), new Map());
  }

  private parts(): Part {
    const parts = [this.part()];
    while (this.takes('UNION')) {
      if (!this.takes('ALL')) this.takes('DISTINCT');
      parts.push(this.part());
    }
    return (scope, meter) =>
      parts
        .map((part) => part(scope, meter))
        .reduce((all, more) => {
          const names = [...all.keys()];
          return new Map(
            [...more].map(([name, size], at) => {
              const other = all.get(name) ?? all.get(names[at] ?? '');
              return [name, other === undefined || other.weight < size.weight ? size : other];
            }),
          );
        });
  }

  private part(): Part {
    const clauses: Clause[] = [];
    let isEnded = false;
    while (
      !isEnded &&
      !this.isDone &&
      !this.isSign('}') &&
      !this.isSign(';') &&
      !this.is('UNION')
    ) {
      this.clauses += 1;
      if (this.clauses > MOST_CLAUSES) {
        throw new TooMuch(`has more than ${MOST_CLAUSES} clauses; send lists as parameters`);
      }
      if (this.takes('FINISH')) isEnded = true;
      else clauses.push(this.clause());
    }
    return (scope, meter) =>
      clauses.reduce((so, clause) => {
        spend(so.size / 4);
        return clause(so, meter);
      }, scope);
  }

  private clause(): Clause {
    if (this.takes('OPTIONAL')) return this.is('CALL') ? this.clause() : this.clauseOf('MATCH');
    if (this.takes('MATCH')) return this.match();
    if (this.takes('UNWIND')) return this.unwind();
    if (this.takes('WITH')) return this.projections();
    if (this.takes('RETURN')) return this.projections();
    if (this.takes('CALL')) return this.called();
    if (this.takes('FILTER')) return this.filter();
    if (this.takes('LET')) return this.let();
    if (['ORDER', 'SKIP', 'OFFSET', 'LIMIT', 'WHERE'].some((word) => this.is(word))) {
      return this.ending();
    }
    throw this.unread();
  }

  private clauseOf(keyword: string): Clause {
    this.word(keyword);
    return this.match();
  }

  private filter(): Clause {
    this.takes('WHERE');
    return this.judgedAlone(this.expression());
  }

  private judgedAlone(...terms: readonly Term[]): Clause {
    return (scope, meter) => {
      for (const term of terms) judged(term, scope, meter);
      return scope;
    };
  }

  private let(): Clause {
    const names: string[] = [];
    const terms: Term[] = [];
    do {
      names.push(this.name());
      this.sign('=');
      terms.push(this.expression());
    } while (this.takesSign(','));
    return (scope, meter) =>
      new Map([
        ...scope,
        ...names.map((name, at) => [name, judged(terms[at]!, scope, meter)] as const),
      ]);
  }

  private unwind(): Clause {
    // Neo4j makes the numbers of a range one by one.
    const isRange = this.is('RANGE') && this.isSign('(', 1);
    const term = this.expression();
    this.word('AS');
    const name = this.name();
    return (scope, meter) => {
      const size = judged(term, scope, meter, isRange && term.depth <= 50);
      return new Map([...scope, [name, size.entry()]]);
    };
  }

  private projections(): Clause {
    if (!this.takes('DISTINCT')) this.takes('ALL');
    const names: (string | null)[] = [];
    const terms: Term[] = [];
    const isAll = this.takesSign('*');
    if (!isAll || this.takesSign(',')) {
      do {
        const isAlone = this.isName() && !this.isCallAhead();
        const { text } = this.ahead();
        const begin = this.place;
        const term = this.expression();
        const isVariable = isAlone && this.place === begin + 1;
        terms.push(term);
        names.push(this.takes('AS') ? this.name() : isVariable ? text : null);
      } while (this.takesSign(','));
    }
    const ending = this.ending();
    return (scope, meter) => {
      const given = terms.map(
        (term, at) => [names[at] ?? ` ${at}`, judged(term, scope, meter)] as const,
      );
      const after: Scope = new Map([...(isAll ? scope : []), ...given]);
      // ORDER BY and WHERE may name variables from before.
      ending(new Map([...scope, ...after]), meter);
      return after;
    };
  }

  /** ORDER BY, SKIP, LIMIT and WHERE. */
  private ending(): Clause {
    const terms: Term[] = [];
    for (;;) {
      if (this.takes('ORDER')) {
        this.word('BY');
        do {
          terms.push(this.expression());
          for (const word of ['ASC', 'ASCENDING', 'DESC', 'DESCENDING']) this.takes(word);
          if (this.takes('NULLS') && !this.takes('FIRST')) this.word('LAST');
        } while (this.takesSign(','));
      } else if (this.takes('SKIP') || this.takes('OFFSET') || this.takes('LIMIT')) {
        terms.push(this.expression());
      } else if (this.takes('WHERE')) terms.push(this.expression());
      else return this.judgedAlone(...terms);
    }
  }

  private called(): Clause {
    if (this.isSign('(') || this.isSign('{')) return this.calledSubquery();
    this.name();
    while (this.takesSign('.')) this.name();
    const given: Term[] = [];
    if (this.takesSign('(')) {
      while (!this.isSign(')')) {
        given.push(this.expression());
        if (!this.isSign(')')) this.sign(',');
      }
      this.sign(')');
    }
    const names: string[] = [];
    if (this.takes('YIELD') && !this.takesSign('*')) {
      do {
        const name = this.name();
        names.push(this.takes('AS') ? this.name() : name);
      } while (this.takesSign(','));
    }
    const rest = this.ending();
    return (scope, meter) => {
      for (const term of given) judged(term, scope, meter);
      return rest(new Map([...scope, ...names.map((name) => [name, ELEMENT] as const)]), meter);
    };
  }

  private calledSubquery(): Clause {
    const imported: string[] = [];
    let isAll = !this.isSign('(');
    if (this.takesSign('(')) {
      while (!this.takesSign(')')) {
        if (this.takesSign('*')) isAll = true;
        else imported.push(this.name());
        this.takesSign(',');
      }
    }
    this.sign('{');
    const part = this.nested(() => this.subquery(), LEVELS_OF_SUBQUERY);
    return (scope, meter) => {
      const known = imported.flatMap((name) => {
        const size = scope.get(name);
        return size === undefined ? [] : [[name, size] as const];
      });
      return new Map([...scope, ...part(isAll ? scope : new Map(known), meter)]);
    };
  }
}
