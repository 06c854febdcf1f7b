import { type AccessGraph, NONE, type NodeSummary } from './access-graph';
import { Effort, type Pieces } from './pieces';
import type { EffectiveAccess } from './effective-access';
import type { Moment } from './instants';
import { BY_NAME, firstOf, pageOf, placeAfter, type RowPlace } from './lists/lists';
import { at } from './memory';
import { MEMBERSHIPS } from './relationship-types';
import { type Types, typesOf } from './walk';
import { listAt } from '../model/grouped';

/** A relationship that a page shows, by the keys of its nodes. */
export interface ShownLine {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** In nanoseconds. */
  readonly since: bigint | null;
  /** Whether it has ended since: then it may have been created before it was as it is then. */
  readonly hasEnded: boolean;
}

/** A node next to another one, and the relationships by which it is. */
export interface Neighbour {
  readonly about: NodeSummary;
  readonly lines: readonly ShownLine[];
}

/** The first of some neighbours by name, and how many there are. */
export interface Neighbours {
  readonly total: number;
  readonly values: readonly Neighbour[];
}

/** A page of some neighbours. */
export interface PageOfNeighbours extends Neighbours {
  /** The last of the page; `null` if none follows. */
  readonly next: RowPlace | null;
}

/** An identity that owns something, and those who are known by it. */
export interface OwnerAround {
  readonly about: NodeSummary;
  /** The first of their keys. */
  readonly people: readonly string[];
  readonly peopleTotal: number;
}

/** What the page of an entity shows of the relationships at it (docs/rules.md: Searches). */
export interface Around {
  readonly memberships: Neighbours;
  readonly members: Neighbours & { readonly groups: number };
  readonly contains: Neighbours;
  readonly managers: Neighbours;
  readonly resourceManagers: Neighbours;
  /** The first owners by name, by their keys. */
  readonly owners: ReadonlyMap<string, OwnerAround>;
}

/** How many entries each list of the page of an entity has (docs/rules.md: Searches). */
export const MOST_LISTED = 100;

const MEMBER_OF = typesOf(['MEMBER_OF']);
const MEMBERSHIP = typesOf(MEMBERSHIPS);
const CONTAINS = typesOf(['CONTAINS']);
const MANAGED_BY = typesOf(['MANAGED_BY']);
const RESOURCE_MANAGERS = typesOf(['SYSTEM_resource_managers']);
const OWNED_BY = typesOf(['OWNED_BY']);
const KNOWN_AS = typesOf(['KNOWN_AS']);
const OF = typesOf(['OF']);
const HOLDS = typesOf(['HOLDS']);

/** Those who have members themselves. */
const GROUPS = ['IdpGroup', 'LocalGroup', 'HrisGroup', 'IdpApp', 'CloudRole', 'LocalRole'];

/** The places of relationships, by the nodes at their other ends. */
type Places = ReadonlyMap<number, readonly number[]>;
type PlacesFound = Map<number, number[]>;

const NOBODY: Neighbours = { total: 0, values: [] };

const NOTHING: Around = {
  memberships: NOBODY,
  members: { ...NOBODY, groups: 0 },
  contains: NOBODY,
  managers: NOBODY,
  resourceManagers: NOBODY,
  owners: new Map(),
};

/** Finds what is around one node at a moment. */
class Surroundings {
  private readonly graph: AccessGraph;
  private readonly effort = new Effort();

  constructor(
    private readonly access: EffectiveAccess,
    private readonly node: number,
    private readonly moment: Moment,
    private readonly clock: bigint,
  ) {
    this.graph = access.graph;
  }

  /** The relationships that lead from the node. */
  from(types: Types): Pieces<Places> {
    return this.grouped(this.access.walk.linesFrom(this.node, types, this.moment), 'to');
  }

  /** Who gains in one step what the node has. Who holds an assignment of a role gains the role. */
  *members(): Pieces<Places> {
    const { walk } = this.access;
    const lines = walk.linesTo(this.node, MEMBERSHIP, this.moment);
    const members = yield* this.grouped(lines, 'from');
    if (this.labelOf(this.node) !== 'LocalRole') return members;
    for (const assignment of walk.previous(this.node, OF, this.moment)) {
      if (this.effort.isTired(1)) yield;
      if (this.labelOf(assignment) !== 'RoleAssignment') continue;
      yield* this.grouped(walk.linesTo(assignment, HOLDS, this.moment), 'from', members);
    }
    return members;
  }

  /** The first of some neighbours by name. */
  *listed(found: Pieces<Places>): Pieces<Neighbours> {
    return yield* this.firstAmong(yield* found);
  }

  /** The first of some neighbours by name. */
  *firstAmong(places: Places): Pieces<Neighbours> {
    const first = yield* firstOf([...places.keys()], MOST_LISTED, this.graph.byName(this.moment));
    return { total: places.size, values: first.map((node) => this.neighbour(node, places)) };
  }

  /** A page of some neighbours by name. */
  *pageAmong(places: Places, size: number, after: RowPlace | null): Pieces<PageOfNeighbours> {
    const list = { nodes: [...places.keys()], permissions: new Map(), people: null, humans: 0 };
    const wanted = { ...BY_NAME, size, after };
    const { rows, hasMore } = yield* pageOf(this.graph, list, wanted, this.moment);
    const values: Neighbour[] = [];
    for (const { node } of rows) {
      if (this.effort.isTired(1)) yield;
      values.push(this.neighbour(node, places));
    }
    return { total: places.size, values, next: hasMore ? placeAfter(this.graph, rows) : null };
  }

  *groupsAmong(places: Places): Pieces<number> {
    let count = 0;
    for (const node of places.keys()) {
      if (this.effort.isTired(1)) yield;
      if (GROUPS.includes(this.labelOf(node))) count += 1;
    }
    return count;
  }

  *owners(): Pieces<ReadonlyMap<string, OwnerAround>> {
    const { graph, moment } = this;
    const owners = new Map<string, OwnerAround>();
    const all = [...(yield* this.from(OWNED_BY)).keys()];
    for (const owner of yield* firstOf(all, MOST_LISTED, graph.byName(moment))) {
      const people = this.access.walk.previous(owner, KNOWN_AS, moment);
      const first = yield* firstOf(people, MOST_LISTED, (a, b) => graph.byKey(a, b));
      owners.set(graph.key(owner), {
        about: this.summary(owner),
        people: first.map((person) => graph.key(person)),
        peopleTotal: people.length,
      });
    }
    return owners;
  }

  /** Relationships by their other ends, added to others. A hub may have a million. */
  private *grouped(
    lines: readonly number[],
    end: 'from' | 'to',
    found: PlacesFound = new Map(),
  ): Pieces<PlacesFound> {
    for (const place of lines) {
      if (this.effort.isTired(1)) yield;
      const far = at(this.graph.adjacency[end], place);
      listAt(found, far).push(place);
    }
    return found;
  }

  private neighbour(node: number, places: Places): Neighbour {
    const lines = (places.get(node) ?? []).map((place) => this.line(place));
    return { about: this.summary(node), lines };
  }

  private line(place: number): ShownLine {
    const { type, from, to, since } = this.graph.relationship(place);
    const hasEnded = this.graph.hasEnded(place);
    return { type, from: this.graph.key(from), to: this.graph.key(to), since, hasEnded };
  }

  private summary(node: number): NodeSummary {
    return this.graph.summary(node, this.moment, this.clock);
  }

  private labelOf(node: number): string {
    return this.graph.kind(node)?.label ?? '';
  }
}

/** What is around a node at a moment. `clock` is the time by which accounts count as deactivated. */
export function* aroundNode(
  access: EffectiveAccess,
  node: number,
  moment: Moment,
  clock: bigint,
): Pieces<Around> {
  if (node === NONE) return NOTHING;
  const here = new Surroundings(access, node, moment, clock);
  const members = yield* here.members();
  return {
    memberships: yield* here.listed(here.from(MEMBER_OF)),
    members: { ...(yield* here.firstAmong(members)), groups: yield* here.groupsAmong(members) },
    contains: yield* here.listed(here.from(CONTAINS)),
    managers: yield* here.listed(here.from(MANAGED_BY)),
    resourceManagers: yield* here.listed(here.from(RESOURCE_MANAGERS)),
    owners: yield* here.owners(),
  };
}

/** A page of who is directly in a group, or has a role, by name: `size` of them after one. */
export function* directMembers(
  access: EffectiveAccess,
  node: number,
  moment: Moment,
  clock: bigint,
  { size, after }: { readonly size: number; readonly after: RowPlace | null },
): Pieces<PageOfNeighbours> {
  if (node === NONE) return { ...NOBODY, next: null };
  const here = new Surroundings(access, node, moment, clock);
  return yield* here.pageAmong(yield* here.members(), size, after);
}
