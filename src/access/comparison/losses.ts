import type { EffectiveAccess, NativePermission } from '../effective-access';
import { EVER } from '../instants';
import { at } from '../memory';
import { Effort, type Pieces } from '../pieces';
import { GAINED } from '../relationship-types';
import { type Types, typesOf } from '../walk';
import type { MomentAt } from './changed-lines';
import { listAt } from '../../model/grouped';

const GAIN = typesOf([...GAINED, 'CONNECTS_TO', 'RESOLVES_TO']);
const GIVES = typesOf(['OF', 'INCLUDES', 'ALLOWS']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);

/** Before how many instants the service looks whether somebody still had something, at most. */
const MOST_LOOKS = 100;

/** How many nodes all looks of an answer may meet: some seconds, however often a push changes a way. */
const MOST_MET = 1_000_000;

/** How many nodes the looks of an answer may still meet. */
export class Looks {
  private left = MOST_MET;

  /** Whether there is room for a look that meets so many nodes at most. */
  hasRoom(nodes: number): boolean {
    // A look that is too wide leaves its room to the others.
    if (nodes > this.left) return false;
    this.left -= nodes;
    return true;
  }
}

/** The places of the steps of a walk, by the nodes to which they lead. */
type Steps = ReadonlyMap<number, readonly number[]>;

/** When one principal lost what between two moments. Valid as long as the graph does not change. */
export class Losses {
  private readonly effort = new Effort();
  private gained: Steps | null = null;
  private held: Steps | null = null;

  constructor(
    private readonly access: EffectiveAccess,
    private readonly times: readonly [from: MomentAt, to: MomentAt],
    private readonly who: number,
    private readonly looks: Looks,
  ) {}

  /**
   * The last instant between the moments at which the principal lost each permission on a target.
   * `null`: nobody knows, because too much changed in that time.
   */
  *of(
    target: number,
    natives: readonly NativePermission[],
  ): Pieces<ReadonlyMap<bigint | null, readonly NativePermission[]>> {
    const { access, who } = this;
    const lost = new Map<bigint | null, readonly NativePermission[]>();
    const left = new Set(natives);
    const { instants, nodes } = yield* this.around(target);
    for (const instant of instants.slice(0, MOST_LOOKS)) {
      if (left.size === 0 || !this.looks.hasRoom(nodes)) break;
      const before = access.graph.instants.moment(instant - 1n);
      const held = yield* access.betweenInPieces(who, target, before);
      const those = held.filter((native) => left.delete(native));
      if (those.length > 0) lost.set(instant, those);
    }
    if (left.size > 0) lost.set(null, [...left]);
    return lost;
  }

  /**
   * The instants between the moments at which something began, ended or changed that may lie on a way
   * of the principal to a target, the last one first, and how many nodes a look at one of them may meet.
   */
  private *around(
    target: number,
  ): Pieces<{ readonly instants: readonly bigint[]; readonly nodes: number }> {
    const { graph } = this.access;
    this.gained ??= yield* this.walked([this.who], GAIN, 'on');
    this.held ??= yield* this.heldByScope(this.gained);
    const around = yield* this.walked([target], CONTAINS, 'back');
    const places = new Set<number>([...around.values()].flat());
    const holding = new Set<number>();
    for (const scope of around.keys()) {
      for (const place of this.held.get(scope) ?? []) {
        if (this.effort.isTired(1)) yield;
        places.add(place);
        holding.add(graph.relationship(place).from);
      }
    }
    const given = yield* this.walked(holding, GIVES, 'on');
    for (const steps of given.values()) for (const place of steps) places.add(place);
    // The set grows during the loop.
    const before = new Set(holding);
    for (const node of before) {
      for (const place of this.gained.get(node) ?? []) {
        if (this.effort.isTired(1)) yield;
        places.add(place);
        before.add(graph.relationship(place).from);
      }
    }
    const instants = yield* this.turnsOf(places, [...around.keys(), ...given.keys(), ...before]);
    return { instants, nodes: this.gained.size + around.size + given.size };
  }

  /** When some relationships and nodes began, ended or changed, the last time first. */
  private *turnsOf(places: Iterable<number>, nodes: readonly number[]): Pieces<readonly bigint[]> {
    const { graph } = this.access;
    const [from, to] = this.times;
    const turns = new Set<bigint>();
    const note = (nanos: bigint | null): void => {
      if (nanos !== null && nanos > from.nanos && nanos <= to.nanos) turns.add(nanos);
    };
    for (const place of places) {
      if (this.effort.isTired(1)) yield;
      const { since, until } = graph.adjacency;
      note(graph.instants.nanosOf(at(since, place)));
      note(graph.instants.nanosOf(at(until, place)));
    }
    const marks = graph.instants.between(from.moment, to.moment);
    for (const node of new Set(nodes)) {
      if (this.effort.isTired(1)) yield;
      if (!graph.isTouched(node, marks)) continue;
      for (const { since, until } of graph.versionsOf(node)) {
        note(since);
        note(until);
      }
    }
    return [...turns].sort((a, b) => (a < b ? 1 : -1));
  }

  /** The relationships by which what the principal ever held is on a scope, by this scope. */
  private *heldByScope(gained: Steps): Pieces<Steps> {
    const { graph, walk } = this.access;
    const found = new Map<number, number[]>();
    for (const held of gained.keys()) {
      if (this.effort.isTired(1)) yield;
      if (graph.kind(held)?.isEntitlement !== true) continue;
      walk.eachNext(held, ON, EVER, (scope, place) => listAt(found, scope).push(place));
    }
    return found;
  }

  /** Walks along everything that ever held. The nodes from which it begins are in the answer too. */
  private *walked(starts: Iterable<number>, types: Types, way: 'on' | 'back'): Pieces<Steps> {
    const { walk } = this.access;
    const found = new Map<number, number[]>();
    for (const start of starts) found.set(start, []);
    const visit = (far: number, place: number): void => {
      this.effort.add(1);
      listAt(found, far).push(place);
    };
    // The map grows during the loop.
    for (const node of found.keys()) {
      if (this.effort.isTired(1)) yield;
      if (way === 'on') walk.eachNext(node, types, EVER, visit);
      else walk.eachPrevious(node, types, EVER, visit);
    }
    return found;
  }
}
