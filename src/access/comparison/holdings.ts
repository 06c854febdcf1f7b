import { Effort, type Pieces } from '../pieces';
import { Interned } from './interned';
import { EMPTY, type Ordered, without } from './ordered';
import type { Side } from './side';
import { orderedInPieces, union } from './unions';

/** What all principals of a group gained and lost, as numbers of a target with a permission. */
export interface Difference {
  readonly gained: Ordered;
  readonly lost: Ordered;
}

const NOTHING: Difference = { gained: EMPTY, lost: EMPTY };

/** What nodes hold and reach, as numbers. */
export class Holdings {
  /** What a node holds on affected targets; 0 is nothing. */
  readonly sets = new Interned();
  /** What a holder holds at the earlier and at the later moment: two of these sets. */
  readonly holders = new Interned();
  /** The holders that a node reaches; 0 is nobody. */
  readonly lists = new Interned();

  constructor() {
    this.sets.add(EMPTY);
    this.lists.add(EMPTY);
  }

  /** What those gained and lost who reached some holders at the earlier moment, and others later. */
  *difference(from: number, to: number): Pieces<Difference> {
    const [earlier, later] = [yield* this.setsOf(from, 0), yield* this.setsOf(to, 1)];
    const [gone, come] = [without(earlier, later), without(later, earlier)];
    if (gone.length === 0 && come.length === 0) return NOTHING;
    return { gained: yield* this.only(come, earlier), lost: yield* this.only(gone, later) };
  }

  /** Everything that those hold who reach some holders at the later moment. */
  *heldLater(list: number): Pieces<Ordered> {
    return yield* this.only(yield* this.setsOf(list, 1), EMPTY);
  }

  private *setsOf(list: number, side: 0 | 1): Pieces<Ordered> {
    const sets: number[] = [];
    for (const holder of this.lists.values(list)) {
      const set = this.holders.values(holder)[side] as number;
      if (set !== 0) sets.push(set);
    }
    return yield* orderedInPieces(sets);
  }

  /** What is in one of some sets, and in none of the others. */
  private *only(some: Ordered, others: Ordered): Pieces<Ordered> {
    if (some.length === 0) return EMPTY;
    const valuesOf = (sets: Ordered): readonly Ordered[] =>
      sets.map((set) => this.sets.values(set));
    return without(yield* union(valuesOf(some)), yield* union(valuesOf(others)));
  }
}

const UNKNOWN = -1;
const NO_HOLDER = -1;

/** Finds the holders that nodes reach at two moments. */
export class Reaches {
  /** 1 at the place of each node that gains other nodes at one moment than at the other; else 0. */
  private readonly isMoved: Uint8Array;
  /** The lists of nodes at the two moments; those of a node that did not move are at the later one. */
  private readonly found: readonly [Int32Array, Int32Array];
  private readonly holders: Int32Array;
  private readonly met: Int32Array;
  private mark = 0;
  private readonly effort = new Effort();

  constructor(
    private readonly holdings: Holdings,
    private readonly sides: readonly [Side, Side],
    moved: Iterable<number>,
    nodes: number,
  ) {
    const unknown = (): Int32Array => new Int32Array(nodes).fill(UNKNOWN);
    this.found = [unknown(), unknown()];
    this.holders = new Int32Array(nodes).fill(UNKNOWN - 1);
    this.met = new Int32Array(nodes);
    this.isMoved = new Uint8Array(nodes);
    for (const node of moved) this.isMoved[node] = 1;
  }

  /** The lists of holders that nodes reach at the two moments. */
  *listsOf(from: readonly number[], to: readonly number[]): Pieces<readonly [number, number]> {
    const [node] = from;
    const isSame =
      from.length === 1 && to.length === 1 && node === to[0] && this.isMoved[node ?? 0] !== 1;
    const later = yield* this.listFrom(to, 1);
    return [isSame ? later : yield* this.listFrom(from, 0), later];
  }

  private *listFrom(starts: readonly number[], side: 0 | 1): Pieces<number> {
    const found = new Set<number>();
    for (const node of starts) found.add(yield* this.listOf(node, side));
    return yield* this.together(found, EMPTY);
  }

  /** The list of all holders in some lists, and of some more. */
  private *together(numbers: ReadonlySet<number>, more: Ordered): Pieces<number> {
    const { lists } = this.holdings;
    const some = [...numbers].filter((number) => number !== 0);
    const [only] = some;
    if (only !== undefined && some.length === 1 && more.length === 0) return only;
    return lists.add(yield* union([more, ...some.map((number) => lists.values(number))]));
  }

  /** The holders that a node reaches, itself and those that other nodes reach which it gains. */
  private *listOf(node: number, side: 0 | 1): Pieces<number> {
    const found = this.foundOf(node, side);
    const known = found[node] as number;
    if (known !== UNKNOWN) return known;
    const holder = yield* this.holderOf(node);
    const reached = new Set<number>();
    for (const next of yield* this.sides[side].nextOf(node)) {
      if (this.effort.isTired(1)) yield;
      reached.add(yield* this.walked(next, side));
    }
    const list = yield* this.together(reached, holder === NO_HOLDER ? EMPTY : [holder]);
    found[node] = list;
    return list;
  }

  private *walked(start: number, side: 0 | 1): Pieces<number> {
    const found = this.foundOf(start, side);
    const before = found[start] as number;
    if (before !== UNKNOWN) return before;
    const { met } = this;
    this.mark += 1;
    const { mark } = this;
    const reached = [start];
    const holders: number[] = [];
    met[start] = mark;
    // The list grows during the loop.
    for (let place = 0; place < reached.length; place += 1) {
      if (this.effort.isTired(1)) yield;
      const node = reached[place] as number;
      const known = this.foundOf(node, side)[node] as number;
      if (known !== UNKNOWN) {
        const values = this.holdings.lists.values(known);
        if (this.effort.isTired(values.length)) yield;
        for (const each of values) holders.push(each);
        continue;
      }
      const holder = yield* this.holderOf(node);
      if (holder !== NO_HOLDER) holders.push(holder);
      for (const next of yield* this.sides[side].nextOf(node)) {
        if (met[next] === mark) continue;
        met[next] = mark;
        reached.push(next);
      }
    }
    const list = this.holdings.lists.add(yield* orderedInPieces(holders));
    found[start] = list;
    return list;
  }

  private foundOf(node: number, side: 0 | 1): Int32Array {
    return this.found[this.isMoved[node] === 1 ? side : 1];
  }

  /** What a node itself holds at both moments; `NO_HOLDER` if that is nothing. */
  private *holderOf(node: number): Pieces<number> {
    const known = this.holders[node] as number;
    if (known >= NO_HOLDER) return known;
    const { sets, holders } = this.holdings;
    const from = sets.add(yield* this.sides[0].heldBy(node));
    const to = sets.add(yield* this.sides[1].heldBy(node));
    const holder = from === 0 && to === 0 ? NO_HOLDER : holders.add([from, to]);
    this.holders[node] = holder;
    return holder;
  }
}
