import { NONE, type NodeSummary } from '../../../access/access-graph';
import type { Permissions } from '../../../access/effective-access';
import { byKey, Effort, Marks, type Pieces, STEPS } from '../../../access/pieces';
import { GAINED } from '../../../access/relationship-types';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import type { FactType, View } from './facts';
import { isFact } from './left-access';

const GAIN = typesOf(GAINED);

/** How many of those who gain a fact are looked at. */
const MOST_LOOKED_AT = 20;
/** How many things and permissions a loss names. */
const MOST_NAMED = 5;

/** What somebody can no longer do without a fact. */
export interface Loser {
  readonly who: NodeSummary;
  /** On how many resources and applications they lose something; 0: they lose nothing. */
  readonly places: number;
  /** The first of them, in the order of their keys. */
  readonly firstPlaces: readonly NodeSummary[];
  /** The names of the permissions that they lose; the first of them. */
  readonly permissions: readonly string[];
}

/** What the removal of a fact would change now. */
export interface Loss {
  /** Whether the fact still holds. */
  readonly holds: boolean;
  /** How many gain something by it. */
  readonly people: number;
  /** The first of them. */
  readonly losers: readonly Loser[];
}

const NOTHING: Loss = { holds: false, people: 0, losers: [] };

/** Everything that somebody gains without a fact. */
function* gainedWithout(
  { graph, access, moment }: View,
  who: number,
  type: FactType,
  start: number,
  end: number,
): Pieces<readonly number[]> {
  const types = typesOf([type]);
  const others = typesOf(GAINED.filter((each) => each !== type));
  const { walk } = access;
  return yield* new Marks(graph).spread(access.acting(who, moment), (node, visit) => {
    if (node !== start) return walk.eachNext(node, GAIN, moment, visit);
    walk.eachNext(node, others, moment, visit);
    walk.eachNext(node, types, moment, (far) => {
      if (far !== end) visit(far);
    });
  });
}

/** Those who gain what a node has: each human once, and what is nobody's by itself. */
function* gainersOf(
  { graph, access, humans, moment }: View,
  holder: number,
): Pieces<readonly number[]> {
  const above = yield* access.spread(new Marks(graph), [holder], GAIN, moment, 'back');
  const found = new Set<number>();
  for (const [place, node] of above.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    if (!humans.canBeHuman(node)) continue;
    const human = humans.humanOf(node, moment);
    found.add(human === NONE ? node : human);
  }
  return found.size === 0 ? [holder] : yield* byKey(graph, [...found]);
}

/** What somebody loses of what a fact gives, if the rest is left to them. */
function* loserOf(
  { graph, moment, clock }: View,
  who: number,
  gives: ReadonlyMap<number, Permissions>,
  left: ReadonlyMap<number, Permissions>,
): Pieces<Loser> {
  const places: number[] = [];
  const lost = new Set<string>();
  const effort = new Effort();
  for (const [target, permissions] of gives) {
    const remaining = left.get(target) ?? [];
    if (effort.isTired(1 + permissions.length + remaining.length)) yield;
    const names = new Set(remaining.map(({ name }) => name));
    const gone = permissions.filter(({ name }) => !names.has(name));
    if (gone.length === 0) continue;
    places.push(target);
    for (const { name } of gone) lost.add(name);
  }
  const ordered = yield* byKey(graph, places);
  return {
    who: graph.summary(who, moment, clock),
    places: places.length,
    firstPlaces: ordered.slice(0, MOST_NAMED).map((node) => graph.summary(node, moment, clock)),
    permissions: [...lost].sort(byCodeUnits).slice(0, MOST_NAMED),
  };
}

/**
 * Who would lose what, if somebody removed a fact now (docs/rules.md: Access reviews). Permissions of
 * one name are the same.
 */
export function* lossOf(
  view: View,
  [type, from, to]: readonly [string, string, string],
): Pieces<Loss> {
  const { graph, access, moment } = view;
  const [start, end] = [graph.find(from), graph.find(to)];
  if (!isFact(view, [type, from, to])) return NOTHING;
  const given = yield* access.reachedFrom([end], moment);
  const gainers = yield* gainersOf(view, start);
  const losers: Loser[] = [];
  for (const who of gainers.slice(0, MOST_LOOKED_AT)) {
    const gained = yield* gainedWithout(view, who, type as FactType, start, end);
    losers.push(yield* loserOf(view, who, given, yield* access.reachedAmong(gained, moment)));
  }
  return { holds: true, people: gainers.length, losers };
}
