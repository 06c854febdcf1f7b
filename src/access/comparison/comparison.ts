import type { AccessGraph } from '../access-graph';
import { byName, type EffectiveAccess, type NativePermission } from '../effective-access';
import { GAINED } from '../relationship-types';
import { typesOf } from '../walk';
import { affectedBetween, type Moments, type WantedChanges } from './affected';
import { type Difference, Holdings, Reaches } from './holdings';
import { either, EMPTY } from './ordered';
import { byKey, Effort, type Pieces, spread, STEPS } from '../pieces';
import { Numbers, Side } from './side';

/*
 * Compares what everybody can do at two moments of one graph (docs/rules.md: Changes of access). The
 * result is sets: these principals gained and lost these permissions on these targets. Pairs of a
 * principal and a target are made when somebody wants to see them.
 */

export type { Moments, Pieces, WantedChanges };

const GAIN = typesOf(GAINED);

/** How many principals are one piece. */
const PRINCIPALS = 32;

/** What a principal gained and lost on a target. Both are ordered by name. */
export interface ChangedPair {
  readonly principal: number;
  readonly target: number;
  readonly gained: readonly NativePermission[];
  readonly lost: readonly NativePermission[];
}

/** What the changes come to. */
export interface ChangeCounts {
  /** Permissions of a principal on a target. */
  readonly gained: number;
  readonly lost: number;
  readonly principals: number;
  readonly targets: number;
  readonly pairs: number;
}

/** Principals who gained and lost the same, and why: by what they reach at each moment. */
interface Group {
  /** The lists of holders that they reach. */
  readonly from: number;
  readonly to: number;
  readonly gained: number;
  readonly lost: number;
  /** How many targets have a change. */
  readonly pairs: number;
}

/** Principals in groups, by what they reach. */
class Groups {
  /** All targets on which somebody gained or lost something. */
  readonly targets = new Set<number>();
  private readonly known = new Map<number, Map<number, Group>>();
  private readonly effort = new Effort();

  constructor(
    private readonly holdings: Holdings,
    private readonly numbers: Numbers,
    private readonly change: WantedChanges['change'],
  ) {}

  /** The group of those who reach some holders at the earlier moment, and others later. */
  *of(from: number, to: number): Pieces<Group> {
    const ofFrom = this.known.get(from) ?? new Map<number, Group>();
    const known = ofFrom.get(to);
    if (known !== undefined) return known;
    this.known.set(from, ofFrom);
    const { gained, lost } = narrowed(yield* this.holdings.difference(from, to), this.change);
    let pairs = 0;
    let last = -1;
    for (const number of either(gained, lost)) {
      if (this.effort.isTired(1)) yield;
      const target = this.numbers.target(number);
      if (target === last) continue;
      last = target;
      pairs += 1;
      this.targets.add(target);
    }
    const counts = { gained: gained.length, lost: lost.length, pairs };
    const group: Group = { from, to, ...counts };
    ofFrom.set(to, group);
    return group;
  }
}

/** An order of all principals whose access changed. */
export interface PrincipalOrder {
  readonly principals: readonly number[];
  /** The text by which a principal is ordered; each has another one. */
  readonly textOf: (principal: number) => string;
}

/** What everybody gained and lost between two moments, as sets. */
export class Comparison {
  constructor(
    private readonly graph: AccessGraph,
    private readonly holdings: Holdings,
    private readonly numbers: Numbers,
    private readonly change: WantedChanges['change'],
    readonly counts: ChangeCounts,
    /** Those whose access changed, in the order of their keys. */
    readonly principals: readonly number[],
    private readonly groupOf: ReadonlyMap<number, Group>,
  ) {}

  /** How many numbers it holds, about. */
  get size(): number {
    return this.principals.length * 2 + this.holdings.sets.size + this.holdings.lists.size;
  }

  /** The order of the keys of principals. */
  get byKey(): PrincipalOrder {
    return { principals: this.principals, textOf: (principal) => this.graph.key(principal) };
  }

  /** Some pairs in an order of principals, then of the keys of targets, behind one of these. */
  *pairs(
    size: number,
    after: readonly [principal: string, target: string] | null,
    { principals, textOf }: PrincipalOrder = this.byKey,
  ): Pieces<readonly ChangedPair[]> {
    const pairs: ChangedPair[] = [];
    const effort = new Effort();
    const first = after === null ? 0 : firstFrom(after[0], principals, textOf);
    for (let place = first; place < principals.length; place += 1) {
      if (pairs.length >= size) break;
      const principal = principals[place] as number;
      const isFirst = after !== null && textOf(principal) === after[0];
      const behind = isFirst ? after[1] : '';
      pairs.push(...(yield* this.pairsOf(principal, size - pairs.length, behind, effort)));
    }
    return pairs;
  }

  /** Visits all whose access changed, with how many permissions they gained and lost. */
  *each(visit: (principal: number, gained: number, lost: number) => void): Pieces<void> {
    const effort = new Effort();
    for (const principal of this.principals) {
      if (effort.isTired(1)) yield;
      const group = this.groupOf.get(principal);
      visit(principal, group?.gained ?? 0, group?.lost ?? 0);
    }
  }

  /** How many pairs are behind one in an order, of principals that follow each other while `isMeant`. */
  *countBehind(
    [principal, target]: readonly [principal: string, target: string],
    isMeant: (principal: number) => boolean,
    { principals, textOf }: PrincipalOrder = this.byKey,
  ): Pieces<number> {
    const effort = new Effort();
    let count = 0;
    for (let place = firstFrom(principal, principals, textOf); ; place += 1) {
      if (effort.isTired(1)) yield;
      const one = principals[place];
      if (one === undefined || !isMeant(one)) return count;
      const group = this.groupOf.get(one);
      if (group === undefined) continue;
      count +=
        textOf(one) === principal
          ? (yield* this.targetsOf(yield* this.differenceOf(group), target, effort)).length
          : group.pairs;
    }
  }

  private *differenceOf({ from, to }: Group): Pieces<Difference> {
    return narrowed(yield* this.holdings.difference(from, to), this.change);
  }

  /** The targets of a difference that have keys behind one. */
  private *targetsOf(
    { gained, lost }: Difference,
    behind: string,
    effort: Effort,
  ): Pieces<readonly number[]> {
    const targets = new Set<number>();
    for (const number of either(gained, lost)) {
      if (effort.isTired(1)) yield;
      const target = this.numbers.target(number);
      if (this.graph.key(target) > behind) targets.add(target);
    }
    return [...targets];
  }

  /** The first `most` pairs of a principal, of those whose targets have keys behind one. */
  private *pairsOf(
    principal: number,
    most: number,
    behind: string,
    effort: Effort,
  ): Pieces<ChangedPair[]> {
    const group = this.groupOf.get(principal);
    if (group === undefined) return [];
    const { gained, lost } = yield* this.differenceOf(group);
    const targets = yield* this.targetsOf({ gained, lost }, behind, effort);
    const first = (yield* byKey(this.graph, targets)).slice(0, most);
    const natives = (): NativePermission[] => [];
    const found = new Map(first.map((target) => [target, { gained: natives(), lost: natives() }]));
    for (const [change, numbers] of [['gained', gained] as const, ['lost', lost] as const]) {
      for (const number of numbers) {
        if (effort.isTired(1)) yield;
        found.get(this.numbers.target(number))?.[change].push(this.numbers.native(number));
      }
    }
    const pairs: ChangedPair[] = [];
    for (const [target, pair] of found) {
      if (effort.isTired(pair.gained.length + pair.lost.length)) yield;
      const sorted = { gained: pair.gained.sort(byName), lost: pair.lost.sort(byName) };
      pairs.push({ principal, target, ...sorted });
    }
    return pairs;
  }
}

/** Where the first principal is that is not ordered before a text. */
const firstFrom = (
  text: string,
  principals: readonly number[],
  textOf: PrincipalOrder['textOf'],
): number => {
  let [low, high] = [0, principals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textOf(principals[middle] as number) < text) low = middle + 1;
    else high = middle;
  }
  return low;
};

const narrowed = (difference: Difference, change: WantedChanges['change']): Difference =>
  change === null ? difference : { gained: EMPTY, lost: EMPTY, [change]: difference[change] };

/** The nodes from which somebody gains other nodes at one moment than at the other, and all who gain these. */
function* movedBetween(
  { walk, graph }: EffectiveAccess,
  moments: Moments,
  sides: readonly [Side, Side],
  changed: readonly number[],
): Pieces<readonly number[]> {
  const starts = new Set<number>();
  const check = function* (node: number): Pieces<void> {
    const earlier = yield* sides[0].nextOf(node);
    const later = yield* sides[1].nextOf(node);
    const known = new Set(earlier);
    const isSame = earlier.length === later.length && later.every((next) => known.has(next));
    if (!isSame) starts.add(node);
  };
  const effort = new Effort();
  for (const node of changed) {
    if (effort.isTired(1)) yield;
    yield* check(node);
    // What an assignment is of, its holder gains.
    if (graph.kind(node)?.isEntitlement !== true) continue;
    for (const moment of moments) {
      for (const holder of walk.previous(node, GAIN, moment)) {
        if (effort.isTired(1)) yield;
        yield* check(holder);
      }
    }
  }
  return yield* spread(graph, starts, (node, visit) => {
    for (const moment of moments) walk.eachPrevious(node, GAIN, moment, visit);
  });
}

/** Compares what everybody can do at two moments. */
export function* compareAccess(
  access: EffectiveAccess,
  moments: Moments,
  wanted: WantedChanges,
): Pieces<Comparison> {
  const { graph } = access;
  const affected = yield* affectedBetween(access, moments, wanted);
  const numbers = new Numbers(2 * graph.nodeCount + 1);
  const sides: readonly [Side, Side] = [
    new Side(access, moments[0], numbers),
    new Side(access, moments[1], numbers),
  ];
  for (const [place, target] of affected.targets.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    for (const side of sides) side.addTarget(target);
  }
  const moved = yield* movedBetween(access, moments, sides, affected.moved);
  const holdings = new Holdings();
  const reaches = new Reaches(holdings, sides, moved, graph.nodeCount);
  const groups = new Groups(holdings, numbers, wanted.change);
  const groupOf = new Map<number, Group>();
  const changed: number[] = [];
  const total = { gained: 0, lost: 0, pairs: 0 };
  const actingAt = (who: number, side: 0 | 1): readonly number[] =>
    graph.exists(who, moments[side]) ? access.acting(who, moments[side]) : EMPTY;
  const isAnywhere = affected.targets.length > 0;
  for (const [place, who] of (isAnywhere ? affected.principals : []).entries()) {
    if (place % PRINCIPALS === PRINCIPALS - 1) yield;
    const group = yield* groups.of(...(yield* reaches.listsOf(actingAt(who, 0), actingAt(who, 1))));
    if (group.pairs === 0) continue;
    total.gained += group.gained;
    total.lost += group.lost;
    total.pairs += group.pairs;
    groupOf.set(who, group);
    changed.push(who);
  }
  const principals = yield* byKey(graph, changed);
  const counts = { ...total, principals: principals.length, targets: groups.targets.size };
  return new Comparison(graph, holdings, numbers, wanted.change, counts, principals, groupOf);
}
