import { type AccessGraph, NONE } from './access-graph';
import type { EffectiveAccess, Give, NativePermission } from './effective-access';
import type { Moment } from './instants';
import { Interned } from './interned';
import { at } from './memory';
import { ACCESS_TYPES, type AccessType, GAINED } from './relationship-types';
import { type Types, typesOf } from './walk';

/*
 * Compares what everybody can do at two moments of one graph (docs/rules.md: Changes of access). The
 * result is sets: these principals gained and lost these permissions on these targets. Pairs of a
 * principal and a target are made when somebody wants to see them.
 */

/** Work in pieces: between two of them somebody else may have the thread. */
export type Pieces<A> = Generator<undefined, A>;

/** Two moments of a graph, the earlier one first. */
export type Moments = readonly [from: Moment, to: Moment];

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

/** Which changes are wanted. */
export interface WantedChanges {
  /** Only changes on this target; `null` means on all. */
  readonly target: number | null;
  /** Whether changes on a target count. */
  readonly isCounted: (target: number) => boolean;
  /** Only what was gained, or only what was lost; `null` means both. */
  readonly change: 'gained' | 'lost' | null;
}

const GAIN = typesOf(GAINED);
const GAIN_OR_ALLOWS = typesOf([...GAINED, 'ALLOWS']);
const HOLDS = typesOf(['HOLDS']);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);
const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);
/** What leads from a grant or an assignment to its permissions. */
const GIVES: readonly AccessType[] = ['OF', 'INCLUDES', 'ALLOWS'];
const GIVING = typesOf(GIVES);

/** How many steps of a walk, rows of a scan or principals are one piece. */
const STEPS = 4_096;
const ROWS = 200_000;
const PRINCIPALS = 256;

/** The sets of nodes from which the walks to the affected principals and targets begin. */
type Start =
  'inside' | 'near' | 'connected' | 'resolved' | 'external' | 'given' | 'carried' | 'scopes';

type Starts = Readonly<Record<Start, Set<number>>>;

const noStarts = (): Starts => ({
  ...{ inside: new Set(), near: new Set(), connected: new Set(), resolved: new Set() },
  ...{ external: new Set(), given: new Set(), carried: new Set(), scopes: new Set() },
});

/** Into which sets the ends of a relationship go that holds at only one of the moments. */
const STARTS: Readonly<Partial<Record<AccessType, readonly [from: readonly Start[], to: Start]>>> =
  {
    CONTAINS: [['inside'], 'scopes'],
    ON: [['near'], 'scopes'],
    CONNECTS_TO: [['connected'], 'external'],
    RESOLVES_TO: [['resolved'], 'given'],
  };

const startsOf = (type: AccessType): readonly [from: readonly Start[], to: Start] =>
  STARTS[type] ?? [GIVES.includes(type) ? ['near', 'carried'] : ['near'], 'given'];

const STARTS_BY_TYPE = ACCESS_TYPES.map(startsOf);

/** Where the access of principals may differ, and who they are. */
interface Affected {
  readonly principals: readonly number[];
  readonly targets: readonly number[];
  /** Nodes from which relationships lead that hold at only one of the moments. */
  readonly moved: readonly number[];
}

/** What holds at only one of two moments. */
function* changedBetween(
  graph: AccessGraph,
  [from, to]: Moments,
): Pieces<{ readonly starts: Starts; readonly moved: ReadonlySet<number> }> {
  const starts = noStarts();
  const moved = new Set<number>();
  const count = graph.nodeCount;
  const isThere = [from, to].map(() => new Uint8Array(count)) as [Uint8Array, Uint8Array];
  for (let node = 0; node < count; node += 1) {
    if (node % ROWS === ROWS - 1) yield;
    const [earlier, later] = [graph.version(node, from), graph.version(node, to)];
    if (earlier !== NONE) isThere[0][node] = 1;
    if (later !== NONE) isThere[1][node] = 1;
    if (earlier === later || earlier === NONE || later === NONE) continue;
    const kind = graph.kind(node);
    if (kind === null || graph.decideAlike(earlier, later)) continue;
    if (kind.isPermission) {
      starts.near.add(node);
      starts.carried.add(node);
    } else if (kind.isResource || kind.isApplication) {
      starts.inside.add(node);
      starts.scopes.add(node);
    }
  }
  const { from: froms, to: ends, type, since, until } = graph.adjacency;
  const holds = (place: number, there: Uint8Array, moment: Moment): boolean =>
    there[at(froms, place)] === 1 &&
    there[at(ends, place)] === 1 &&
    graph.instants.isWithin(at(since, place), at(until, place), moment);
  for (let place = 0; place < graph.relationshipCount; place += 1) {
    if (place % ROWS === ROWS - 1) yield;
    if (holds(place, isThere[0], from) === holds(place, isThere[1], to)) continue;
    const [first, last] = [at(froms, place), at(ends, place)];
    const [intoFirst, intoLast] = STARTS_BY_TYPE[at(type, place)] ?? [['near'], 'given'];
    for (const name of intoFirst) starts[name].add(first);
    starts[intoLast].add(last);
    moved.add(first);
  }
  return { starts, moved };
}

/** Some nodes, and all to which a step leads from them. */
function* spread(
  graph: AccessGraph,
  starts: Iterable<number>,
  step: (node: number, visit: (far: number) => void) => void,
): Pieces<readonly number[]> {
  const met = new Uint8Array(graph.nodeCount);
  const found: number[] = [];
  const visit = (node: number): void => {
    if (met[node] !== 0) return;
    met[node] = 1;
    found.push(node);
  };
  for (const node of starts) visit(node);
  // The list grows during the loop.
  for (let place = 0; place < found.length; place += 1) {
    if (place % STEPS === STEPS - 1) yield;
    step(found[place] as number, visit);
  }
  return found;
}

/** Walks from what changed to the principals and targets between which access may differ. */
function* affectedAt(
  { walk, graph }: EffectiveAccess,
  starts: Starts,
  moment: Moment,
): Pieces<{ readonly who: readonly number[]; readonly targets: readonly number[] }> {
  const back = (from: Iterable<number>, types: Types): Pieces<readonly number[]> =>
    spread(graph, from, (node, visit) => walk.eachPrevious(node, types, moment, visit));
  const on = (from: Iterable<number>, types: Types): Pieces<readonly number[]> =>
    spread(graph, from, (node, visit) => walk.eachNext(node, types, moment, visit));
  /** The nodes to which one step leads, and these. */
  const oneBack = (from: Iterable<number>, types: Types, more: Iterable<number>): Set<number> => {
    const found = new Set(more);
    for (const node of from) walk.eachPrevious(node, types, moment, (far) => found.add(far));
    return found;
  };
  const oneOn = (from: Iterable<number>, types: Types, more: Iterable<number>): Set<number> => {
    const found = new Set(more);
    for (const node of from) walk.eachNext(node, types, moment, (far) => found.add(far));
    return found;
  };
  const around = yield* back(starts.inside, CONTAINS);
  const who = yield* back(oneBack(around, ON, starts.near), GAIN_OR_ALLOWS);
  yield;
  const resolved = oneBack(who, RESOLVES_TO, starts.resolved);
  const connected = oneBack(resolved, CONNECTS_TO, starts.connected);
  const given = oneOn(starts.external, RESOLVES_TO, starts.given);
  const held = yield* on(given, GAIN);
  yield;
  const carrying = yield* back(starts.carried, GIVING);
  const scopes = oneOn(carrying, ON, oneOn(held, ON, starts.scopes));
  const targets = yield* on(scopes, CONTAINS);
  return {
    who: [
      ...who.filter((node) => graph.kind(node)?.isPrincipal === true),
      ...[...connected].filter((node) => graph.kind(node)?.isResource === true),
    ],
    targets,
  };
}

/** All between whom access may differ; of one target, all who reach it at one of the moments. */
function* affectedBetween(
  access: EffectiveAccess,
  moments: Moments,
  { target, isCounted }: WantedChanges,
): Pieces<Affected> {
  const { starts, moved } = yield* changedBetween(access.graph, moments);
  const begins = noStarts();
  if (target !== null) begins.inside.add(target);
  const principals = new Set<number>();
  const targets = new Set<number>(target === null ? [] : [target]);
  const hasStarts = Object.values(starts).some((nodes) => nodes.size > 0);
  for (const moment of hasStarts ? moments : []) {
    const found = yield* affectedAt(access, target === null ? starts : begins, moment);
    for (const node of found.who) principals.add(node);
    if (target === null) for (const node of found.targets) targets.add(node);
  }
  return {
    principals: [...principals],
    targets: [...targets].filter((node) => {
      const kind = access.graph.kind(node);
      return (kind?.isResource === true || kind?.isApplication === true) && isCounted(node);
    }),
    moved: [...moved],
  };
}

/** A give, with the number of its permission. */
interface NumberedGive {
  readonly give: Give;
  readonly number: number;
}

/** What holds on the affected targets at one of the moments, node by node. */
class Side {
  /** The affected targets that each scope is or contains. */
  readonly inside = new Map<number, number[]>();
  private readonly gives = new Map<number, readonly NumberedGive[]>();
  private readonly nexts = new Map<number, readonly number[]>();

  constructor(
    private readonly access: EffectiveAccess,
    readonly moment: Moment,
    private readonly numbers: Numbers,
  ) {}

  /** Notes an affected target, if it exists at this moment. */
  addTarget(target: number): void {
    const { graph, walk } = this.access;
    if (!graph.exists(target, this.moment)) return;
    for (const scope of walk.to([target], CONTAINS, this.moment)) {
      const inside = this.inside.get(scope);
      if (inside === undefined) this.inside.set(scope, [target]);
      else inside.push(target);
    }
  }

  /** The nodes that a node gains, except entitlements and permissions. */
  nextOf(node: number): readonly number[] {
    const known = this.nexts.get(node);
    if (known !== undefined) return known;
    const { graph, walk } = this.access;
    const next = new Set<number>();
    walk.eachNext(node, GAIN, this.moment, (far) => {
      if (graph.kind(far)?.isEntitlement !== true) next.add(far);
      else {
        walk.eachNext(far, GAIN, this.moment, (given) => {
          if (graph.kind(given)?.isPermission !== true) next.add(given);
        });
      }
    });
    const found = next.size === 0 ? NO_NODES : [...next];
    this.nexts.set(node, found);
    return found;
  }

  /** What a node itself holds on affected targets, as numbers of a target with a permission. */
  heldBy(node: number): readonly number[] {
    const { graph, walk } = this.access;
    const { moment } = this;
    const held: number[] = [];
    walk.eachNext(node, HOLDS, moment, (entitlement) => {
      if (graph.kind(entitlement)?.isEntitlement !== true) return;
      const scopes: number[] = [];
      walk.eachNext(entitlement, ON, moment, (scope) => {
        if (this.inside.has(scope)) scopes.push(scope);
      });
      if (scopes.length === 0) return;
      walk.eachNext(entitlement, OF, moment, (given) => {
        for (const { give, number } of this.givesOf(given)) {
          for (const scope of scopes) {
            for (const target of this.inside.get(scope) ?? []) {
              const version = graph.version(target, moment);
              if (!this.access.isHolding(give, scope, target, version)) continue;
              held.push(this.numbers.of(target, number));
            }
          }
        }
      });
    });
    return held.length === 0 ? NO_NODES : distinct(held);
  }

  private givesOf(given: number): readonly NumberedGive[] {
    const known = this.gives.get(given);
    if (known !== undefined) return known;
    const gives = this.access
      .givesOf(given, this.moment)
      .map((give) => ({ give, number: this.numbers.permission(give.native) }));
    this.gives.set(given, gives);
    return gives;
  }
}

const NO_NODES: readonly number[] = [];

const ascending = (a: number, b: number): number => a - b;

/** Numbers in order, each once. */
const distinct = (numbers: readonly number[]): readonly number[] => {
  const inOrder = [...numbers].sort(ascending);
  return inOrder.filter((number, place) => number !== inOrder[place - 1]);
};

/** Whether an ordered list has a number. */
const has = (numbers: readonly number[], number: number): boolean => {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number;
};

/** Numbers permissions, and pairs of a target and a permission. */
class Numbers {
  readonly natives: NativePermission[] = [];
  private readonly known = new Map<NativePermission, number>();

  /** At each moment a permission has at most one name. */
  constructor(private readonly most: number) {}

  permission(native: NativePermission): number {
    const known = this.known.get(native);
    if (known !== undefined) return known;
    this.natives.push(native);
    this.known.set(native, this.natives.length - 1);
    return this.natives.length - 1;
  }

  of(target: number, permission: number): number {
    return target * this.most + permission;
  }

  target(number: number): number {
    return Math.floor(number / this.most);
  }

  native(number: number): NativePermission {
    return this.natives[number % this.most] as NativePermission;
  }
}

/** What all principals of a group gained and lost. */
interface Difference {
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

/** Principals who gained and lost the same, and why: by what they reach at each moment. */
interface Group {
  /** The lists of holders that they reach. */
  readonly from: number;
  readonly to: number;
  principals: number;
  readonly gained: number;
  readonly lost: number;
  /** How many targets have a change. */
  readonly pairs: number;
}

const NOTHING: Difference = { gained: NO_NODES, lost: NO_NODES };

/** What nodes hold and reach, as numbers. */
class Holdings {
  /** What a node holds on affected targets; 0 is nothing. */
  readonly sets = new Interned();
  /** What a holder holds at the earlier and at the later moment: two of these sets. */
  readonly holders = new Interned();
  /** The holders that a node reaches; 0 is nobody. */
  readonly lists = new Interned();

  constructor() {
    this.sets.add(NO_NODES);
    this.lists.add(NO_NODES);
  }

  /** What those who reach these holders gained and lost. */
  difference(from: number, to: number): Difference {
    const [earlier, later] = [this.setsOf(from, 0), this.setsOf(to, 1)];
    const [gone, come] = [
      earlier.filter((set) => !has(later, set)),
      later.filter((set) => !has(earlier, set)),
    ];
    if (gone.length === 0 && come.length === 0) return NOTHING;
    return { gained: this.without(come, earlier), lost: this.without(gone, later) };
  }

  private setsOf(list: number, side: 0 | 1): readonly number[] {
    const sets = this.lists.values(list).map((holder) => this.holders.values(holder)[side] ?? 0);
    return distinct(sets.filter((set) => set !== 0));
  }

  /** What is in one of some sets, and in none of the others. */
  private without(some: readonly number[], others: readonly number[]): readonly number[] {
    const all =
      some.length === 1
        ? this.sets.values(some[0] as number)
        : distinct(some.flatMap((set) => this.sets.values(set)));
    const sets = others.map((set) => this.sets.values(set));
    return all.filter((number) => !sets.some((set) => has(set, number)));
  }
}

/** Finds what nodes reach at two moments. */
class Reaches {
  private readonly isMoved: Uint8Array;
  private readonly holders = new Map<number, number>();
  /** The lists of nodes at the two moments; those of a node that did not move are at the later one. */
  private readonly found: readonly [Map<number, number>, Map<number, number>];
  private readonly met: Int32Array;
  private mark = 0;

  constructor(
    private readonly graph: AccessGraph,
    private readonly holdings: Holdings,
    private readonly sides: readonly [Side, Side],
    moved: Iterable<number>,
  ) {
    this.met = new Int32Array(graph.nodeCount);
    this.isMoved = new Uint8Array(graph.nodeCount);
    for (const node of moved) this.isMoved[node] = 1;
    this.found = [new Map(), new Map()];
  }

  /** The lists of holders that some nodes reach at the two moments. */
  listsOf(acting: readonly [readonly number[], readonly number[]]): readonly [number, number] {
    const [from, to] = acting;
    const isSame =
      from.length === 1 && to.length === 1 && from[0] === to[0] && this.isMoved[from[0] ?? 0] !== 1;
    const later = this.listFrom(to, 1);
    return [isSame ? later : this.listFrom(from, 0), later];
  }

  private listFrom(starts: readonly number[], side: 0 | 1): number {
    const [only, ...others] = starts;
    if (only === undefined) return 0;
    if (others.length === 0) return this.listOf(only, side);
    return this.holdings.lists.add(
      distinct(starts.flatMap((node) => this.holdings.lists.values(this.listOf(node, side)))),
    );
  }

  /** What a node reaches: itself, and what lists of others know. */
  private listOf(node: number, side: 0 | 1): number {
    const found = this.found[this.isMoved[node] === 1 ? side : 1];
    const known = found.get(node);
    if (known !== undefined) return known;
    for (const next of this.sides[side].nextOf(node)) {
      const of = this.found[this.isMoved[next] === 1 ? side : 1];
      if (!of.has(next)) of.set(next, this.walked(next, side));
    }
    const list = this.walked(node, side);
    found.set(node, list);
    return list;
  }

  private walked(start: number, side: 0 | 1): number {
    const { met } = this;
    this.mark += 1;
    const { mark } = this;
    const reached = [start];
    const holders: number[] = [];
    met[start] = mark;
    // The list grows during the loop.
    for (let place = 0; place < reached.length; place += 1) {
      const node = reached[place] as number;
      const known = place === 0 ? undefined : this.known(node, side);
      if (known !== undefined) {
        for (const holder of this.holdings.lists.values(known)) holders.push(holder);
        continue;
      }
      const holder = this.holderOf(node);
      if (holder !== NO_HOLDER) holders.push(holder);
      for (const next of this.sides[side].nextOf(node)) {
        if (met[next] === mark) continue;
        met[next] = mark;
        reached.push(next);
      }
    }
    return this.holdings.lists.add(distinct(holders));
  }

  private known(node: number, side: 0 | 1): number | undefined {
    return this.found[this.isMoved[node] === 1 ? side : 1].get(node);
  }

  /** What a node itself holds at both moments; `NO_HOLDER` if that is nothing. */
  private holderOf(node: number): number {
    const known = this.holders.get(node);
    if (known !== undefined) return known;
    const [from, to] = this.sides.map((side) =>
      this.graph.exists(node, side.moment) ? this.holdings.sets.add(side.heldBy(node)) : 0,
    ) as [number, number];
    const holder = from === 0 && to === 0 ? NO_HOLDER : this.holdings.holders.add([from, to]);
    this.holders.set(node, holder);
    return holder;
  }
}

const NO_HOLDER = -1;

/** What everybody gained and lost between two moments, as sets. */
export class Comparison {
  /** Those whose access changed, in the order of their keys, and their groups. */
  private readonly principals: readonly number[];
  private readonly groupOf: ReadonlyMap<number, Group>;
  readonly counts: ChangeCounts;

  constructor(
    private readonly graph: AccessGraph,
    private readonly holdings: Holdings,
    private readonly numbers: Numbers,
    private readonly change: WantedChanges['change'],
    {
      principals,
      groupOf,
      targets,
    }: {
      readonly principals: readonly number[];
      readonly groupOf: ReadonlyMap<number, Group>;
      readonly targets: number;
    },
  ) {
    this.principals = principals;
    this.groupOf = groupOf;
    let [gained, lost, pairs] = [0, 0, 0];
    for (const group of new Set(groupOf.values())) {
      gained += group.principals * group.gained;
      lost += group.principals * group.lost;
      pairs += group.principals * group.pairs;
    }
    this.counts = { gained, lost, pairs, principals: principals.length, targets };
  }

  /** How many numbers it holds, about. */
  get size(): number {
    return this.principals.length * 2 + this.holdings.sets.size + this.holdings.lists.size;
  }

  /** Some pairs in the order of their keys, behind those of two keys. */
  pairs(size: number, after: readonly [principal: string, target: string] | null): ChangedPair[] {
    const pairs: ChangedPair[] = [];
    for (let place = this.placeOf(after?.[0] ?? ''); place < this.principals.length; place += 1) {
      if (pairs.length >= size) break;
      const principal = this.principals[place] as number;
      const isFirst = after !== null && this.graph.key(principal) === after[0];
      const its = this.pairsOf(principal);
      pairs.push(
        ...(isFirst ? its.filter(({ target }) => this.graph.key(target) > after[1]) : its).slice(
          0,
          size - pairs.length,
        ),
      );
    }
    return pairs;
  }

  private placeOf(key: string): number {
    let [low, high] = [0, this.principals.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.graph.key(this.principals[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private pairsOf(principal: number): readonly ChangedPair[] {
    const group = this.groupOf.get(principal);
    if (group === undefined) return [];
    const { gained, lost } = narrowed(this.holdings.difference(group.from, group.to), this.change);
    const byTarget = new Map<number, { gained: NativePermission[]; lost: NativePermission[] }>();
    const note = (numbers: readonly number[], into: 'gained' | 'lost'): void => {
      for (const number of numbers) {
        const target = this.numbers.target(number);
        const pair = byTarget.get(target) ?? { gained: [], lost: [] };
        pair[into].push(this.numbers.native(number));
        byTarget.set(target, pair);
      }
    };
    note(gained, 'gained');
    note(lost, 'lost');
    return [...byTarget]
      .map(([target, pair]) => ({ key: this.graph.key(target), target, pair }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ target, pair }) => ({
        ...{ principal, target },
        gained: pair.gained.sort(byName),
        lost: pair.lost.sort(byName),
      }));
  }
}

const byName = (a: NativePermission, b: NativePermission): number =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || (a.types < b.types ? -1 : 1);

const narrowed = (difference: Difference, change: WantedChanges['change']): Difference =>
  change === null ? difference : { ...NOTHING, [change]: difference[change] };

/** The nodes from which somebody gains other nodes at one moment than at the other, and all who gain these. */
function* movedBetween(
  { walk, graph }: EffectiveAccess,
  moments: Moments,
  sides: readonly [Side, Side],
  changed: readonly number[],
): Pieces<readonly number[]> {
  const starts = new Set<number>();
  const check = (node: number): void => {
    const [earlier, later] = sides.map((side) => side.nextOf(node)) as [
      readonly number[],
      readonly number[],
    ];
    const known = new Set(earlier);
    const isSame = earlier.length === later.length && later.every((next) => known.has(next));
    if (!isSame) starts.add(node);
  };
  for (const [place, node] of changed.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    check(node);
    // What an assignment is of, its holder gains.
    if (graph.kind(node)?.isEntitlement !== true) continue;
    for (const moment of moments) walk.eachPrevious(node, GAIN, moment, check);
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
  const reaches = new Reaches(graph, holdings, sides, moved);
  const groups = new Map<number, Map<number, Group>>();
  const groupOf = new Map<number, Group>();
  const changed: number[] = [];
  const targets = new Set<number>();
  const groupFor = (from: number, to: number): Group => {
    const ofFrom = groups.get(from) ?? new Map<number, Group>();
    groups.set(from, ofFrom);
    const known = ofFrom.get(to);
    if (known !== undefined) return known;
    const { gained, lost } = narrowed(holdings.difference(from, to), wanted.change);
    const own = new Set([...gained, ...lost].map((number) => numbers.target(number)));
    for (const target of own) targets.add(target);
    const group: Group = {
      ...{ from, to, principals: 0 },
      ...{ gained: gained.length, lost: lost.length, pairs: own.size },
    };
    ofFrom.set(to, group);
    return group;
  };
  const isAnywhere = affected.targets.length > 0;
  for (const [place, who] of (isAnywhere ? affected.principals : []).entries()) {
    if (place % PRINCIPALS === PRINCIPALS - 1) yield;
    const acting = moments.map((moment) =>
      graph.exists(who, moment) ? access.acting(who, moment) : NO_NODES,
    ) as unknown as readonly [readonly number[], readonly number[]];
    const group = groupFor(...reaches.listsOf(acting));
    if (group.pairs === 0) continue;
    group.principals += 1;
    groupOf.set(who, group);
    changed.push(who);
  }
  const principals = yield* byKey(graph, changed);
  return new Comparison(graph, holdings, numbers, wanted.change, {
    ...{ principals, groupOf, targets: targets.size },
  });
}

/** How many nodes are ordered in one piece. */
const ORDERED = 8_192;

/** Nodes in the order of their keys. */
function* byKey(graph: AccessGraph, nodes: readonly number[]): Pieces<readonly number[]> {
  interface Keyed {
    readonly key: string;
    readonly node: number;
  }
  let runs: Keyed[][] = [];
  for (let begin = 0; begin < nodes.length; begin += ORDERED) {
    const run = nodes
      .slice(begin, begin + ORDERED)
      .map((node) => ({ key: graph.key(node), node }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    runs.push(run);
    yield;
  }
  while (runs.length > 1) {
    const merged: Keyed[][] = [];
    for (let place = 0; place < runs.length; place += 2) {
      const [a = [], b = []] = runs.slice(place, place + 2);
      const both: Keyed[] = [];
      let [inA, inB] = [0, 0];
      while (inA < a.length || inB < b.length) {
        if (both.length % ORDERED === ORDERED - 1) yield;
        const [first, second] = [a[inA], b[inB]];
        if (second === undefined || (first !== undefined && first.key < second.key)) {
          both.push(first as Keyed);
          inA += 1;
        } else {
          both.push(second);
          inB += 1;
        }
      }
      merged.push(both);
    }
    runs = merged;
  }
  return (runs[0] ?? []).map(({ node }) => node);
}
