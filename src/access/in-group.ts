import type { NodeSummary } from './access-graph';
import type { EffectiveAccess, Permissions } from './effective-access';
import { TO_GROUPS } from './gateways';
import type { Moment } from './instants';
import { firstOf } from './lists/lists';
import { PeopleOfList } from './lists/people';
import { Effort, Marks, type Pieces, STEPS } from './pieces';

/** Somebody who is in a group, and how. */
export interface InGroup {
  readonly about: NodeSummary;
  /** Whether it is a human. */
  readonly isPerson: boolean;
  /** From the human to the last step before the group. */
  readonly steps: readonly NodeSummary[];
  /** When the newest of the steps began, in nanoseconds; `null`: always. */
  readonly since: bigint | null;
}

/** Who is in a group in any way: the first by name, people first, and how many there are. */
export interface EverybodyInGroup {
  readonly total: number;
  readonly people: number;
  readonly values: readonly InGroup[];
}

/** Nodes that are in a group hold nothing that a list would count. */
const NOTHING: Permissions = [];

/**
 * Who is in a group, directly, through other groups, or by an identity or an account (docs/rules.md:
 * Searches). Each human counts once, as in lists of access.
 */
export function* everybodyIn(
  access: EffectiveAccess,
  group: number,
  moment: Moment,
  clock: bigint,
  most: number,
): Pieces<EverybodyInGroup> {
  const { graph, walk } = access;
  const all = yield* new Marks(graph).spread([group], (node, visit) =>
    walk.eachPrevious(node, TO_GROUPS, moment, visit),
  );
  const holders = new Map<number, Permissions>();
  for (const [place, node] of all.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    if (node !== group) holders.set(node, NOTHING);
  }
  const { humans, others } = yield* PeopleOfList.of(access, holders, moment);
  const byName = graph.byName(moment);
  const people = yield* firstOf(humans, most, byName);
  const rest = yield* firstOf(others, most - people.length, byName);
  const values: InGroup[] = [];
  for (const [place, node] of [...people, ...rest].entries()) {
    yield;
    const { steps, since } = yield* wayInto(access, node, group, moment);
    values.push({
      about: graph.summary(node, moment, clock),
      isPerson: place < people.length,
      steps: steps.map((step) => graph.summary(step, moment, clock)),
      since,
    });
  }
  return { total: humans.length + others.length, people: humans.length, values };
}

/** A shortest way from somebody to a group that they are in. */
function* wayInto(
  { graph, walk }: EffectiveAccess,
  who: number,
  group: number,
  moment: Moment,
): Pieces<{ readonly steps: readonly number[]; readonly since: bigint | null }> {
  const before = new Map<number, { readonly node: number; readonly place: number }>();
  const found = [who];
  const effort = new Effort();
  for (const node of found) {
    if (effort.isTired(1)) yield;
    if (before.has(group)) break;
    walk.eachNext(node, TO_GROUPS, moment, (far, place) => {
      effort.add(1);
      if (far === who || before.has(far)) return;
      before.set(far, { node, place });
      found.push(far);
    });
  }
  const steps: number[] = [];
  let since: bigint | null = null;
  for (let at = before.get(group); at !== undefined; at = before.get(at.node)) {
    steps.unshift(at.node);
    const began = graph.relationship(at.place).since;
    if (began !== null && (since === null || began > since)) since = began;
  }
  return { steps, since };
}
