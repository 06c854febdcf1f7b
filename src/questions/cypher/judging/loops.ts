import { spend } from './effort';
import { TooMuch } from './refusal';
import { anything, linksOf, list, scalar, type Size } from './size';
import { type Meter, type Scope, type Term, VAST } from './term';

const SMALL = scalar();

const depthOf = (terms: readonly (Term | null)[]): number =>
  1 + Math.max(0, ...terms.map((term) => term?.depth ?? 0));

const withOne = (scope: Scope, name: string, size: Size): Scope => {
  spend(scope.size / 4);
  return new Map([...scope, [name, size]]);
};

/** A loop over the entries of a list within an expression, which Neo4j cannot end. */
export const loopTerm = (
  each: string,
  values: Term,
  parts: readonly Term[],
  give: (all: Size, sizes: readonly Size[]) => Size,
): Term => ({
  depth: depthOf([values, ...parts]),
  size: (scope, meter) => {
    const all = values.size(scope, meter);
    const once = meter.inner();
    const inner = withOne(scope, each, all.entry());
    const sizes = parts.map((part) => part.size(inner, once));
    once.holds(sizes);
    meter.add(1 + all.length * (1 + once.steps));
    return give(all, sizes);
  },
});

/** The parts of `reduce(sum = first, each IN values | body)`. */
export interface Reduction {
  readonly sum: string;
  readonly first: Term;
  readonly each: string;
  readonly values: Term;
  readonly body: Term;
  /** The condition of `allReduce`. */
  readonly until: Term | null;
}

/** This many rounds of a reduction are checked one by one. */
const JUDGED_ROUNDS = 32;
/**
 * How large the result of a reduction of many rounds gets. A round may pass the result on and add
 * to it. If it uses the result twice, the result grows by multiplication.
 */
const grown = (first: Size, rounds: number, once: (sum: Size) => Size): Size => {
  const [none, vast, vaster] = [0, VAST, 2 * VAST].map((size) => once(anything(size)).weight) as [
    number,
    number,
    number,
  ];
  const times = (vaster - vast) / VAST;
  if (!(times <= 1.000_001)) {
    throw new TooMuch(
      'has a reduce that may multiply what it makes in each of many rounds; add to it once in each round, or collect rows: COLLECT { UNWIND … RETURN … }',
    );
  }
  const each = none + Math.max(0, vast - times * VAST);
  return {
    ...anything(first.weight + (times < 0.5 ? each : rounds * each)),
    links: rounds * linksOf(once(first)),
  };
};

/** What is known of the entries of a list that a reduction adds to: they are no larger than now. */
const shaped = (begin: Size, end: Size, once: (sum: Size) => Size): Size => {
  const first = once(begin);
  const second = once(first);
  const [one, two] = [first.entry(), second.entry()];
  const isSteady = one.weight === two.weight && one.length === two.length;
  if (second.kind !== 'list' || !isSteady) return { ...end, kind: second.kind };
  return { ...list(end.weight, two, end.weight), links: linksOf(end) };
};

/** `reduce`: a loop whose result each round may make larger. */
export const reduceTerm = ({ sum, first, each, values, body, until }: Reduction): Term => ({
  depth: depthOf([first, values, body, until]),
  size: (scope, meter) => {
    const all = values.size(scope, meter);
    const begin = first.size(scope, meter);
    const rounds = all.length;
    const inner = withOne(scope, each, all.entry());
    const round = (so: Size, counted: Meter): Size => {
      const given = body.size(withOne(inner, sum, so), counted);
      until?.size(withOne(inner, sum, given), counted);
      return given;
    };
    if (rounds <= JUDGED_ROUNDS) {
      let so = begin;
      for (let at = 0; at < rounds; at += 1) {
        meter.add(1);
        so = round(so, meter);
      }
      return so;
    }
    const isNumber = begin.kind === 'other' && begin.weight <= 1 && begin.known !== '';
    const probed = isNumber ? round(scalar(), meter.inner()) : null;
    // A number stays a number.
    if (probed !== null && probed.weight <= 1) {
      const once = meter.inner();
      round(scalar(), once);
      meter.add(rounds * (1 + once.steps));
      return SMALL;
    }
    const end = shaped(
      begin,
      grown(begin, rounds, (so) => round(so, meter.inner())),
      (so) => round(so, meter.inner()),
    );
    const once = meter.inner();
    round(end, once);
    meter.add(rounds * (1 + once.steps));
    return meter.made(end);
  },
});
