import { NONE } from '../../../access/access-graph';
import type { Pieces } from '../../../access/pieces';
import { GAINED } from '../../../access/relationship-types';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import { FACT_TYPES, type FactType, heldInWords, type View } from './population';

const GAIN = typesOf(GAINED);
const FACTS = typesOf(FACT_TYPES);
const OF = typesOf(['OF']);
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

/** When a fact ended last, in nanoseconds; `null` if nobody knows, or it has not. */
export const endOf = (
  { graph }: View,
  [type, from, to]: readonly [string, string, string],
): bigint | null => graph.lastEndOf({ type: type as FactType, from, to });

/**
 * What a fact gave at a moment: its targets, each with the names of permissions. Their types may have
 * changed since, and the access is nevertheless the same.
 */
function* givenBy(view: View, to: number): Pieces<ReadonlyMap<number, ReadonlySet<string>>> {
  const { graph, access, moment } = view;
  const given = new Map<number, Set<string>>();
  for (const held of access.walk.from([to], GAIN, moment)) {
    yield;
    if (graph.kind(held)?.isEntitlement !== true) continue;
    for (const scope of access.walk.next(held, ON, moment)) {
      const gives = access.walk
        .next(held, OF, moment)
        .flatMap((each) => access.givesOf(each, moment));
      const isWide = gives.some((give) => access.isSpreading(give, scope));
      for (const target of isWide ? access.walk.from([scope], CONTAINS, moment) : [scope]) {
        const version = graph.version(target, moment);
        for (const give of gives) {
          if (!access.isHolding(give, scope, target, version)) continue;
          const known = given.get(target) ?? new Set<string>();
          given.set(target, known.add(give.native.name));
        }
      }
    }
  }
  return given;
}

/**
 * Through what the holder of a fact, or the human behind it, has now what the fact gave at the instant
 * of the review; empty if that access is gone.
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
  const given = yield* givenBy(then, end);
  const whose = [humanAt(now), humanAt(then), holder].filter((node) => node !== NONE);
  const ways = new Set<string>();
  for (const who of new Set(whose)) {
    yield;
    if (!graph.exists(who, now.moment)) continue;
    const left = new Set<number>();
    const reached = yield* access.reachedInPieces(who, now.moment);
    for (const [target, permissions] of reached) {
      const before = given.get(target);
      if (before !== undefined && permissions.some(({ name }) => before.has(name)))
        left.add(target);
    }
    if (left.size === 0) continue;
    const places = new Set(access.walk.to([...left], CONTAINS, now.moment));
    const own = [who, ...humans.accountsOf(who, now.moment), holder];
    for (const node of new Set(own)) {
      for (const far of access.walk.next(node, FACTS, now.moment)) {
        yield;
        const leads = access.walk
          .from([far], GAIN, now.moment)
          .some((each) =>
            access.walk.next(each, ON, now.moment).some((scope) => places.has(scope)),
          );
        if (leads) ways.add(heldInWords(now, far).holds);
      }
    }
    if (ways.size === 0) ways.add('a way that no fact of their own begins');
  }
  return [...ways].sort(byCodeUnits).slice(0, MOST_WAYS);
}
