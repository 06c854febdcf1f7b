import type { EffectiveAccess, NativePermission } from '../effective-access';
import type { Pieces } from '../pieces';
import type { HeldType } from '../relationship-types';
import { ChangedLines, type MomentAt, type Thing, thingOfNode } from './changed-lines';
import { ChangedWays, type OnScope, type Tail } from './changed-ways';
import { Looks, Losses } from './losses';

/*
 * Finds what brought about that a principal has permissions on a target at one moment and not at
 * another one (docs/rules.md: Causes of changes).
 */

/** One thing that began, ended or changed. Nodes are numbers. */
export interface CauseThing {
  /** The type of a relationship; `null` of a role that is new, and of a node that decides otherwise. */
  readonly type: HeldType | null;
  /** Whether it is a node that exists at both moments, and decides otherwise. */
  readonly isOther: boolean;
  /** Who got it, or what changed. */
  readonly from: number;
  readonly to: number | null;
  /** The grant or assignment; `null` of other things. */
  readonly held: number | null;
  /** Of something held: on what. */
  readonly on: number | null;
  /** In nanoseconds; `null` if nobody knows when. */
  readonly instant: bigint | null;
}

/** Permissions on a target, and what brought them about, or took them away. */
export interface Cause {
  readonly permissions: readonly NativePermission[];
  /**
   * Together they are enough, and none of them may be left out. `null`: there is no such set, because
   * there are several ways that changed, or it has too many things.
   */
  readonly things: readonly CauseThing[] | null;
}

type HeldByScope = ReadonlyMap<number, readonly OnScope[]>;

/**
 * The most things of a cause. Each is looked at with a walk of its own, and a push may bring a chain of
 * as many groups as it likes.
 */
const MOST_THINGS = 100;

/** How many nodes the remembered ways without a thing may reach, each by itself. */
const MOST_REACHED = 1_000_000;

/** What brought about the changes of one principal. Valid as long as the graph does not change. */
class CausesOfOne {
  private readonly ways: ChangedWays;
  private readonly without = new Map<Thing, ChangedWays>();
  private reachedWithout = 0;
  private held: HeldByScope | null = null;

  constructor(
    private readonly access: EffectiveAccess,
    private readonly lines: ChangedLines,
    private readonly who: number,
  ) {
    this.ways = new ChangedWays(access, lines, who);
  }

  *of(target: number, natives: readonly NativePermission[]): Pieces<readonly Cause[]> {
    this.held ??= yield* this.ways.heldByScope();
    const wanted = new Set(natives);
    const reached = yield* this.ways.reached();
    const first = new Map<NativePermission, { readonly tail: Tail; readonly cost: number }>();
    for (const tail of yield* this.ways.tails(target, this.held, (each) => wanted.has(each))) {
      const cost = tail.cost + (reached.get(tail.held)?.cost ?? 0);
      const known = first.get(tail.native);
      if (known === undefined || cost < known.cost) first.set(tail.native, { tail, cost });
    }
    const tailsWithout = new Map<Thing, readonly Tail[]>();
    const causes = new Map<string, { permissions: NativePermission[]; things: Cause['things'] }>();
    for (const native of natives) {
      const tail = first.get(native)?.tail;
      const steps = tail === undefined ? [] : yield* this.stepsOf(tail, target);
      const things = new Set<Thing>(
        steps
          .flatMap((place) => this.lines.thingOf(place) ?? [])
          .concat((tail?.nodes ?? []).map(thingOfNode)),
      );
      let isCertain = things.size > 0 && things.size <= MOST_THINGS;
      for (const thing of things) {
        isCertain &&= yield* this.isNeeded(thing, target, native, wanted, tailsWithout);
      }
      const name = isCertain ? [...things].sort((a, b) => a - b).join(' ') : '';
      const known = causes.get(name);
      if (known !== undefined) known.permissions.push(native);
      else {
        const things = isCertain && tail !== undefined ? this.thingsOf(steps, tail) : null;
        causes.set(name, { permissions: [native], things: things });
      }
    }
    return [...causes.values()];
  }

  /** The places of the steps of a way, in their order. */
  private *stepsOf(tail: Tail, target: number): Pieces<readonly number[]> {
    return [
      ...(yield* this.ways.stepsTo(tail.held)),
      tail.of,
      ...(yield* this.ways.stepsGiving(tail)),
      tail.on,
      ...(yield* this.ways.stepsDown(tail, target)),
    ];
  }

  /** Whether the principal would not have a permission without a thing. */
  private *isNeeded(
    thing: Thing,
    target: number,
    native: NativePermission,
    wanted: ReadonlySet<NativePermission>,
    known: Map<Thing, readonly Tail[]>,
  ): Pieces<boolean> {
    const ways = this.waysWithout(thing);
    const tails =
      known.get(thing) ??
      (yield* ways.tails(target, this.held ?? new Map(), (each) => wanted.has(each)));
    known.set(thing, tails);
    const left = [
      ...new Set(tails.filter((each) => each.native === native).map(({ held }) => held)),
    ];
    if (left.length === 0) return true;
    // Most often one way is enough to see that there is another one.
    for (const held of left) {
      const steps = yield* this.ways.stepsTo(held);
      if (!steps.some((place) => this.lines.thingOf(place) === thing)) return false;
    }
    const reached = yield* ways.reached();
    this.reachedWithout += reached.size;
    return !left.some((held) => reached.has(held));
  }

  private waysWithout(thing: Thing): ChangedWays {
    const known = this.without.get(thing);
    if (known !== undefined) return known;
    if (this.reachedWithout + this.without.size > MOST_REACHED) {
      this.without.clear();
      this.reachedWithout = 0;
    }
    const ways = new ChangedWays(this.access, this.lines, this.who, thing);
    this.without.set(thing, ways);
    return ways;
  }

  /** The things of a way, in the order in which it passes them. */
  private thingsOf(steps: readonly number[], tail: Tail): readonly CauseThing[] {
    const { graph } = this.access;
    const things: CauseThing[] = [];
    const known = new Set<Thing>();
    const holders = new Map<number, number>();
    const isHeld = (node: number): boolean => graph.kind(node)?.isEntitlement === true;
    for (const [index, place] of steps.entries()) {
      const { from, to, type } = graph.relationship(place);
      if (isHeld(to)) holders.set(to, from);
      const thing = this.lines.thingOf(place);
      if (thing === null || known.has(thing)) continue;
      known.add(thing);
      const instant = this.lines.instantOf(place);
      const held = [to, from].find(isHeld) ?? null;
      const isOther = false;
      if (held === null) {
        const isRole = thing === thingOfNode(from);
        const what = isRole ? { type: null, from, to: null } : { type, from, to };
        things.push({ ...what, isOther, held, on: null, instant });
        continue;
      }
      const next = steps[index + 1];
      const given = held === to && next !== undefined ? graph.relationship(next).to : to;
      const isLast = held === tail.held;
      things.push({
        type,
        isOther,
        held,
        instant,
        from: holders.get(held) ?? from,
        to: isLast ? tail.given : given,
        on: isLast ? tail.scope : null,
      });
    }
    return [
      ...things,
      ...tail.nodes.map((node) => ({
        type: null,
        isOther: true,
        from: node,
        to: null,
        held: null,
        on: null,
        instant: this.lines.changeOf(node),
      })),
    ];
  }
}

/** What is known of one principal: the causes of what was lost by the instant of the loss. */
interface KnownOf {
  readonly who: number;
  readonly causes: Map<bigint | null, CausesOfOne>;
  readonly losses: Losses;
}

/** The most instants of losses whose ways are remembered. */
const MOST_INSTANTS = 16;

/** What brought about changes between two moments. Valid as long as the graph does not change. */
export class Causes {
  private readonly lines: Readonly<Record<'gained' | 'lost', ChangedLines>>;
  private readonly last = new Map<'gained' | 'lost', KnownOf>();
  private readonly looks = new Looks();

  constructor(
    private readonly access: EffectiveAccess,
    private readonly times: readonly [from: MomentAt, to: MomentAt],
  ) {
    const [from, to] = times;
    this.lines = {
      gained: new ChangedLines(access, to, from),
      lost: new ChangedLines(access, from, to),
    };
  }

  /** What brought about that a principal gained, or lost, some permissions on a target. */
  *of(
    change: 'gained' | 'lost',
    who: number,
    target: number,
    natives: readonly NativePermission[],
  ): Pieces<readonly Cause[]> {
    const one = this.knownOf(change, who);
    const [from, to] = this.times;
    if (change === 'gained' || to.moment - from.moment <= 1) {
      return yield* this.causesOf(one, null, change).of(target, natives);
    }
    const all: Cause[] = [];
    for (const [instant, lost] of yield* one.losses.of(target, natives)) {
      if (instant === null) {
        all.push({ permissions: lost, things: null });
        continue;
      }
      const found = yield* this.causesOf(one, instant, change).of(target, lost);
      for (const { permissions, things } of found) {
        all.push({ permissions, things: things && things.map((each) => ({ ...each, instant })) });
      }
    }
    return all;
  }

  /** Lists name one principal after the other. */
  private knownOf(change: 'gained' | 'lost', who: number): KnownOf {
    const known = this.last.get(change);
    if (known?.who === who) return known;
    const losses = new Losses(this.access, this.times, who, this.looks);
    const one: KnownOf = { who, causes: new Map(), losses };
    this.last.set(change, one);
    return one;
  }

  /** The causes of one principal: between both moments, or of what was lost at an instant. */
  private causesOf(
    { who, causes }: KnownOf,
    instant: bigint | null,
    change: 'gained' | 'lost',
  ): CausesOfOne {
    const known = causes.get(instant);
    if (known !== undefined) return known;
    if (causes.size >= MOST_INSTANTS) causes.clear();
    const lines = instant === null ? this.lines[change] : this.linesOfLoss(instant);
    const found = new CausesOfOne(this.access, lines, who);
    causes.set(instant, found);
    return found;
  }

  private linesOfLoss(instant: bigint): ChangedLines {
    const { instants } = this.access.graph;
    const before = instant - 1n;
    return new ChangedLines(
      this.access,
      { moment: instants.moment(before), nanos: before },
      { moment: instants.moment(instant), nanos: instant },
    );
  }
}
