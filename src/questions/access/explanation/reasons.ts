import { Effort, type Pieces } from '../../../access/pieces';
import type { WayMaterial } from '../../../access/ways';
import { shortestWays, type Step, type Terrain, type Way } from './shortest-ways';
import { listAt } from '../../../model/grouped';

/**
 * The limits of an explanation (docs/rules.md: Access answers). `effort` bounds the nodes that the
 * search visits.
 */
const LIMITS = { most: 100, longest: 16, effort: 50_000 } as const;

/**
 * One reason for access, as ids of relationships: those from the principal to a permission, and
 * those from what holds it to the resource.
 */
export interface Reason {
  readonly hops: readonly string[];
  readonly scope: readonly string[];
}

// A path may pass a role twice: once as something the principal gains, once as something an
// assignment gives. So a role that an assignment gives is a place of its own, with both ids.
const giving = (held: string, node: string): string => `${held} ${node}`;

type FoundAt = ReadonlyMap<string, WayMaterial['found']>;

/** Groups items by a text of each, in pieces. Groups and items keep their order. */
function* groupedBy<A>(
  items: readonly A[],
  keyOf: (item: A) => string,
): Pieces<ReadonlyMap<string, readonly A[]>> {
  const effort = new Effort();
  const groups = new Map<string, A[]>();
  for (const item of items) {
    if (effort.isTired(1)) yield;
    listAt(groups, keyOf(item)).push(item);
  }
  return groups;
}

/**
 * The graph in which the search looks for paths. It leads from the principal along what it gains to
 * something that holds permissions, and from there along what that gives to the permissions.
 */
function* terrainOf({ who, ways, found }: WayMaterial, foundAt: FoundAt): Pieces<Terrain<string>> {
  const linesFrom = yield* groupedBy(ways, ([, from]) => from);
  const permissions = new Set<string>();
  const goals = new Set<string>();
  const effort = new Effort();
  for (const { held, permissions: given } of found) {
    for (const node of given) {
      if (effort.isTired(1)) yield;
      permissions.add(node);
      goals.add(giving(held, node));
    }
  }

  const gains = (node: string): readonly Step<string>[] =>
    (linesFrom.get(node) ?? []).flatMap(([step, , type, to]) => {
      const isGiven = type === 'OF' && foundAt.get(node)?.some(({ given }) => given === to);
      const gained = type === 'ALLOWS' || permissions.has(to) ? [] : [{ step, to }];
      return isGiven ? [...gained, { step, to: giving(node, to) }] : gained;
    });
  const gives = (held: string, node: string): readonly Step<string>[] =>
    (linesFrom.get(node) ?? []).flatMap(([step, , type, to]) =>
      type === 'INCLUDES' || (type === 'ALLOWS' && goals.has(giving(held, to)))
        ? [{ step, to: giving(held, to) }]
        : [],
    );
  const known = new Map<string, readonly Step<string>[]>();
  return {
    start: who,
    isGoal: (place) => goals.has(place),
    stepsFrom: (place) => {
      const [held = '', node] = place.split(' ');
      const steps = known.get(place) ?? (node === undefined ? gains(held) : gives(held, node));
      known.set(place, steps);
      return steps;
    },
  };
}

/**
 * Turns ways into reasons. A way gives one reason for each scope on which its last holder gives the
 * permission.
 */
const withPlaces = (
  { places }: WayMaterial,
  foundAt: FoundAt,
  ways: readonly Way<string>[],
): readonly Reason[] => {
  const below = new Map(places);
  return ways.flatMap(({ steps, goal }) => {
    const [held = '', permission = ''] = goal.split(' ');
    return (foundAt.get(held) ?? [])
      .filter((each) => each.permissions.includes(permission))
      .map(({ on, scope }) => ({ hops: steps, scope: [on, ...(below.get(scope) ?? [])] }));
  });
};

/**
 * The reasons, shortest first and at most `most`; `truncated` means that there are more
 * (docs/rules.md: Access answers).
 */
export function* reasonsIn(
  material: WayMaterial,
  most: number = LIMITS.most,
): Pieces<{ readonly reasons: readonly Reason[]; readonly truncated: boolean }> {
  const foundAt = yield* groupedBy(material.found, ({ held }) => held);
  const terrain = yield* terrainOf(material, foundAt);
  const { ways, truncated } = yield* shortestWays(terrain, { ...LIMITS, most });
  const all = withPlaces(material, foundAt, ways);
  return { reasons: all.slice(0, most), truncated: truncated || all.length > most };
}
