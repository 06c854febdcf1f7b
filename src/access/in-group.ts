import type { AccessGraph, NodeSummary } from './access-graph';
import type { EffectiveAccess, Permissions } from './effective-access';
import { TO_GROUPS } from './gateways';
import type { Moment } from './instants';
import { BY_NAME, pageOf, placeAfter, type RowPlace } from './lists/lists';
import { PeopleOfList } from './lists/people';
import { Effort, Marks, type Pieces, STEPS } from './pieces';

/** Somebody who is in a group, and how. */
export interface InGroup {
  readonly about: NodeSummary;
  /** Whether it is a human. */
  readonly isPerson: boolean;
  /** From the human towards the last step before the group: the first `MOST_STEPS`. */
  readonly steps: readonly NodeSummary[];
  /** How many steps follow these before the group. */
  readonly moreSteps: number;
  /** When the newest of the steps began, in nanoseconds; `null`: always. */
  readonly since: bigint | null;
}

/** Who is in a group in any way: a page by name, people first, and how many there are. */
export interface EverybodyInGroup {
  readonly total: number;
  readonly people: number;
  readonly values: readonly InGroup[];
  /** The last of the page; `null` if nobody follows. */
  readonly next: RowPlace | null;
}

/** How many steps of a way are listed: groups may be nested by the ten thousand. */
const MOST_STEPS = 16;

/** Nodes that are in a group hold nothing that a list would count. */
const NOTHING: Permissions = [];

/**
 * Who is in a group, directly, through other groups, or by an identity or an account (docs/rules.md:
 * Searches). Each human counts once, as in lists of access. The page has `most` rows, and begins after a
 * row.
 */
export function* everybodyIn(
  access: EffectiveAccess,
  group: number,
  moment: Moment,
  clock: bigint,
  most: number,
  after: RowPlace | null = null,
): Pieces<EverybodyInGroup> {
  const { graph, walk } = access;
  const ways = new WaysInto(access, group);
  const all = yield* new Marks(graph).spread([group], (node, visit) =>
    walk.eachPrevious(node, TO_GROUPS, moment, (far, place) => {
      ways.note(far, place);
      visit(far);
    }),
  );
  const holders = new Map<number, Permissions>();
  for (const [place, node] of all.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    if (node !== group) holders.set(node, NOTHING);
  }
  const people = yield* PeopleOfList.of(access, holders, moment);
  const { humans, others } = people;
  const list = {
    nodes: [...humans, ...others],
    permissions: holders,
    people,
    humans: humans.length,
  };
  const page = yield* pageOf(graph, list, { ...BY_NAME, size: most, after }, moment);
  const values: InGroup[] = [];
  for (const { node, isPerson } of page.rows) {
    yield;
    const { length, since } = yield* ways.extentFrom(node);
    const steps = ways.stepsFrom(node, MOST_STEPS);
    values.push({
      about: graph.summary(node, moment, clock),
      isPerson,
      steps: steps.map((step) => graph.summary(step, moment, clock)),
      moreSteps: length - steps.length,
      since,
    });
  }
  return {
    total: list.nodes.length,
    people: humans.length,
    values,
    next: page.hasMore ? placeAfter(graph, page.rows) : null,
  };
}

/** How many steps a way into a group has, and when the newest of them began; `null`: always. */
interface Extent {
  readonly length: number;
  readonly since: bigint | null;
}

/** A shortest way from each node into a group, as a walk back from the group finds them. */
class WaysInto {
  /** By node the place of the relationship to the next node of its way. */
  private readonly onward = new Map<number, number>();
  /** Ways have their ends in common, so each step is added up once. */
  private readonly extents: Map<number, Extent>;

  constructor(
    private readonly access: EffectiveAccess,
    private readonly group: number,
  ) {
    this.extents = new Map([[group, { length: 0, since: null }]]);
  }

  /** Notes a relationship from a node. The walk meets nodes by their distance, so the first one counts. */
  note(node: number, place: number): void {
    if (!this.onward.has(node)) this.onward.set(node, place);
  }

  /** The first steps of the way of a node, from the node itself. */
  stepsFrom(node: number, most: number): readonly number[] {
    const steps: number[] = [];
    for (let at = node; at !== this.group && steps.length < most; at = this.lineFrom(at).to) {
      steps.push(at);
    }
    return steps;
  }

  /** The extent of the way of a node. */
  *extentFrom(node: number): Pieces<Extent> {
    const effort = new Effort();
    const added: { readonly node: number; readonly since: bigint | null }[] = [];
    let at = node;
    let extent = this.extents.get(at);
    while (extent === undefined) {
      if (effort.isTired(1)) yield;
      const { to, since } = this.lineFrom(at);
      added.push({ node: at, since });
      at = to;
      extent = this.extents.get(at);
    }
    for (const { node: each, since } of added.reverse()) {
      if (effort.isTired(1)) yield;
      extent = { length: extent.length + 1, since: newest(since, extent.since) };
      this.extents.set(each, extent);
    }
    return extent;
  }

  private lineFrom(node: number): ReturnType<AccessGraph['relationship']> {
    return this.access.graph.relationship(this.onward.get(node) as number);
  }
}

const newest = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || (other !== null && other > one) ? other : one;
