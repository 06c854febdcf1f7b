import { createHash } from 'node:crypto';

import { NONE } from '../../../access/access-graph';
import type { NativePermission, Permissions } from '../../../access/effective-access';
import { Effort, inOrder, Marks, type Pieces, STEPS } from '../../../access/pieces';
import { GAINED } from '../../../access/relationship-types';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import type { View } from './facts';
import type { Places } from './scope';

/*
 * What is given in the scope of a review, and everything that leads there.
 */

const GAIN = typesOf(GAINED);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);

/** What a fact gives. */
export interface EffectSummary {
  /** A digest of everything that it gives. */
  readonly digest: string;
  /** The names of its permissions, in order. */
  readonly permissions: readonly string[];
  /** How many resources and applications it gives something on. */
  readonly resources: number;
  /** The nodes on which something is given: what the resources are or are in. */
  readonly scopes: readonly number[];
  readonly isPrivileged: boolean;
}

/** More in the scope of a review than one review may have. */
export class TooManyItems extends Error {}

/**
 * The most permissions, counted on each resource, that everything given in the scope of a review
 * may have together.
 */
const MOST_RIGHTS = 10_000_000;

/** A right combines a target and the number of a permission in one number: target × this + permission. */
const NATIVES = 2 ** 22;

/** What is given on a scope. */
export interface Effect {
  readonly digest: string;
  readonly rights: Float64Array;
  readonly targets: readonly number[];
  readonly natives: readonly NativePermission[];
  readonly scope: number;
  readonly given: number;
}

/** A digest of lines, in whatever order they are. */
function* digestOf(lines: readonly string[]): Pieces<string> {
  const hash = createHash('sha256');
  for (const [place, line] of (yield* inOrder(lines, (each) => each)).entries()) {
    if (place % STEPS === STEPS - 1) yield;
    hash.update(`${line}\n`);
  }
  return hash.digest('hex');
}

/** What is given in a scope. */
export class Given {
  /** Everything that is given on some node, by the numbers of the effects. */
  readonly effects: Effect[] = [];
  /** What each grant and role assignment on the scope gives, by numbers of effects. */
  readonly effectsOf = new Map<number, readonly number[]>();
  /** The grants and role assignments that give something in scope. */
  readonly entitlements = new Set<number>();
  /** The resources and applications in scope: 1 at the node of each. */
  readonly targets: Uint8Array;
  /** Everything that leads to something in scope. */
  upstream: ReadonlySet<number> = new Set();
  private readonly effectOfGiven = new Map<string, number>();
  private readonly gained = new Map<number, readonly number[]>();
  private readonly summaries = new Map<string, EffectSummary>();
  private readonly rightSets = new Map<number, ReadonlySet<number>>();
  private readonly marks: Marks;
  private readonly counted: Int32Array;
  private readonly effort = new Effort();
  private counts = 0;
  private rights = 0;

  constructor(
    private readonly view: View,
    private readonly places: Places,
    private readonly privilegedTypes: readonly string[],
  ) {
    this.marks = new Marks(view.graph);
    this.targets = new Uint8Array(view.graph.nodeCount);
    this.counted = new Int32Array(view.graph.nodeCount);
  }

  /** Finds what is given in scope, and everything that leads there. */
  *look(): Pieces<void> {
    yield* this.findTargets();
    yield* this.findEntitlements();
    this.upstream = new Set(yield* this.above(this.entitlements));
  }

  /** Some nodes, and all that gain them. */
  above(nodes: Iterable<number>): Pieces<readonly number[]> {
    const { access, moment } = this.view;
    return this.marks.spread(nodes, (node, visit) =>
      access.walk.eachPrevious(node, GAIN, moment, visit),
    );
  }

  /** What a node and all that it gains give in scope, by numbers of effects. */
  *effectsFrom(node: number): Pieces<readonly number[]> {
    const known = this.gained.get(node);
    if (known !== undefined) return known;
    // `NONE` is no node, so nothing is left out.
    const found = yield* this.effectsWithout(node, NONE, NONE);
    this.gained.set(node, found);
    return found;
  }

  /** The effects of a node if the fact between two nodes did not exist. */
  *effectsWithout(node: number, from: number, to: number): Pieces<readonly number[]> {
    const { access, moment } = this.view;
    const reached = yield* this.marks.spread([node], (each, visit) =>
      access.walk.eachNext(each, GAIN, moment, (far) => {
        if (each !== from || far !== to) visit(far);
      }),
    );
    const found = new Set<number>();
    for (const each of reached) {
      if (this.effort.isTired(1)) yield;
      if (!this.entitlements.has(each)) continue;
      for (const effect of this.effectsOf.get(each) ?? []) found.add(effect);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** What a fact gives, from what it gives on each scope. */
  *summaryOf(gives: readonly number[]): Pieces<EffectSummary> {
    const name = gives.join(' ');
    const known = this.summaries.get(name);
    if (known !== undefined) return known;
    const effects = gives.map((number) => this.effects[number] as Effect);
    this.counts += 1;
    let resources = 0;
    const natives = new Set<NativePermission>();
    for (const effect of effects) {
      for (const target of effect.targets) {
        if (this.effort.isTired(1)) yield;
        if (this.counted[target] === this.counts) continue;
        this.counted[target] = this.counts;
        resources += 1;
      }
      for (const native of effect.natives) {
        if (this.effort.isTired(1)) yield;
        natives.add(native);
      }
    }
    const types = [...natives].flatMap(
      (native) => (JSON.parse(native.types) as string[] | null) ?? [],
    );
    const summary: EffectSummary = {
      digest: yield* digestOf([...new Set(effects.map(({ digest }) => digest))]),
      permissions: [...new Set([...natives].map((native) => native.name))].sort(byCodeUnits),
      resources,
      scopes: [...new Set(effects.map(({ scope }) => scope))],
      isPrivileged: types.some((type) => this.privilegedTypes.includes(type)),
    };
    this.summaries.set(name, summary);
    return summary;
  }

  /** Whether some effects give everything that others give. */
  *cover(some: readonly number[], others: readonly number[]): Pieces<boolean> {
    const own = new Set(some);
    const missing = others.filter((effect) => !own.has(effect));
    if (missing.length === 0) return true;
    const sets: ReadonlySet<number>[] = [];
    for (const effect of some) sets.push(yield* this.rightsOf(effect));
    for (const effect of missing) {
      for (const right of (this.effects[effect] as Effect).rights) {
        if (this.effort.isTired(1 + sets.length)) yield;
        if (!sets.some((set) => set.has(right))) return false;
      }
    }
    return true;
  }

  /** Whether some effects give something that others give too. */
  *overlaps(some: readonly number[], others: readonly number[]): Pieces<boolean> {
    const theirs = new Set(others);
    if (some.some((one) => theirs.has(one))) return true;
    for (const one of some) {
      const set = yield* this.rightsOf(one);
      for (const other of others) {
        for (const right of (this.effects[other] as Effect).rights) {
          if (this.effort.isTired(1)) yield;
          if (set.has(right)) return true;
        }
      }
    }
    return false;
  }

  private *rightsOf(effect: number): Pieces<ReadonlySet<number>> {
    const known = this.rightSets.get(effect);
    if (known !== undefined) return known;
    const set = new Set<number>();
    for (const right of (this.effects[effect] as Effect).rights) {
      if (this.effort.isTired(1)) yield;
      set.add(right);
    }
    this.rightSets.set(effect, set);
    return set;
  }

  private *findTargets(): Pieces<void> {
    const { graph, access, moment } = this.view;
    const { applications, resources } = this.places;
    const isLimited = applications.length + resources.length > 0;
    const starts = [...applications, ...resources].map((key) => graph.find(key));
    const found = isLimited
      ? yield* this.marks.spread(
          starts.filter((node) => node !== NONE),
          (node, visit) => access.walk.eachNext(node, CONTAINS, moment, visit),
        )
      : Array.from({ length: this.targets.length }, (_, node) => node);
    for (const [place, node] of found.entries()) {
      if (place % STEPS === 0) yield;
      const kind = graph.kind(node);
      if (kind?.isApplication !== true && kind?.isResource !== true) continue;
      if (graph.exists(node, moment)) this.targets[node] = 1;
    }
  }

  private *findEntitlements(): Pieces<void> {
    const { graph, access, moment } = this.view;
    const inScope = [...this.targets.keys()].filter((node) => this.targets[node] === 1);
    const places = yield* this.marks.spread(inScope, (node, visit) =>
      access.walk.eachPrevious(node, CONTAINS, moment, visit),
    );
    const around = new Set(places);
    for (const [place, scope] of places.entries()) {
      if (place % STEPS === 0) yield;
      for (const held of access.walk.previous(scope, ON, moment)) {
        if (this.effectsOf.has(held) || graph.kind(held)?.isEntitlement !== true) continue;
        const effects: number[] = [];
        for (const given of access.walk.next(held, OF, moment)) {
          for (const on of access.walk.next(held, ON, moment)) {
            if (!around.has(on)) continue;
            const effect = yield* this.effectOf(on, given);
            if (effect !== NONE) effects.push(effect);
          }
        }
        this.effectsOf.set(held, effects);
        if (effects.length > 0) this.entitlements.add(held);
      }
    }
  }

  /** What something gives on a scope; `NONE` if that is nothing in the scope of the review. */
  private *effectOf(scope: number, given: number): Pieces<number> {
    const name = `${scope} ${given}`;
    const known = this.effectOfGiven.get(name);
    if (known !== undefined) return known;
    const { access, moment } = this.view;
    const gives = yield* access.givesInPieces(given, moment);
    const held: (readonly [number, Permissions])[] = [];
    const take = (target: number, permissions: Permissions): void => {
      // Counted before anything is made of it.
      this.rights += permissions.length;
      if (this.rights > MOST_RIGHTS) throw new TooManyItems();
      held.push([target, permissions]);
    };
    const isWanted = (target: number): boolean => this.targets[target] === 1;
    yield* access.onScope(this.marks, gives, scope, moment, take, isWanted);
    const number = held.length === 0 ? NONE : this.effects.length;
    if (held.length > 0) this.effects.push(yield* this.effectFrom(held, scope, given));
    this.effectOfGiven.set(name, number);
    return number;
  }
  private *effectFrom(
    held: readonly (readonly [number, Permissions])[],
    scope: number,
    given: number,
  ): Pieces<Effect> {
    const { graph } = this.view;
    const rights: number[] = [];
    const natives = new Set<NativePermission>();
    const lines: string[] = [];
    for (const [target, permissions] of held) {
      for (const native of permissions) {
        if (this.effort.isTired(1)) yield;
        natives.add(native);
        rights.push(target * NATIVES + native.number);
        lines.push(JSON.stringify([graph.key(target), native.name, native.types]));
      }
    }
    return {
      scope,
      given,
      targets: held.map(([target]) => target),
      natives: [...natives],
      rights: Float64Array.from(rights),
      digest: yield* digestOf(lines),
    };
  }
}
