import { byName, type EffectiveAccess, type NativePermission } from '../effective-access';
import type { Moment } from '../instants';
import { PeopleOfList } from '../lists/people';
import { Effort, type Pieces, spread, STEPS } from '../pieces';
import { GAINED } from '../relationship-types';
import { typesOf } from '../walk';
import { Holdings, Reaches } from './holdings';
import { Numbers, Side } from './side';

const GAIN = typesOf(GAINED);

/** How many people are one piece. */
const PEOPLE = 32;

/** What somebody would lose on a resource or application, and what would remain there. */
export interface TargetLoss {
  readonly target: number;
  readonly lost: readonly NativePermission[];
  readonly left: readonly NativePermission[];
}

/** What would be lost everywhere if nobody gained by way of a node. */
export interface EmptiedNode {
  /** How many humans gain by way of it now. */
  readonly people: number;
  /** How many others do, who belong to no human. */
  readonly others: number;
  /** The humans who would lose something, in any order. Those who lose the same share a list. */
  readonly losers: readonly { readonly node: number; readonly losses: readonly TargetLoss[] }[];
}

/**
 * Compares what humans can do now with what they could do if nobody gained by way of a node
 * (docs/rules.md: Gateways). Nothing but the way to the node differs between both sides.
 */
export function* emptied(
  access: EffectiveAccess,
  node: number,
  moment: Moment,
  isCounted: (permission: NativePermission, target: number) => boolean,
): Pieces<EmptiedNode> {
  const { graph, walk } = access;
  const reached = yield* access.reachedInPieces(node, moment);
  const members = yield* spread(graph, [node], (each, visit) =>
    walk.eachPrevious(each, GAIN, moment, visit),
  );
  const others = members.filter((each) => each !== node && graph.kind(each)?.isPrincipal === true);
  // All members have what the node has, so one set shows who is listed with whom.
  const some = [...new Set([...new Set(reached.values())].flat())];
  const people = yield* PeopleOfList.of(
    access,
    new Map(others.map((each) => [each, some] as const)),
    moment,
  );
  const numbers = new Numbers(2 * graph.nodeCount + 1);
  const sides: readonly [Side, Side] = [
    new Side(access, moment, numbers),
    new Side(access, moment, numbers, node),
  ];
  let looked = 0;
  for (const target of reached.keys()) {
    looked += 1;
    if (looked % STEPS === 0) yield;
    for (const side of sides) side.addTarget(target);
  }
  const holdings = new Holdings();
  const reaches = new Reaches(holdings, sides, members, graph.nodeCount);
  const byLists = new Map<string, readonly TargetLoss[]>();
  const losers: EmptiedNode['losers'][number][] = [];
  for (const [place, human] of people.humans.entries()) {
    if (place % PEOPLE === PEOPLE - 1) yield;
    const [now, then] = yield* reaches.listsOf([human], [human]);
    const name = `${now} ${then}`;
    let losses = byLists.get(name);
    if (losses === undefined) {
      const { lost } = yield* holdings.difference(now, then);
      const left = lost.length === 0 ? lost : yield* holdings.heldLater(then);
      losses = yield* lossesOf(lost, left, numbers, isCounted);
      byLists.set(name, losses);
    }
    if (losses.length > 0) losers.push({ node: human, losses });
  }
  return { people: people.humans.length, others: people.others.length, losers };
}

/** Numbers of a target with a permission, by their targets. */
function* lossesOf(
  lost: readonly number[],
  left: readonly number[],
  numbers: Numbers,
  isCounted: (permission: NativePermission, target: number) => boolean,
): Pieces<readonly TargetLoss[]> {
  const byTarget = new Map<number, { lost: NativePermission[]; left: NativePermission[] }>();
  const effort = new Effort();
  for (const [numbered, side] of [
    [lost, 'lost'],
    [left, 'left'],
  ] as const) {
    for (const number of numbered) {
      if (effort.isTired(1)) yield;
      const [target, native] = [numbers.target(number), numbers.native(number)];
      // Only where something is lost it matters what is left.
      const known = byTarget.get(target) ?? (side === 'lost' ? { lost: [], left: [] } : undefined);
      if (known === undefined || !isCounted(native, target)) continue;
      known[side].push(native);
      byTarget.set(target, known);
    }
  }
  const losses: TargetLoss[] = [];
  for (const [target, pair] of byTarget) {
    if (effort.isTired(1)) yield;
    losses.push({ target, lost: pair.lost.sort(byName), left: pair.left.sort(byName) });
  }
  return losses;
}
