import { type AccessGraph, NONE, typeOf } from './access-graph';
import { EVER, type Moment, NOW } from './instants';
import { at, type Memory, release, newColumn } from './memory';
import type { HeldType } from './relationship-types';

/** Types of relationships, as a set. */
export type Types = Uint8Array;

const MOST_TYPES = 32;

/** The set of these types. */
export const typesOf = (types: readonly HeldType[]): Types => {
  const set = new Uint8Array(MOST_TYPES);
  for (const type of types) set[typeOf(type)] = 1;
  return set;
};

/** How many nodes a set has room for, for each that there is. */
const ROOM = 1.1;

/** Nodes as a set that is emptied at no cost. */
class NodeSet {
  private marks: Int32Array;
  private mark = 0;

  constructor(private readonly memory: Memory) {
    this.marks = newColumn(memory, Int32Array, 0);
  }

  /** Empties the set; nodes are numbers below `count`. */
  empty(count: number): void {
    if (count > this.marks.length) {
      release(this.memory, this.marks);
      // Commits bring a few nodes at a time.
      this.marks = newColumn(this.memory, Int32Array, Math.ceil(count * ROOM));
      this.mark = 0;
    }
    this.mark += 1;
  }

  /** Adds a node, and returns whether it is new. */
  add(node: number): boolean {
    if (this.marks[node] === this.mark) return false;
    this.marks[node] = this.mark;
    return true;
  }

  has(node: number): boolean {
    return this.marks[node] === this.mark;
  }
}

/** Walks along the relationships of a graph that hold at a moment. */
export class Walk {
  private readonly met: NodeSet;

  constructor(readonly graph: AccessGraph) {
    this.met = new NodeSet(graph.memory);
  }

  /** The nodes to which relationships of these types lead. */
  next(node: number, types: Types, moment: Moment): readonly number[] {
    const found: number[] = [];
    this.eachNext(node, types, moment, (far) => found.push(far));
    return found;
  }

  /** The relationships of these types that lead from a node, by their places. */
  linesFrom(node: number, types: Types, moment: Moment): readonly number[] {
    const found: number[] = [];
    this.eachNext(node, types, moment, (_, place) => found.push(place));
    return found;
  }

  /** The relationships of these types that lead to a node, by their places. */
  linesTo(node: number, types: Types, moment: Moment): readonly number[] {
    const found: number[] = [];
    this.eachPrevious(node, types, moment, (_, place) => found.push(place));
    return found;
  }

  /** The nodes from which relationships of these types lead here. */
  previous(node: number, types: Types, moment: Moment): readonly number[] {
    const found: number[] = [];
    this.eachPrevious(node, types, moment, (far) => found.push(far));
    return found;
  }

  /** Whether a relationship of these types leads to a node, from one that is meant. */
  isLedTo(
    node: number,
    types: Types,
    moment: Moment,
    isMeant: (far: number) => boolean = () => true,
  ): boolean {
    return this.somePrevious(node, types, moment, isMeant);
  }

  /**
   * These nodes, and all to which relationships of these types lead from them; only along nodes
   * `within`, and `most` at most.
   */
  from(
    starts: readonly number[],
    types: Types,
    moment: Moment,
    within: ReadonlySet<number> | null = null,
    most = Infinity,
  ): readonly number[] {
    const step = (node: number, visit: (far: number) => void): void =>
      this.eachNext(node, types, moment, (far) => {
        if (within?.has(far) !== false) visit(far);
      });
    return this.closure(starts, step, most);
  }

  /**
   * These nodes, and all from which relationships of these types lead to them; `most` at most, and
   * none that leads there only by way of the node `except`.
   */
  to(
    starts: readonly number[],
    types: Types,
    moment: Moment,
    most = Infinity,
    except = NONE,
  ): readonly number[] {
    const step = (node: number, visit: (far: number) => void): void =>
      this.eachPrevious(node, types, moment, visit);
    return this.closure(starts, step, most, except);
  }

  private closure(
    starts: readonly number[],
    step: (node: number, visit: (far: number) => void) => void,
    most = Infinity,
    except = NONE,
  ): readonly number[] {
    const { met } = this;
    met.empty(this.graph.nodeCount);
    if (except !== NONE) met.add(except);
    const found = starts.filter((node) => met.add(node));
    const visit = (far: number): void => {
      if (found.length < most && met.add(far)) found.push(far);
    };
    // The list grows during the loop.
    for (let place = 0; place < found.length && found.length < most; place += 1) {
      step(found[place] as number, visit);
    }
    return found;
  }

  /** Visits the nodes to which relationships of these types lead, with the places of these. */
  eachNext(
    node: number,
    types: Types,
    moment: Moment,
    visit: (far: number, place: number) => void,
  ): void {
    const { orderedNodes, orderedLength, outStarts, outPlaces, outFirst, outNext } =
      this.graph.adjacency;
    const { to, type, since, until } = this.graph.adjacency;
    const look = (place: number): void => {
      if (types[at(type, place)] !== 1) return;
      const far = at(to, place);
      if (this.holds(at(since, place), at(until, place), far, moment)) visit(far, place);
    };
    if (node < orderedNodes) {
      const end = at(outStarts, node + 1);
      for (let each = at(outStarts, node); each < end; each += 1) look(at(outPlaces, each));
    }
    for (let each = at(outFirst, node); each > 0; each = at(outNext, each - 1)) {
      look(orderedLength + each - 1);
    }
  }

  /** Visits the nodes from which relationships of these types lead here. */
  eachPrevious(
    node: number,
    types: Types,
    moment: Moment,
    visit: (far: number, place: number) => void,
  ): void {
    this.somePrevious(node, types, moment, (far, place) => {
      visit(far, place);
      return false;
    });
  }

  /** Whether one of the nodes from which relationships of these types lead here is meant. */
  private somePrevious(
    node: number,
    types: Types,
    moment: Moment,
    isMeant: (far: number, place: number) => boolean,
  ): boolean {
    const { orderedNodes, orderedLength, inStarts, inPlaces, inFirst, inNext } =
      this.graph.adjacency;
    const { from, type, since, until } = this.graph.adjacency;
    const look = (place: number): boolean => {
      if (types[at(type, place)] !== 1) return false;
      const far = at(from, place);
      return this.holds(at(since, place), at(until, place), far, moment) && isMeant(far, place);
    };
    if (node < orderedNodes) {
      const end = at(inStarts, node + 1);
      for (let each = at(inStarts, node); each < end; each += 1) {
        if (look(at(inPlaces, each))) return true;
      }
    }
    for (let each = at(inFirst, node); each > 0; each = at(inNext, each - 1)) {
      if (look(orderedLength + each - 1)) return true;
    }
    return false;
  }

  /** Whether a relationship holds, and leads to a node that exists then. */
  private holds(since: number, until: number, far: number, moment: Moment): boolean {
    if (moment === EVER) return true;
    return (
      this.graph.instants.isWithin(since, until, moment) &&
      (moment === NOW || this.graph.version(far, moment) !== NONE)
    );
  }
}
