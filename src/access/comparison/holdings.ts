import { type Pieces, STEPS } from '../pieces';
import { Interned } from './interned';
import { either, EMPTY, type Ordered, ordered, without } from './ordered';
import type { Side } from './side';

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
  difference(from: number, to: number): Difference {
    const [earlier, later] = [this.setsOf(from, 0), this.setsOf(to, 1)];
    const [gone, come] = [without(earlier, later), without(later, earlier)];
    if (gone.length === 0 && come.length === 0) return NOTHING;
    return { gained: this.only(come, earlier), lost: this.only(gone, later) };
  }

  private setsOf(list: number, side: 0 | 1): Ordered {
    const sets: number[] = [];
    for (const holder of this.lists.values(list)) {
      const set = this.holders.values(holder)[side] as number;
      if (set !== 0) sets.push(set);
    }
    return ordered(sets);
  }

  /** What is in one of some sets, and in none of the others. */
  private only(some: Ordered, others: Ordered): Ordered {
    let all = EMPTY;
    for (const set of some) all = either(all, this.sets.values(set));
    for (const set of others) all = without(all, this.sets.values(set));
    return all;
  }
}

const UNKNOWN = -1;
const NO_HOLDER = -1;

/** Finds the holders that nodes reach at two moments. */
export class Reaches {
  /** 1 of nodes from which somebody else is gained at one moment than at the other. */
  private readonly isMoved: Uint8Array;
  /** The lists of nodes at the two moments; those of a node that did not move are at the later one. */
  private readonly found: readonly [Int32Array, Int32Array];
  private readonly holders: Int32Array;
  private readonly met: Int32Array;
  private mark = 0;

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
    let list = 0;
    for (const node of starts) list = this.both(list, yield* this.listOf(node, side));
    return list;
  }

  private both(one: number, other: number): number {
    if (one === other || other === 0) return one;
    if (one === 0) return other;
    const { lists } = this.holdings;
    return lists.add(either(lists.values(one), lists.values(other)));
  }

  /** The holders that a node reaches, itself and those that other nodes reach which it gains. */
  private *listOf(node: number, side: 0 | 1): Pieces<number> {
    const found = this.foundOf(node, side);
    const known = found[node] as number;
    if (known !== UNKNOWN) return known;
    const { lists } = this.holdings;
    const holder = yield* this.holderOf(node);
    let one = 0;
    let all: Ordered = holder === NO_HOLDER ? EMPTY : [holder];
    for (const next of this.sides[side].nextOf(node)) {
      const list = yield* this.walked(next, side);
      if (list === 0 || list === one) continue;
      all = either(all, lists.values(list));
      one = list;
    }
    const list = all === lists.values(one) ? one : lists.add(all);
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
      if (place % STEPS === STEPS - 1) yield;
      const node = reached[place] as number;
      const known = this.foundOf(node, side)[node] as number;
      if (known !== UNKNOWN) {
        for (const holder of this.holdings.lists.values(known)) holders.push(holder);
        continue;
      }
      const holder = yield* this.holderOf(node);
      if (holder !== NO_HOLDER) holders.push(holder);
      for (const next of this.sides[side].nextOf(node)) {
        if (met[next] === mark) continue;
        met[next] = mark;
        reached.push(next);
      }
    }
    const list = this.holdings.lists.add(ordered(holders));
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
