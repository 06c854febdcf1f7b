import type { EffectiveAccess, NativePermission } from './effective-access';
import type { Moment } from './instants';
import { GAINED } from './relationship-types';
import { typesOf } from './walk';

const GAIN = typesOf(GAINED);
const WAYS = typesOf([...GAINED, 'ALLOWS']);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);
const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);

/** A relationship: its place, where it starts, its type and where it ends. */
type Line = readonly [id: string, from: string, type: string, to: string];

/** Something that is held and gives permissions on a scope of a resource. */
interface Found {
  readonly held: string;
  readonly on: string;
  readonly given: string;
  readonly scope: string;
  readonly permissions: readonly string[];
}

/**
 * Everything from which the ways of a principal to its permissions on a resource follow. The ids are
 * numbers of nodes and places of relationships, as texts.
 */
export interface WayMaterial {
  readonly who: string;
  readonly ways: readonly Line[];
  readonly places: readonly (readonly [scope: string, contains: readonly string[]])[];
  readonly found: readonly Found[];
}

/**
 * Finds the material of the ways by which a principal has permissions on a resource; only those that
 * are `wanted`.
 */
export const wayMaterial = (
  access: EffectiveAccess,
  who: number,
  target: number,
  moment: Moment,
  wanted: (permission: NativePermission) => boolean = () => true,
): WayMaterial => {
  const { graph, walk } = access;
  const { to } = graph.adjacency;
  const endOf = (place: number): number => to[place] as number;
  const version = graph.version(target, moment);
  const scopes = new Set(walk.to([target], CONTAINS, moment));
  const reached = walk.from(access.acting(who, moment), GAIN, moment);
  const found = reached
    .filter((node) => graph.kind(node)?.isEntitlement === true)
    .flatMap((held) => {
      const on = walk.linesFrom(held, ON, moment).filter((place) => scopes.has(endOf(place)));
      if (on.length === 0) return [];
      return walk.next(held, OF, moment).flatMap((given) =>
        on.flatMap((place) => {
          const scope = endOf(place);
          const permissions = access
            .givesOf(given, moment)
            .filter((give) => wanted(give.native) && access.isHolding(give, scope, target, version))
            .map(({ permission }) => permission);
          return permissions.length === 0 ? [] : [{ held, place, given, scope, permissions }];
        }),
      );
    });
  const entitlements = new Set(found.map(({ held }) => held));
  const permitted = new Set(found.flatMap(({ permissions }) => permissions));
  const lineOf = (place: number): Line => {
    const { from, to: end, type } = graph.relationship(place);
    return [String(place), String(from), type, String(end)];
  };
  const leadsOn = (place: number): boolean => {
    const end = endOf(place);
    const kind = graph.kind(end);
    if (kind?.isPermission === true) return permitted.has(end);
    return kind?.label !== 'Grant' || entitlements.has(end);
  };
  const connections =
    graph.kind(who)?.isResource === true ? walk.linesFrom(who, CONNECTS_TO, moment) : [];
  const resolutions = connections.flatMap((place) =>
    walk.linesFrom(endOf(place), RESOLVES_TO, moment),
  );
  const ways = reached.flatMap((node) => walk.linesFrom(node, WAYS, moment)).filter(leadsOn);
  return {
    who: String(who),
    ways: [...connections, ...resolutions, ...ways].map(lineOf),
    places: [...new Set(found.map(({ scope }) => scope))].map((scope) => [
      String(scope),
      downFrom(access, scope, target, moment).map(String),
    ]),
    found: found.map(({ held, place, given, scope, permissions }) => ({
      ...{ held: String(held), on: String(place), given: String(given), scope: String(scope) },
      permissions: permissions.map(String),
    })),
  };
};

/** The places of the relationships from a scope down to something in it. A resource has one place. */
const downFrom = (
  { graph, walk }: EffectiveAccess,
  scope: number,
  target: number,
  moment: Moment,
): readonly number[] => {
  const down: number[] = [];
  const met = new Set<number>();
  for (let node = target; node !== scope && !met.has(node);) {
    met.add(node);
    const [place] = walk.linesTo(node, CONTAINS, moment);
    if (place === undefined) break;
    down.unshift(place);
    node = graph.relationship(place).from;
  }
  return down;
};
