import { type AccessGraph, NONE } from '../../../access/access-graph';
import type { Permissions } from '../../../access/effective-access';
import { Effort, Marks, type Pieces, STEPS } from '../../../access/pieces';
import { GAINED } from '../../../access/relationship-types';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import { FACTS, type FactType, heldInWords, type View } from './facts';

const GAIN = typesOf(GAINED);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);

/** How many ways an item names through which access is left. */
const MOST_WAYS = 20;

/** Whether a fact holds at a moment. */
export const isFact = (
  { graph, access, moment }: View,
  [type, from, to]: readonly [string, string, string],
): boolean => {
  const [start, end] = [graph.find(from), graph.find(to)];
  if (start === NONE || end === NONE) return false;
  if (!graph.exists(start, moment) || !graph.exists(end, moment)) return false;
  return access.walk.next(start, typesOf([type as FactType]), moment).includes(end);
};

/** When a fact that holds at a moment began, in nanoseconds; `null` if nobody knows, or it does not hold. */
export const beginningOf = (
  { graph, access, moment }: View,
  [type, from, to]: readonly [string, string, string],
): bigint | null => {
  const [start, end] = [graph.find(from), graph.find(to)];
  if (start === NONE || end === NONE) return null;
  const places = access.walk.linesFrom(start, typesOf([type as FactType]), moment);
  const place = places.find((each) => graph.relationship(each).to === end);
  return place === undefined ? null : graph.relationship(place).since;
};

/** When a fact began and ended last, in nanoseconds; `null` if nobody knows, or it has not ended. */
export const lastTimeOf = (
  { graph }: View,
  [type, from, to]: readonly [string, string, string],
): ReturnType<AccessGraph['lastTimeOf']> => graph.lastTimeOf({ type: type as FactType, from, to });

/** Whether somebody who gains a node has something on one of some places. */
function* leads(
  { graph, access, moment }: View,
  node: number,
  places: ReadonlySet<number>,
): Pieces<boolean> {
  const gained = yield* access.spread(new Marks(graph), [node], GAIN, moment, 'on');
  for (const [place, each] of gained.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    if (access.walk.next(each, ON, moment).some((scope) => places.has(scope))) return true;
  }
  return false;
}

/**
 * Through what the holder of a fact, or the human behind it, has now what the fact gave at the instant
 * of the review; empty if that access is gone. Permissions of one name are the same: their types may
 * have changed since.
 */
export function* leftThrough(
  then: View,
  now: View,
  [, from, to]: readonly [string, string, string],
): Pieces<readonly string[]> {
  const { graph, humans, access } = now;
  const [holder, end] = [graph.find(from), graph.find(to)];
  if (holder === NONE || end === NONE) return [];
  const humanAt = ({ moment }: View): number =>
    humans.canBeHuman(holder) ? humans.humanOf(holder, moment) : NONE;
  const given = yield* then.access.reachedFrom([end], then.moment);
  const whose = [humanAt(now), humanAt(then), holder].filter((node) => node !== NONE);
  const ways = new Set<string>();
  for (const who of new Set(whose)) {
    yield;
    if (!graph.exists(who, now.moment)) continue;
    const left = yield* leftOf(given, yield* access.reachedInPieces(who, now.moment));
    if (left.length === 0) continue;
    const around = yield* access.spread(new Marks(graph), left, CONTAINS, now.moment, 'back');
    const places = new Set(around);
    const own = [who, ...humans.accountsOf(who, now.moment), holder];
    for (const node of new Set(own)) {
      for (const far of access.walk.next(node, FACTS, now.moment)) {
        yield;
        if (yield* leads(now, far, places)) ways.add((yield* heldInWords(now, far)).holds);
      }
    }
    if (ways.size === 0) ways.add('a way that no fact of their own begins');
  }
  return [...ways].sort(byCodeUnits).slice(0, MOST_WAYS);
}

/** The targets on which somebody has a permission that was given on them, by its name. */
function* leftOf(
  given: ReadonlyMap<number, Permissions>,
  reached: ReadonlyMap<number, Permissions>,
): Pieces<readonly number[]> {
  const names = new Map<Permissions, ReadonlySet<string>>();
  const left: number[] = [];
  const effort = new Effort();
  for (const [target, permissions] of reached) {
    const gave = given.get(target);
    if (effort.isTired(1 + permissions.length)) yield;
    if (gave === undefined) continue;
    const before = names.get(gave) ?? new Set(gave.map(({ name }) => name));
    names.set(gave, before);
    if (permissions.some(({ name }) => before.has(name))) left.push(target);
  }
  return left;
}
