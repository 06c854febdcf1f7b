import type { WayMaterial } from '../../../access/ways';
import { grouped } from '../../../difference/grouped';
import { shortestWays, type Step, type Terrain, type Way } from './shortest-ways';

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

/**
 * The graph in which the search looks for paths. It leads from the principal along what it gains to
 * something that holds permissions, and from there along what that gives to the permissions.
 */
const terrainOf = ({ who, ways, found }: WayMaterial): Terrain<string> => {
  const linesFrom = grouped(ways, ([, from]) => from);
  const foundAt = grouped(found, ({ held }) => held);
  const permissions = new Set(found.flatMap((each) => each.permissions));
  const goals = new Set(
    found.flatMap(({ held, permissions: given }) => given.map((node) => giving(held, node))),
  );

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
};

/**
 * Turns ways into reasons. A way gives one reason for each scope on which its last holder gives the
 * permission.
 */
const withPlaces = (
  { found, places }: WayMaterial,
  ways: readonly Way<string>[],
): readonly Reason[] => {
  const below = new Map(places);
  return ways.flatMap(({ steps, goal }) => {
    const [held, permission = ''] = goal.split(' ');
    return found
      .filter((each) => each.held === held && each.permissions.includes(permission))
      .map(({ on, scope }) => ({ hops: steps, scope: [on, ...(below.get(scope) ?? [])] }));
  });
};

/**
 * The reasons, shortest first and at most `most`; `truncated` means that there are more
 * (docs/rules.md: Access answers).
 */
export const reasonsIn = (
  material: WayMaterial,
  most: number = LIMITS.most,
): { readonly reasons: readonly Reason[]; readonly truncated: boolean } => {
  const { ways, truncated } = shortestWays(terrainOf(material), { ...LIMITS, most });
  const all = withPlaces(material, ways);
  return { reasons: all.slice(0, most), truncated: truncated || all.length > most };
};
