import { type AccessGraph, type Lasting, NONE } from '../access-graph';
import type { EffectiveAccess } from '../effective-access';
import type { Moment } from '../instants';
import { at } from '../memory';
import type { HeldType } from '../relationship-types';
import { type Types, typesOf } from '../walk';

/**
 * A relationship or a node that holds at only one of two moments, such as a new grant or role, or a
 * permission that now gives something else. A relationship is its own number; `thingOfNode` makes the
 * number of a node, which is below zero.
 */
export type Thing = number;

/** The number of a node among these things. */
export const thingOfNode = (node: number): Thing => -1 - node;

const GIVING: readonly HeldType[] = ['ALLOWS', 'INCLUDES'];

/** More than there are types of relationships. */
const TYPES = 32;

/** A moment, and its instant in nanoseconds. */
export interface MomentAt {
  readonly moment: Moment;
  readonly nanos: bigint;
}

const holdsAt =
  (nanos: bigint) =>
  ({ since, until }: Lasting): boolean =>
    (since === null || since <= nanos) && (until === null || until > nanos);

/** Finds because of what a relationship holds at one moment, and does not hold at another one. */
export class ChangedLines {
  private readonly graph: AccessGraph;
  private readonly nodes: number;
  private readonly only = new Map<HeldType, Types>();
  private readonly known = new Map<number, Thing | null>();

  constructor(
    private readonly access: EffectiveAccess,
    /** The moment at which the relationships hold that somebody asks about. */
    readonly having: MomentAt,
    readonly lacking: MomentAt,
  ) {
    this.graph = access.graph;
    // Nodes that come in a pause have nothing at the moments.
    this.nodes = access.graph.nodeCount;
  }

  /** The thing because of which the relationship at a place holds at one moment only; `null`: at both. */
  thingOf(place: number): Thing | null {
    const { adjacency, instants } = this.graph;
    const [from, to] = [at(adjacency.from, place), at(adjacency.to, place)];
    const { moment } = this.lacking;
    const areThere = this.graph.exists(from, moment) && this.graph.exists(to, moment);
    const [since, until] = [at(adjacency.since, place), at(adjacency.until, place)];
    if (areThere && instants.isWithin(since, until, moment)) return null;
    const known = this.known.get(place);
    if (known !== undefined) return known;
    const thing = areThere && this.isThereBeside(place) ? null : this.changed(place);
    this.known.set(place, thing);
    return thing;
  }

  /** When the relationship at a place began or ended last between the moments; `null` if nobody knows. */
  instantOf(place: number): bigint | null {
    const { from, to } = this.graph.relationship(place);
    const hasBegun = this.having.nanos > this.lacking.nanos;
    // Of a node that exists now, one row says since when it exists, whatever changed since then. So the
    // end of another row does not always end it.
    const all: readonly (readonly Lasting[])[] = [
      this.graph.lastingOf(place),
      ...[from, to].map((node) => [...this.graph.versionsOf(node)]),
    ];
    const holds = (nanos: bigint): boolean => all.every((rows) => rows.some(holdsAt(nanos)));
    return all
      .flat()
      .flatMap((row) => row[hasBegun ? 'since' : 'until'] ?? [])
      .filter(
        (nanos) =>
          this.ifBetween(nanos) !== null &&
          holds(nanos) === hasBegun &&
          holds(nanos - 1n) !== hasBegun,
      )
      .reduce<bigint | null>((last, nanos) => (last === null || nanos > last ? nanos : last), null);
  }

  /** When a node changed, if it changed once between the moments. */
  changeOf(node: number): bigint | null {
    const begun = [...this.graph.versionsOf(node)].flatMap(({ since }) => since ?? []);
    const [only, another] = begun.filter((since) => this.ifBetween(since) !== null);
    return another === undefined ? (only ?? null) : null;
  }

  private ifBetween(nanos: bigint): bigint | null {
    const times = [this.having.nanos, this.lacking.nanos];
    const [from, to] = (times[0] as bigint) < (times[1] as bigint) ? times : times.toReversed();
    return nanos > (from as bigint) && nanos <= (to as bigint) ? nanos : null;
  }

  /** Whether another row of the same relationship holds at the other moment. */
  private isThereBeside(place: number): boolean {
    const { from, to, type } = this.graph.relationship(place);
    const { walk } = this.access;
    const types = this.only.get(type) ?? typesOf([type]);
    this.only.set(type, types);
    const { moment } = this.lacking;
    // Very much may be in a container, or held by a group; few things contain it, or hold it.
    return type === 'CONTAINS' || type === 'HOLDS'
      ? walk.isLedTo(to, types, moment, (far) => far === from)
      : walk.next(from, types, moment).includes(to);
  }

  private changed(place: number): Thing {
    const { adjacency } = this.graph;
    const [from, to] = [at(adjacency.from, place), at(adjacency.to, place)];
    if (this.isNew(to, 'isEntitlement')) return thingOfNode(to);
    if (this.isNew(from, 'isEntitlement')) return thingOfNode(from);
    // What a new role gives is one thing, and not one for each permission.
    const isGiven = GIVING.includes(this.graph.relationship(place).type);
    if (isGiven && this.isNew(from, 'isRole')) return thingOfNode(from);
    return (from * this.nodes + to) * TYPES + at(adjacency.type, place);
  }

  private isNew(node: number, kind: 'isEntitlement' | 'isRole'): boolean {
    const isOfKind = this.graph.kind(node)?.[kind] === true;
    return isOfKind && this.graph.version(node, this.lacking.moment) === NONE;
  }
}
