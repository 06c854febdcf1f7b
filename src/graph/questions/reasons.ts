import { grouped } from '../../difference/grouped';
import { shortestWays, type Step, type Terrain, type Way } from './shortest-ways';

/** How much is told of an explanation (docs/rules.md: Access answers). */
const LIMITS = { most: 100, longest: 16, effort: 50_000 } as const;

/** One reason for access, as relationships: from the principal to a permission, and from what holds it to the resource. */
export interface Reason {
  readonly hops: readonly string[];
  readonly scope: readonly string[];
}

/** A relationship: its id, and whence it leads by which type whither. */
type Line = readonly [id: string, from: string, type: string, to: string];

/** Something held on a scope that gives permissions asked for; all are ids of Neo4j. */
interface Found {
  readonly held: string;
  readonly on: string;
  readonly given: string;
  readonly scope: string;
  readonly permissions: readonly string[];
}

/** What `EXPLAIN_ACCESS` answers. */
export interface Material {
  readonly who: string;
  readonly ways: readonly Line[];
  readonly places: readonly (readonly [scope: string, contains: readonly string[]])[];
  readonly found: readonly Found[];
}

// What somebody gains is one thing, what a thing held gives another: a role may be come by on the way to what it allows.
const giving = (held: string, node: string): string => `${held} ${node}`;

/** From the principal along what is gained to a thing held that was found, and from there along what it gives to its permissions. */
const terrainOf = ({ who, ways, found }: Material): Terrain<string> => {
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

/** A way, and each place where what it ends in is held. */
const withPlaces = (
  { found, places }: Material,
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

/** The reasons that there are, shortest first, at most as many as are told, and whether there are more (docs/rules.md: Access answers). */
export const reasonsIn = (
  material: Material,
): { readonly reasons: readonly Reason[]; readonly truncated: boolean } => {
  const { ways, truncated } = shortestWays(terrainOf(material), LIMITS);
  const all = withPlaces(material, ways);
  return { reasons: all.slice(0, LIMITS.most), truncated: truncated || all.length > LIMITS.most };
};
