import type { EffectiveAccess, NativePermission } from './effective-access';
import type { Moment } from './instants';
import { Effort, type Pieces } from './pieces';
import { GAINED } from './relationship-types';
import { type Types, typesOf } from './walk';
import { listAt } from '../model/grouped';

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

/** A relationship to a scope from something that is held: the `nth` of those that a principal has. */
type HeldOn = Readonly<Record<'nth' | 'held' | 'place' | 'scope', number>>;

/** The place of a relationship, and where it ends. */
type PlaceAndEnd = Readonly<Record<'place' | 'end', number>>;

/** A relationship along which ways lead. */
interface Leading extends PlaceAndEnd {
  /** Whether it ends at a permission, or at a grant: only some of these lead to a resource. */
  readonly leadsTo: 'permission' | 'grant' | 'other';
}

/** What a principal has at a moment, whatever the resource: many rows of a list are about one principal. */
export interface HeldByPrincipal {
  readonly onScope: ReadonlyMap<number, readonly HeldOn[]>;
  readonly lines: readonly Leading[];
}

/** Finds what a principal has at a moment: on all scopes, or only on some. */
export function* heldByPrincipal(
  access: EffectiveAccess,
  who: number,
  moment: Moment,
  scopes: ReadonlySet<number> | null = null,
): Pieces<HeldByPrincipal> {
  const { graph, walk } = access;
  const linesOf = (node: number, types: Types): readonly PlaceAndEnd[] => {
    const found: PlaceAndEnd[] = [];
    walk.eachNext(node, types, moment, (end, place) => found.push({ place, end }));
    return found;
  };
  const effort = new Effort();
  const onScope = new Map<number, HeldOn[]>();
  const lines: Leading[] = [];
  let nth = 0;
  for (const node of yield* access.gainedBy(who, moment)) {
    if (effort.isTired(1)) yield;
    if (graph.kind(node)?.isEntitlement === true) {
      for (const { place, end: scope } of linesOf(node, ON)) {
        if (effort.isTired(1)) yield;
        if (scopes?.has(scope) === false) continue;
        const known = onScope.get(scope);
        const one = { nth, held: node, place, scope };
        if (known === undefined) onScope.set(scope, [one]);
        else known.push(one);
        nth += 1;
      }
    }
    for (const { place, end } of linesOf(node, WAYS)) {
      if (effort.isTired(1)) yield;
      const kind = graph.kind(end);
      const isGrant = kind?.label === 'Grant';
      const leadsTo = kind?.isPermission === true ? 'permission' : isGrant ? 'grant' : 'other';
      lines.push({ place, end, leadsTo });
    }
  }
  return { onScope, lines };
}

/**
 * Collects the relationships from which the ways of a principal to the `wanted` permissions on a
 * resource follow. A caller that asks about several resources passes what the principal holds
 * (`known`), so that it is found once.
 */
export function* wayMaterial(
  access: EffectiveAccess,
  who: number,
  target: number,
  moment: Moment,
  wanted: (permission: NativePermission) => boolean = () => true,
  known?: HeldByPrincipal,
): Pieces<WayMaterial> {
  const { graph, walk } = access;
  const endOf = (place: number): number => graph.relationship(place).to;
  const version = graph.version(target, moment);
  const around = yield* access.around(target, moment);
  const { onScope, lines } =
    known ?? (yield* heldByPrincipal(access, who, moment, new Set(around)));
  const effort = new Effort();
  const placesOf = new Map<number, HeldOn[]>();
  for (const scope of around) {
    for (const one of onScope.get(scope) ?? []) {
      if (effort.isTired(1)) yield;
      listAt(placesOf, one.held).push(one);
    }
  }
  const found: Found[] = [];
  const [entitlements, permitted, scopes] = [
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
  ];
  for (const [held, on] of placesOf) {
    if (effort.isTired(1)) yield;
    on.sort((a, b) => a.nth - b.nth);
    for (const given of walk.next(held, OF, moment)) {
      const gives = yield* access.givesInPieces(given, moment);
      for (const { place, scope } of on) {
        const permissions: number[] = [];
        for (const give of gives) {
          if (effort.isTired(1)) yield;
          if (wanted(give.native) && access.isHolding(give, scope, target, version)) {
            permissions.push(give.permission);
          }
        }
        if (permissions.length === 0) continue;
        found.push({
          held: String(held),
          on: String(place),
          given: String(given),
          scope: String(scope),
          permissions: permissions.map(String),
        });
        entitlements.add(held);
        scopes.add(scope);
        for (const permission of permissions) permitted.add(permission);
      }
    }
  }
  const lineOf = (place: number): Line => {
    const { from, to: end, type } = graph.relationship(place);
    return [String(place), String(from), type, String(end)];
  };
  const leadsOn = ({ end, leadsTo }: Leading): boolean => {
    if (leadsTo === 'permission') return permitted.has(end);
    return leadsTo !== 'grant' || entitlements.has(end);
  };
  const connections =
    graph.kind(who)?.isResource === true ? walk.linesFrom(who, CONNECTS_TO, moment) : [];
  const resolutions = connections.flatMap((place) =>
    walk.linesFrom(endOf(place), RESOLVES_TO, moment),
  );
  const ways: Line[] = [...connections, ...resolutions].map(lineOf);
  for (const line of lines) {
    if (effort.isTired(1)) yield;
    if (leadsOn(line)) ways.push(lineOf(line.place));
  }
  return {
    who: String(who),
    ways,
    places: [...scopes].map((scope) => [
      String(scope),
      downFrom(access, scope, target, moment).map(String),
    ]),
    found,
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
