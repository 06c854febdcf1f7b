import { NONE } from '../access-graph';
import { byName, type EffectiveAccess, type NativePermission } from '../effective-access';
import type { Moment } from '../instants';
import { PeopleOfList } from '../lists/people';
import { Effort, type Pieces, spread } from '../pieces';
import { GAINED } from '../relationship-types';
import { typesOf } from '../walk';
import { Holdings, Reaches } from './holdings';
import type { Ordered } from './ordered';
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

/** What somebody would lose. Only its counts are held: many people may each lose very much. */
export interface Losses {
  /** On how many resources and applications; and on how many of them nothing would remain. */
  readonly count: number;
  readonly gone: number;
  /** Finds all of them, in any order. */
  readonly all: () => Pieces<readonly TargetLoss[]>;
}

/** What would be lost everywhere if nobody gained by way of a node. */
export interface EmptiedNode {
  /** How many humans gain by way of it now. */
  readonly people: number;
  /** How many others do, who belong to no human. */
  readonly others: number;
  /** On how many resources and applications somebody would lose something. */
  readonly targets: number;
  /** The humans who would lose something, in any order. Those who lose the same share their losses. */
  readonly losers: readonly { readonly node: number; readonly losses: Losses }[];
}

/** Whether a permission on a target counts. */
type IsCounted = (permission: NativePermission, target: number) => boolean;

/**
 * Compares what humans can do now with what they could do if nobody gained by way of a node
 * (docs/rules.md: Gateways). Nothing but the way to the node differs between both sides. It stops and
 * gives `null` once more than `most` humans would lose something.
 */
export function* emptied(
  access: EffectiveAccess,
  node: number,
  moment: Moment,
  isCounted: IsCounted,
  most: number,
): Pieces<EmptiedNode | null> {
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
  const effort = new Effort();
  for (const target of reached.keys()) {
    if (effort.isTired(1)) yield;
    for (const side of sides) side.addTarget(target);
  }
  const holdings = new Holdings();
  const reaches = new Reaches(holdings, sides, members, graph.nodeCount);
  const targets = new Set<number>();
  const byLists = new Map<string, Losses>();
  const losers: EmptiedNode['losers'][number][] = [];
  function* heldIn(now: number, then: number): Pieces<HeldNumbers> {
    const { lost } = yield* holdings.difference(now, then);
    return { lost, left: lost.length === 0 ? lost : yield* holdings.heldLater(then) };
  }
  for (const [place, human] of people.humans.entries()) {
    if (place % PEOPLE === PEOPLE - 1) yield;
    const [now, then] = yield* reaches.listsOf([human], [human]);
    const name = `${now} ${then}`;
    let losses = byLists.get(name);
    if (losses === undefined) {
      const counts = yield* countsOf(yield* heldIn(now, then), numbers, isCounted, targets);
      losses = {
        ...counts,
        *all() {
          return yield* lossesOf(yield* heldIn(now, then), numbers, isCounted);
        },
      };
      byLists.set(name, losses);
    }
    if (losses.count > 0) losers.push({ node: human, losses });
    if (losers.length > most) return null;
  }
  return {
    people: people.humans.length,
    others: people.others.length,
    targets: targets.size,
    losers,
  };
}

/** What somebody would lose, and what would remain. Each number means a permission on a target (`Numbers`). */
interface HeldNumbers {
  readonly lost: Ordered;
  readonly left: Ordered;
}

/** On how many targets something would be lost, and on how many of them nothing would remain. */
function* countsOf(
  { lost, left }: HeldNumbers,
  numbers: Numbers,
  isCounted: IsCounted,
  targets: Set<number>,
): Pieces<Pick<Losses, 'count' | 'gone'>> {
  const effort = new Effort();
  let [count, gone, last, place] = [0, 0, NONE, 0];
  const targetLeft = (): number => numbers.target(left[place] ?? Infinity);
  for (const number of lost) {
    if (effort.isTired(1)) yield;
    const target = numbers.target(number);
    if (target === last || !isCounted(numbers.native(number), target)) continue;
    last = target;
    count += 1;
    targets.add(target);
    // Both are in the order of their targets.
    for (; targetLeft() < target; place += 1) if (effort.isTired(1)) yield;
    let remains = false;
    for (; !remains && targetLeft() === target; place += 1) {
      remains = isCounted(numbers.native(left[place] ?? 0), target);
    }
    if (!remains) gone += 1;
  }
  return { count, gone };
}

/** Numbers of a target with a permission, by their targets. */
function* lossesOf(
  { lost, left }: HeldNumbers,
  numbers: Numbers,
  isCounted: IsCounted,
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
