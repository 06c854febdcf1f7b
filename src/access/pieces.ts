import { byCodeUnits } from '../model/fold';
import type { AccessGraph } from './access-graph';

/** Work in pieces: between two of them somebody else may have the thread. */
export type Pieces<A> = Generator<undefined, A>;

/** Does work without a pause. */
export const atOnce = <A>(work: Pieces<A>): A => {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
};

/** How many steps of a walk are one piece. */
export const STEPS = 512;

/** Counts the steps of work whose parts differ much, so that it pauses after a piece of them. */
export class Effort {
  private steps = 0;

  /** Adds steps that were done. */
  add(steps: number): void {
    this.steps += steps;
  }

  /** Adds steps, and returns whether so many were done that others should have the thread. */
  isTired(steps = 0): boolean {
    this.add(steps);
    if (this.steps < STEPS) return false;
    this.steps = 0;
    return true;
  }
}

/** Marks of nodes for several walks, one after the other. Only one work may use them. */
export class Marks {
  private known: Int32Array | null = null;
  private walks = 0;

  constructor(private readonly graph: AccessGraph) {}

  /** Some nodes, and all to which a step leads from them; none only by way of the node `except`. */
  *spread(
    starts: Iterable<number>,
    step: (node: number, visit: (far: number) => void) => void,
    except: number | null = null,
  ): Pieces<readonly number[]> {
    this.walks += 1;
    this.known ??= new Int32Array(this.graph.nodeCount);
    const { known: met, walks } = this;
    const found: number[] = [];
    const visit = (node: number): void => {
      // A node that was added in a pause has nothing at the moments of the walk.
      if (met[node] === walks || node >= met.length) return;
      met[node] = walks;
      found.push(node);
    };
    if (except !== null && except >= 0) met[except] = walks;
    for (const node of starts) visit(node);
    // The list grows during the loop.
    for (let place = 0; place < found.length; place += 1) {
      if (place % STEPS === STEPS - 1) yield;
      step(found[place] as number, visit);
    }
    return found;
  }
}

/** Some nodes, and all to which a step leads from them. */
export const spread = (
  graph: AccessGraph,
  starts: Iterable<number>,
  step: (node: number, visit: (far: number) => void) => void,
): Pieces<readonly number[]> => new Marks(graph).spread(starts, step);

/** Some nodes, and those to which one step leads from others. */
export function* oneStep(
  graph: AccessGraph,
  from: readonly number[],
  more: Iterable<number>,
  step: (node: number, visit: (far: number) => void) => void,
): Pieces<readonly number[]> {
  const met = new Uint8Array(graph.nodeCount);
  const found: number[] = [];
  const visit = (node: number): void => {
    if (met[node] !== 0) return;
    met[node] = 1;
    found.push(node);
  };
  for (const node of more) visit(node);
  for (const [place, node] of from.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    step(node, visit);
  }
  yield;
  return found;
}

/** How many values are ordered in one piece. */
const ORDERED = 4_096;

/** How many texts of values are made in one piece. */
const OF_TEXTS = 128;

interface Placed<A> {
  readonly text: string;
  readonly value: A;
}

/** Two ordered lists as one. */
function* merged<A>(one: readonly Placed<A>[], other: readonly Placed<A>[]): Pieces<Placed<A>[]> {
  const both: Placed<A>[] = [];
  for (let [first, second] = [0, 0]; first < one.length || second < other.length;) {
    if (both.length % ORDERED === ORDERED - 1) yield;
    const [a, b] = [one[first], other[second]];
    const isFirst = b === undefined || (a !== undefined && a.text <= b.text);
    both.push((isFirst ? a : b) as Placed<A>);
    if (isFirst) first += 1;
    else second += 1;
  }
  return both;
}

/** Values in the order of their texts; those with the same text stay in their order. */
export function* inOrder<A>(
  values: readonly A[],
  textOf: (value: A) => string,
): Pieces<readonly A[]> {
  let runs: Placed<A>[][] = [];
  for (let begin = 0; begin < values.length; begin += ORDERED) {
    const run: Placed<A>[] = [];
    for (const value of values.slice(begin, begin + ORDERED)) {
      // A text may need a walk.
      if (run.length % OF_TEXTS === OF_TEXTS - 1) yield;
      run.push({ text: textOf(value), value });
    }
    runs.push(run.sort((a, b) => byCodeUnits(a.text, b.text)));
    yield;
  }
  while (runs.length > 1) {
    const next: Placed<A>[][] = [];
    for (let place = 0; place < runs.length; place += 2) {
      next.push(yield* merged(runs[place] ?? [], runs[place + 1] ?? []));
    }
    runs = next;
  }
  return (runs[0] ?? []).map(({ value }) => value);
}

/** Nodes in the order of their keys. */
export const byKey = (graph: AccessGraph, nodes: readonly number[]): Pieces<readonly number[]> =>
  inOrder(nodes, (node) => graph.key(node));
