import type { Token } from '../cypher-tokens';
import { called } from './functions';
import { Unreadable } from './refusal';
import { loopTerm, reduceTerm } from './loops';
import { constant, made, SMALL } from './made-term';
import { OperatorReader } from './operators';
import { either, ELEMENT, list, mapOf, scalar, type Size, text, together } from './size';
import type { Meter, Scope, Term } from './term';
import { LEVELS_OF_SUBQUERY } from './token-reader';

const QUANTIFIERS = new Set(['ALL', 'ANY', 'NONE', 'SINGLE']);
const SUBQUERIES = new Set(['EXISTS', 'COUNT', 'COLLECT']);

/** A part of a query that runs for each row, such as a subquery, and the columns that it gives. */
export type Part = (scope: Scope, meter: Meter) => ReadonlyMap<string, Size>;

const largestOf = ([first = scalar(0), ...others]: readonly Size[]): Size =>
  others.reduce(either, first);

/** Reads expressions. What it does not know is `Unreadable`, so that nothing passes unjudged. */
export abstract class ExpressionReader extends OperatorReader {
  /** Reads a subquery up to its closing brace. */
  protected abstract subquery(): Part;

  /** Reads a pattern, and returns what checks it: the scope with its variables. */
  protected abstract pattern(): (scope: Scope, meter: Meter) => Scope;

  protected primary(): Term {
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
}
