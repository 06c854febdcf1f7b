import { type AccessGraph, NONE } from '../access-graph';
import type { EffectiveAccess, Give, NativePermission } from '../effective-access';
import { Effort, type Pieces } from '../pieces';
import { GAINED } from '../relationship-types';
import { type Types, typesOf } from '../walk';
import { type ChangedLines, type Thing, thingOfNode } from './changed-lines';
import { listAt } from '../../model/grouped';

const GAIN = typesOf(GAINED);
const GAIN_AND_CONNECT = typesOf([...GAINED, 'CONNECTS_TO']);
const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);
const GIVING = typesOf(['INCLUDES', 'ALLOWS']);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);

/** How somebody gets to a node along as few things that changed as possible. */
interface Reached {
  /** How many things on the way changed. */
  readonly cost: number;
  /** The place of the last step, and where that begins; `NONE` at the start. */
  readonly place: number;
  readonly before: number;
}

type Places = ReadonlyMap<number, Reached>;

/** What is held on a scope, by the place of the relationship that says so. */
export interface OnScope {
  readonly held: number;
  readonly on: number;
}

/** The end of a way to a permission on a target: from what is held on. */
export interface Tail extends OnScope {
  readonly native: NativePermission;
  readonly permission: number;
  /** How many things that changed are on it. */
  readonly cost: number;
  readonly of: number;
  readonly given: number;
  readonly scope: number;
  /** The permission or the target, if it decides otherwise at the other moment. */
  readonly nodes: readonly number[];
}

/** The ways of a principal at a moment; with a thing to leave out, those without it. */
export class ChangedWays {
  private readonly graph: AccessGraph;
  private readonly effort = new Effort();
  private readonly giving = new Map<number, Places>();
  private gained: Places | null = null;
  private around: { readonly target: number; readonly places: Places } | null = null;

  constructor(
    private readonly access: EffectiveAccess,
    private readonly lines: ChangedLines,
    private readonly who: number,
    private readonly without: Thing | null = null,
  ) {
    this.graph = access.graph;
  }

  /** Everything that the principal gains. */
  *reached(): Pieces<Places> {
    const { walk } = this.access;
    const { moment } = this.lines.having;
    const kind = this.graph.kind(this.who);
    const own = kind?.isPrincipal === true ? GAIN_AND_CONNECT : CONNECTS_TO;
    const external = new Set<number>();
    const typesAt = (node: number): Types => {
      if (external.has(node)) return RESOLVES_TO;
      return node === this.who && kind?.isResource === true ? own : GAIN;
    };
    if (kind?.isResource === true) {
      for (const far of walk.next(this.who, CONNECTS_TO, moment)) external.add(far);
    }
    this.gained ??= yield* this.cheapest(this.who, 'to', (node) => {
      const places = walk.linesFrom(node, typesAt(node), moment);
      return external.has(node) ? places.filter((place) => this.leadsToPrincipal(place)) : places;
    });
    return this.gained;
  }

  private leadsToPrincipal(place: number): boolean {
    return this.graph.kind(this.graph.relationship(place).to)?.isPrincipal === true;
  }

  /** What the principal holds, by the scope on which it holds. */
  *heldByScope(): Pieces<ReadonlyMap<number, readonly OnScope[]>> {
    const found = new Map<number, OnScope[]>();
    for (const held of (yield* this.reached()).keys()) {
      if (this.effort.isTired(1)) yield;
      if (this.graph.kind(held)?.isEntitlement !== true) continue;
      this.access.walk.eachNext(held, ON, this.lines.having.moment, (scope, on) => {
        listAt(found, scope).push({ held, on });
      });
    }
    return found;
  }

  /** The ends of all ways to wanted permissions on a target, from what is held on. */
  *tails(
    target: number,
    held: ReadonlyMap<number, readonly OnScope[]>,
    isWanted: (native: NativePermission) => boolean,
  ): Pieces<readonly Tail[]> {
    const { walk } = this.access;
    const found: Tail[] = [];
    for (const [scope, around] of yield* this.aroundOf(target)) {
      for (const each of held.get(scope) ?? []) {
        const cost = this.costOf(each.on, each.held);
        if (cost === null) continue;
        for (const of of walk.linesFrom(each.held, OF, this.lines.having.moment)) {
          const more = this.costOf(of, each.held);
          if (more === null) continue;
          const given = this.graph.relationship(of).to;
          for (const [permission, reached] of yield* this.givingFrom(given)) {
            if (this.effort.isTired(1)) yield;
            const holding = this.holding(permission, given, scope, target);
            if (holding === null || !isWanted(holding.native)) continue;
            found.push({
              ...each,
              of,
              given,
              scope,
              permission,
              ...holding,
              cost: around.cost + cost + more + reached.cost + holding.nodes.length,
            });
          }
        }
      }
    }
    return found;
  }

  /** The places of the steps to a node that the principal gains. */
  *stepsTo(node: number): Pieces<readonly number[]> {
    return stepsIn(yield* this.reached(), node);
  }

  /**
   * The places of the relationships that lead from what the principal was given, a role or a
   * permission, to the permission itself.
   */
  *stepsGiving({ given, permission }: Tail): Pieces<readonly number[]> {
    return stepsIn(yield* this.givingFrom(given), permission);
  }

  /** The places of the steps from a scope down to a target. */
  *stepsDown({ scope }: Tail, target: number): Pieces<readonly number[]> {
    return stepsIn(yield* this.aroundOf(target), scope).toReversed();
  }

  private *givingFrom(given: number): Pieces<Places> {
    const { walk } = this.access;
    const { moment } = this.lines.having;
    const known = this.giving.get(given);
    if (known !== undefined) return known;
    const places = yield* this.cheapest(given, 'to', (node) =>
      walk.linesFrom(node, GIVING, moment),
    );
    this.giving.set(given, places);
    return places;
  }

  /** All that is or contains a target. The steps lead from the target up. */
  private *aroundOf(target: number): Pieces<Places> {
    const { walk } = this.access;
    const { moment } = this.lines.having;
    if (this.around?.target === target) return this.around.places;
    const places = yield* this.cheapest(target, 'from', (node) =>
      walk.linesTo(node, CONTAINS, moment),
    );
    this.around = { target, places };
    return places;
  }

  /** How much a relationship costs behind a node; `null` if it is left out. */
  private costOf(place: number, behind: number): 0 | 1 | null {
    const thing = this.lines.thingOf(place);
    if (thing === null) return 0;
    if (thing === this.without) return null;
    // Who got to a new grant or assignment has paid for it already.
    return thing === thingOfNode(behind) ? 0 : 1;
  }

  /** Walks from a node along as few things that changed as possible. */
  private *cheapest(
    start: number,
    end: 'from' | 'to',
    linesAt: (node: number) => readonly number[],
  ): Pieces<Map<number, Reached>> {
    const found = new Map<number, Reached>([[start, { cost: 0, place: NONE, before: NONE }]]);
    const settled = new Set<number>();
    let level = [start];
    for (let cost = 0; level.length > 0; cost += 1) {
      const next: number[] = [];
      // The list grows during the loop.
      for (let at = 0; at < level.length; at += 1) {
        const node = level[at] as number;
        if (settled.has(node)) continue;
        settled.add(node);
        if (this.effort.isTired(1)) yield;
        for (const place of linesAt(node)) {
          if (this.effort.isTired(1)) yield;
          const far = this.graph.relationship(place)[end];
          const more = settled.has(far) ? null : this.costOf(place, node);
          if (more === null) continue;
          const before = found.get(far);
          if (before !== undefined && before.cost <= cost + more) continue;
          found.set(far, { cost: cost + more, place, before: node });
          (more === 0 ? level : next).push(far);
        }
      }
      level = next;
    }
    return found;
  }

  /**
   * The native permission that a permission gives on a target, and which of both decides otherwise at
   * the other moment; `null` if it gives none.
   */
  private holding(
    permission: number,
    given: number,
    scope: number,
    target: number,
  ): Pick<Tail, 'native' | 'nodes'> | null {
    const { graph, access } = this;
    if (graph.kind(permission)?.isPermission !== true) return null;
    const isThroughRole = graph.kind(given)?.isRole === true;
    const { having, lacking } = this.lines;
    const versions = (node: number): readonly [now: number, then: number] => {
      const now = graph.version(node, having.moment);
      const then = graph.version(node, lacking.moment);
      // Of a node that is new, the relationships to it say so.
      const known = then === NONE ? now : then;
      return [thingOfNode(node) === this.without ? known : now, known];
    };
    const [gives, gave] = versions(permission).map((version) =>
      access.giveOf(permission, version, isThroughRole),
    ) as [Give, Give];
    const [is, was] = versions(target);
    const { native } = gives;
    const holds = (give: Give, version: number): boolean =>
      give.native === native && access.isHolding(give, scope, target, version);
    if (!holds(gives, is)) return null;
    if (holds(gave, was)) return { native, nodes: [] };
    if (holds(gave, is)) return { native, nodes: [target] };
    return { native, nodes: holds(gives, was) ? [permission] : [permission, target] };
  }
}

/** The places of the steps to a node, the first one first. */
const stepsIn = (places: Places, node: number): readonly number[] => {
  const steps: number[] = [];
  for (let each = places.get(node); each !== undefined && each.place !== NONE;) {
    steps.push(each.place);
    each = places.get(each.before);
  }
  return steps.toReversed();
};
