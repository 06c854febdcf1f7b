import type { EffectiveAccess, NativePermission } from './effective-access';
import type { Moment } from './instants';
import { Effort, type Pieces } from './pieces';
import { GAINED } from './relationship-types';
import { typesOf } from './walk';

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

/** The same, by the numbers of nodes; `place` is that of the relationship to the scope. */
interface OnScope extends Readonly<Record<'held' | 'place' | 'given' | 'scope', number>> {
  readonly permissions: readonly number[];
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
export function* wayMaterial(
  access: EffectiveAccess,
  who: number,
  target: number,
  moment: Moment,
  wanted: (permission: NativePermission) => boolean = () => true,
): Pieces<WayMaterial> {
  const { graph, walk } = access;
  const endOf = (place: number): number => graph.relationship(place).to;
  const version = graph.version(target, moment);
  const scopes = new Set(yield* access.around(target, moment));
  const reached = yield* access.gainedBy(who, moment);
  const found: OnScope[] = [];
  const effort = new Effort();
  for (const held of reached) {
    if (effort.isTired(1)) yield;
    if (graph.kind(held)?.isEntitlement !== true) continue;
    const on = walk.linesFrom(held, ON, moment).filter((place) => scopes.has(endOf(place)));
    if (on.length === 0) continue;
    for (const given of walk.next(held, OF, moment)) {
      const gives = yield* access.givesInPieces(given, moment);
      for (const place of on) {
        const scope = endOf(place);
        const permissions: number[] = [];
        for (const give of gives) {
          if (effort.isTired(1)) yield;
          if (wanted(give.native) && access.isHolding(give, scope, target, version)) {
            permissions.push(give.permission);
          }
        }
        if (permissions.length > 0) found.push({ held, place, given, scope, permissions });
      }
    }
  }
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
  const ways: Line[] = [...connections, ...resolutions].map(lineOf);
  for (const node of reached) {
    if (effort.isTired(1)) yield;
    for (const place of walk.linesFrom(node, WAYS, moment)) {
      if (effort.isTired(1)) yield;
      if (leadsOn(place)) ways.push(lineOf(place));
    }
  }
  return {
    who: String(who),
    ways,
    places: [...new Set(found.map(({ scope }) => scope))].map((scope) => [
      String(scope),
      downFrom(access, scope, target, moment).map(String),
    ]),
    found: found.map(({ held, place, given, scope, permissions }) => ({
      ...{ held: String(held), on: String(place), given: String(given), scope: String(scope) },
      permissions: permissions.map(String),
    })),
  };
}

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
