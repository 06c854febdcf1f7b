import {
  at,
  type Column,
  type Columns,
  type Copying,
  Growing,
  type Memory,
  release,
  newColumn,
  Table,
} from '../memory';

const ROW = ['from', 'to', 'type', 'since', 'until'] as const;

/** The type of a relationship that is no longer in the graph at any moment. */
export const REMOVED = 31;

/** How many rows one step of an ordering looks at, so that each step lasts some milliseconds. */
const ROWS_OF_STEP = 250_000;

/** The rows of relationships up to some length, ordered by both their ends. */
interface Ordered {
  readonly nodes: number;
  readonly length: number;
  readonly outStarts: Int32Array;
  readonly outPlaces: Int32Array;
  readonly inStarts: Int32Array;
  readonly inPlaces: Int32Array;
}

/**
 * The relationships of a graph as columns. Those up to `orderedLength` are ordered: the ones from
 * node `n` are at the `outPlaces` from `outStarts[n]` to `outStarts[n + 1]`. Those appended later are
 * chains: `outFirst[n]` is one of them and one more, and `outNext` leads on.
 */
export interface Adjacency {
  /** Nodes from this number on have appended relationships only. */
  readonly orderedNodes: number;
  readonly orderedLength: number;
  readonly outStarts: Int32Array;
  readonly outPlaces: Int32Array;
  readonly inStarts: Int32Array;
  readonly inPlaces: Int32Array;
  readonly outFirst: Int32Array;
  readonly inFirst: Int32Array;
  /** By the place of an appended relationship, less `orderedLength`. */
  readonly outNext: Int32Array;
  readonly inNext: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly type: Int32Array;
  readonly since: Int32Array;
  readonly until: Int32Array;
}

/** A relationship, by the numbers of its nodes, its type and its instants. */
export type Numbers = Readonly<Record<(typeof ROW)[number], number>>;

/** Relationships as plain data. */
export interface OpenedRelationships {
  readonly rows: Columns<(typeof ROW)[number]>;
  readonly outFirst: Column<Int32Array>;
  readonly inFirst: Column<Int32Array>;
  readonly next: Columns<'out' | 'in'>;
  /** The orders never change: others take their place. */
  readonly ordered: Ordered | null;
  readonly removed: number;
}

/**
 * Relationships of an access graph. They may be appended after questions: the next question walks
 * along them too, and nothing is ordered again before somebody merges.
 */
export class Relationships {
  private readonly rows: Table<(typeof ROW)[number]>;
  private readonly outFirst: Growing<Int32Array>;
  private readonly inFirst: Growing<Int32Array>;
  private readonly next: Table<'out' | 'in'>;
  private ordered: Ordered | null;
  private view: Adjacency | null = null;
  private removed: number;

  constructor(
    private readonly memory: Memory,
    opened?: OpenedRelationships,
  ) {
    this.rows = new Table(memory, ROW, opened?.rows);
    this.outFirst = new Growing(memory, Int32Array, opened?.outFirst);
    this.inFirst = new Growing(memory, Int32Array, opened?.inFirst);
    this.next = new Table(memory, ['out', 'in'], opened?.next);
    this.ordered = opened?.ordered ?? null;
    this.removed = opened?.removed ?? 0;
  }

  /**
   * Copies the columns to other memory, in steps. The ordered index is shared, not copied. Another
   * ordering may end between two steps.
   */
  *copy(memory: Memory): Copying<OpenedRelationships> {
    const rows = yield* this.rows.copy(memory);
    const { ordered, removed } = this;
    // The chains belong to the order.
    const outFirst = inOneGo(this.outFirst.copy(memory));
    const inFirst = inOneGo(this.inFirst.copy(memory));
    const next = inOneGo(this.next.copy(memory));
    return { rows, outFirst, inFirst, next, ordered, removed };
  }

  /** How many rows there are, with those that were removed. */
  get length(): number {
    return this.rows.length;
  }

  /** How many rows were removed. */
  get removedCount(): number {
    return this.removed;
  }

  /** How many rows were appended since the last ordering. */
  get appendedCount(): number {
    return this.next.length;
  }

  /** Appends a relationship. */
  add(row: Numbers): void {
    this.view = null;
    const place = this.rows.add(row);
    if (this.ordered !== null) this.chain(place, row);
  }

  /** Sets when a relationship ended. */
  end(place: number, until: number): void {
    this.rows.column('until')[place] = until;
  }

  /** Removes a relationship from all moments. */
  remove(place: number): void {
    this.rows.column('type')[place] = REMOVED;
    this.removed += 1;
  }

  /** The rows of a type between two nodes. It walks along both nodes until one has no more. */
  between(from: number, to: number, type: number, nodes: number): readonly number[] {
    const rows = this.adjacency(nodes);
    const outs = placesAt(rows, from, 'out');
    const ins = placesAt(rows, to, 'in');
    const [found, others]: [number[], number[]] = [[], []];
    for (;;) {
      const out = outs.next();
      if (out.done === true) return found;
      const one = out.value;
      if (at(rows.to, one) === to && at(rows.type, one) === type) found.push(one);
      const into = ins.next();
      if (into.done === true) return others;
      const other = into.value;
      if (at(rows.from, other) === from && at(rows.type, other) === type) others.push(other);
    }
  }

  /** All rows at a node. */
  *at(node: number, nodes: number): Generator<number, void> {
    const rows = this.adjacency(nodes);
    yield* placesAt(rows, node, 'out');
    yield* placesAt(rows, node, 'in');
  }

  /** The rows of a graph of so many nodes. The first call orders them. */
  adjacency(nodes: number): Adjacency {
    if (this.view !== null && nodes <= this.view.outFirst.length) return this.view;
    if (this.ordered === null) inOneGo(this.order(nodes));
    const ordered = this.ordered as unknown as Ordered;
    for (const first of [this.outFirst, this.inFirst]) {
      if (first.length < nodes) first.extend(nodes - first.length);
    }
    const { rows, next } = this;
    this.view = {
      orderedNodes: ordered.nodes,
      orderedLength: ordered.length,
      outStarts: ordered.outStarts,
      outPlaces: ordered.outPlaces,
      inStarts: ordered.inStarts,
      inPlaces: ordered.inPlaces,
      outFirst: this.outFirst.values,
      inFirst: this.inFirst.values,
      outNext: next.column('out'),
      inNext: next.column('in'),
      from: rows.column('from'),
      to: rows.column('to'),
      type: rows.column('type'),
      since: rows.column('since'),
      until: rows.column('until'),
    };
    return this.view;
  }

  /**
   * Orders all rows in steps; the caller may answer questions between them, and append. The first
   * ordering also brings the rows into the order of their starts, so until its end nobody may ask.
   */
  *order(nodes: number): Generator<void, void> {
    const { rows, memory } = this;
    const { length } = rows;
    const isFirst = this.ordered === null;
    const out = yield* this.orderBy('from', nodes, length);
    if (isFirst) {
      for (const name of ROW) {
        rows.reorder(memory, name, out.places);
        yield;
      }
      for (let place = 0; place < length; place += 1) out.places[place] = place;
    }
    const into = yield* this.orderBy('to', nodes, length);
    const before = this.ordered;
    this.ordered = {
      nodes,
      length,
      outStarts: out.starts,
      outPlaces: out.places,
      inStarts: into.starts,
      inPlaces: into.places,
    };
    this.view = null;
    if (before !== null) {
      const { outStarts, outPlaces, inStarts, inPlaces } = before;
      for (const column of [outStarts, outPlaces, inStarts, inPlaces]) release(memory, column);
    }
    // Those that were appended between the steps are chains again.
    this.outFirst.values.fill(0);
    this.inFirst.values.fill(0);
    this.next.clear();
    const [from, to] = [rows.column('from'), rows.column('to')];
    for (let place = length; place < rows.length; place += 1) {
      this.chain(place, { from: at(from, place), to: at(to, place) });
    }
  }

  private chain(place: number, { from, to }: Pick<Numbers, 'from' | 'to'>): void {
    const { ordered, outFirst, inFirst } = this;
    const most = Math.max(from, to) + 1;
    for (const first of [outFirst, inFirst]) {
      if (first.length < most) first.extend(most - first.length);
    }
    this.next.add({ out: at(outFirst.values, from), in: at(inFirst.values, to) });
    // Places begin at 0, which means that there is none.
    const number = place - (ordered?.length ?? 0) + 1;
    outFirst.values[from] = number;
    inFirst.values[to] = number;
  }

  /** The places of the first rows in the order of their nodes, and where each node begins. */
  private *orderBy(
    name: 'from' | 'to',
    nodes: number,
    length: number,
  ): Generator<void, { readonly starts: Int32Array; readonly places: Int32Array }> {
    const starts = newColumn(this.memory, Int32Array, nodes + 1);
    const places = newColumn(this.memory, Int32Array, length);
    // Rows that are appended between the steps may bring another array; the first rows are the same.
    const column = this.rows.column(name);
    for (let place = 0; place < length; place += 1) {
      const next = at(column, place) + 1;
      starts[next] = at(starts, next) + 1;
      if (place % ROWS_OF_STEP === ROWS_OF_STEP - 1) yield;
    }
    for (let node = 0; node < nodes; node += 1) {
      starts[node + 1] = at(starts, node + 1) + at(starts, node);
    }
    yield;
    const next = Int32Array.from(starts);
    for (let place = 0; place < length; place += 1) {
      const node = at(column, place);
      const free = at(next, node);
      places[free] = place;
      next[node] = free + 1;
      if (place % ROWS_OF_STEP === ROWS_OF_STEP - 1) yield;
    }
    return { starts, places };
  }
}

/** Runs all steps, without a pause. */
export const inOneGo = <A>(steps: Iterator<unknown, A>): A => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** The places of the relationships from a node, or to it. */
function* placesAt(rows: Adjacency, node: number, way: 'out' | 'in'): Generator<number, void> {
  const [starts, places, first, next] =
    way === 'out'
      ? [rows.outStarts, rows.outPlaces, rows.outFirst, rows.outNext]
      : [rows.inStarts, rows.inPlaces, rows.inFirst, rows.inNext];
  if (node < rows.orderedNodes) {
    const end = at(starts, node + 1);
    for (let each = at(starts, node); each < end; each += 1) yield at(places, each);
  }
  for (let each = at(first, node); each > 0; each = at(next, each - 1)) {
    yield rows.orderedLength + each - 1;
  }
}
