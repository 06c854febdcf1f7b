import { type AccessGraph, NONE } from './access-graph';
import type { Moment } from './instants';
import { atOnce, Effort, Marks, type Pieces, STEPS } from './pieces';
import { GAINED } from './relationship-types';
import { NO_TEXT } from './texts';
import { type Types, typesOf, Walk } from './walk';
import { listAt } from '../model/grouped';

/*
 * The rules of effective access (docs/rules.md: Effective access) on a graph in memory. The same
 * rules are written in Cypher for saved queries (`src/graph/statements/access-rules.ts`), and in the
 * mirror of the tests.
 */

const GAIN = typesOf(GAINED);
const HOLDS = typesOf(['HOLDS']);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);
const GIVING = typesOf(['INCLUDES', 'ALLOWS']);
const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);

/** A native permission, as answers list it: whichever of its nodes gives it. */
export interface NativePermission {
  readonly name: string;
  /** Its canonical types, as JSON. */
  readonly types: string;
  /** Its name in UTF-8, by which sets are ordered. */
  readonly bytes: Uint8Array;
  /** Its number among those of a graph. */
  readonly number: number;
}

/** Native permissions, each once and by name. Equal sets are often the same array. */
export type Permissions = readonly NativePermission[];

/** What a grant, or a role that is assigned, gives. */
export interface Give {
  /** The node of the permission. */
  readonly permission: number;
  readonly native: NativePermission;
  /** Whether it holds on what its scope contains too. */
  readonly spreads: boolean;
  readonly isThroughRole: boolean;
  /** The folded type of the resources on which it holds; `NO_TEXT` means all. */
  readonly resourceType: number;
  /** The folded types of the applications in which it holds; `null` means all. */
  readonly applicationTypes: readonly number[] | null;
}

/** Something that gives permissions on a scope. */
interface Given {
  readonly given: number;
  readonly scope: number;
}

/** Compares permissions by name, as Neo4j does, then by their types. */
export const byName = (a: NativePermission, b: NativePermission): number =>
  Buffer.compare(a.bytes, b.bytes) || (a.types < b.types ? -1 : 1);

/** How many scopes in a resource are one piece: each may contain others. */
const FEW_STEPS = 64;

/** How many sets of permissions the cache may have, and how many permissions these. */
const MOST_SETS = 100_000;
const MOST_CACHED = 1_000_000;

/** Who can do what on a graph in memory, now and at instants. */
export class EffectiveAccess {
  readonly walk: Walk;
  private readonly natives = new Map<string, NativePermission>();
  private readonly sets = new Map<string, Permissions>();
  private readonly unions = new WeakMap<Permissions, WeakMap<Permissions, Permissions>>();
  private cached = 0;
  private gives = new Map<number, readonly Give[]>();
  private moment: Moment | null = null;
  private changes = 0;
  /** Permissions that were looked at since the last pause. */
  private readonly effort = new Effort();

  constructor(readonly graph: AccessGraph) {
    this.walk = new Walk(graph);
  }

  /** Everything that a principal reaches, or a resource that acts with the access of principals. */
  reachedBy(who: number, moment: Moment): ReadonlyMap<number, Permissions> {
    return atOnce(this.reachedInPieces(who, moment));
  }

  /** Does what `reachedBy` does, in pieces. */
  reachedInPieces(who: number, moment: Moment): Pieces<ReadonlyMap<number, Permissions>> {
    return this.reachedFrom(this.acting(who, moment), moment);
  }

  /** What some nodes give to those who gain them: groups, roles or grants, for example. */
  *reachedFrom(nodes: readonly number[], moment: Moment): Pieces<ReadonlyMap<number, Permissions>> {
    const gained = yield* this.spread(new Marks(this.graph), nodes, GAIN, moment, 'on');
    return yield* this.reachedAmong(gained, moment);
  }

  /** What some nodes themselves give: the grants and role assignments among them. */
  *reachedAmong(
    gained: readonly number[],
    moment: Moment,
  ): Pieces<ReadonlyMap<number, Permissions>> {
    this.begin(moment);
    const found = new Map<number, Permissions>();
    const marks = new Marks(this.graph);
    const held = yield* this.heldAmong(gained, moment);
    for (const [scope, gives] of yield* this.givesByScope(held, moment)) {
      yield* this.onScope(marks, gives, scope, moment, (target, permissions) =>
        this.addTo(found, target, permissions),
      );
    }
    return found;
  }

  /**
   * Finds what holds on everything that a scope is or contains, of what is given on the scope. Only
   * wanted targets count.
   */
  *onScope(
    marks: Marks,
    gives: readonly Give[],
    scope: number,
    moment: Moment,
    take: (target: number, permissions: Permissions) => void,
    isWanted: (target: number) => boolean = () => true,
  ): Pieces<void> {
    const targets = gives.some((give) => this.isSpreading(give, scope))
      ? yield* this.spread(marks, [scope], CONTAINS, moment, 'on')
      : [scope];
    const sets = new Map<string, Permissions>();
    for (const [place, target] of targets.entries()) {
      if (place % STEPS === STEPS - 1 || this.effort.isTired()) yield;
      if (!isWanted(target)) continue;
      const permissions = this.ofClass(sets, gives, scope, target, moment);
      if (permissions.length > 0) take(target, permissions);
    }
  }

  /**
   * All who reach a resource or application; with `contents`, it or something in it (docs/rules.md:
   * Access answers). Who gains something only by way of the node `except` does not count.
   */
  *reaching(
    target: number,
    contents: boolean,
    moment: Moment,
    except = NONE,
  ): Pieces<ReadonlyMap<number, Permissions>> {
    this.begin(moment);
    const marks = new Marks(this.graph);
    const around = yield* this.spread(marks, [target], CONTAINS, moment, 'back');
    const inside = contents
      ? yield* this.spread(marks, [target], CONTAINS, moment, 'on')
      : [target];
    const found = new Map<number, Permissions>();
    for (const scope of around) yield* this.addHolders(found, scope, inside, moment);
    for (const [place, scope] of inside.entries()) {
      if (place % FEW_STEPS === FEW_STEPS - 1) yield;
      if (scope === target) continue;
      const within = yield* this.spread(marks, [scope], CONTAINS, moment, 'on');
      yield* this.addHolders(found, scope, within, moment);
    }
    // Few sets of permissions are distinct, so each node is met few times.
    const holders = new Map<Permissions, number[]>();
    for (const [holder, permissions] of found) {
      listAt(holders, permissions).push(holder);
    }
    const reaching = new Map<number, Permissions>();
    for (const [permissions, alike] of holders) {
      if (this.effort.isTired()) yield;
      const entities = yield* marks.spread(
        alike,
        (node, visit) => this.walk.eachPrevious(node, GAIN, moment, visit),
        except,
      );
      for (const [place, entity] of entities.entries()) {
        if (place % STEPS === STEPS - 1 || this.effort.isTired()) yield;
        if (this.graph.kind(entity)?.isPrincipal !== true) continue;
        this.addTo(reaching, entity, permissions);
        if (!this.walk.isLedTo(entity, RESOLVES_TO, moment)) continue;
        for (const external of this.walk.previous(entity, RESOLVES_TO, moment)) {
          for (const who of this.walk.previous(external, CONNECTS_TO, moment)) {
            if (this.graph.kind(who)?.isResource === true) this.addTo(reaching, who, permissions);
          }
        }
      }
    }
    return reaching;
  }

  /** Adds those who hold something on a scope that counts on some of the targets that it contains. */
  private *addHolders(
    found: Map<number, Permissions>,
    scope: number,
    targets: readonly number[],
    moment: Moment,
  ): Pieces<void> {
    const some = this.oneOfEachClass(targets, scope, moment);
    for (const held of this.walk.previous(scope, ON, moment)) {
      if (this.effort.isTired()) yield;
      const permissions = this.heldOnClasses(held, scope, some, moment);
      if (permissions.length === 0) continue;
      for (const holder of this.walk.previous(held, HOLDS, moment)) {
        this.addTo(found, holder, permissions);
      }
    }
  }

  /** The permissions of a principal on a resource or application. */
  between(who: number, target: number, moment: Moment): Permissions {
    return atOnce(this.betweenInPieces(who, target, moment));
  }

  /** Does what `between` does, in pieces. */
  *betweenInPieces(who: number, target: number, moment: Moment): Pieces<Permissions> {
    const scopes = yield* this.scopesOf([target], moment);
    return (yield* this.onPlaces(who, scopes, moment)).get(target) ?? [];
  }

  /** The resources and applications that are or contain some targets, each with these targets. */
  *scopesOf(
    targets: readonly number[],
    moment: Moment,
  ): Pieces<ReadonlyMap<number, readonly number[]>> {
    const scopes = new Map<number, number[]>();
    const marks = new Marks(this.graph);
    for (const target of targets) {
      const around = yield* this.spread(marks, [target], CONTAINS, moment, 'back');
      for (const scope of around) {
        listAt(scopes, scope).push(target);
      }
    }
    return scopes;
  }

  /** The permissions of a principal on some targets, with the scopes of these. */
  *onPlaces(
    who: number,
    scopes: ReadonlyMap<number, readonly number[]>,
    moment: Moment,
  ): Pieces<ReadonlyMap<number, Permissions>> {
    const found = new Map<number, Permissions>();
    const held = yield* this.heldAmong(yield* this.gainedBy(who, moment), moment, scopes);
    for (const [scope, gives] of yield* this.givesByScope(held, moment)) {
      const sets = new Map<string, Permissions>();
      for (const target of scopes.get(scope) ?? []) {
        if (this.effort.isTired()) yield;
        const permissions = this.ofClass(sets, gives, scope, target, moment);
        if (permissions.length > 0) this.addTo(found, target, permissions);
      }
    }
    return found;
  }

  /** Some nodes, and all to which relationships lead from them, or from which they lead to them. */
  *spread(
    marks: Marks,
    starts: readonly number[],
    types: Types,
    moment: Moment,
    way: 'on' | 'back',
  ): Pieces<readonly number[]> {
    const { walk } = this;
    // Most walks are short, and marks for all nodes would cost more.
    const few =
      way === 'on'
        ? walk.from(starts, types, moment, null, STEPS)
        : walk.to(starts, types, moment, STEPS);
    if (few.length < STEPS) return few;
    return yield* marks.spread(starts, (node, visit) => {
      if (way === 'on') walk.eachNext(node, types, moment, visit);
      else walk.eachPrevious(node, types, moment, visit);
    });
  }

  /** Whose access a node has: its own, or that of the principals to which a resource connects. */
  acting(who: number, moment: Moment): readonly number[] {
    const kind = this.graph.kind(who);
    const connected =
      kind?.isResource === true
        ? this.walk
            .next(who, CONNECTS_TO, moment)
            .flatMap((external) => this.walk.next(external, RESOLVES_TO, moment))
            .filter((entity) => this.graph.kind(entity)?.isPrincipal === true)
        : [];
    return kind?.isPrincipal === true ? [who, ...connected] : connected;
  }

  /** A resource or application, and all that contain it. */
  around(target: number, moment: Moment): Pieces<readonly number[]> {
    return this.spread(new Marks(this.graph), [target], CONTAINS, moment, 'back');
  }

  /** Everything that a principal gains, and itself. */
  gainedBy(who: number, moment: Moment): Pieces<readonly number[]> {
    return this.spread(new Marks(this.graph), this.acting(who, moment), GAIN, moment, 'on');
  }

  /** The grants and roles among some nodes, each with a scope `within` those given. */
  private *heldAmong(
    nodes: readonly number[],
    moment: Moment,
    within: ReadonlyMap<number, unknown> | null = null,
  ): Pieces<readonly Given[]> {
    const found: Given[] = [];
    for (const [place, held] of nodes.entries()) {
      if (place % STEPS === STEPS - 1 || this.effort.isTired()) yield;
      if (this.graph.kind(held)?.isEntitlement !== true) continue;
      const scopes: number[] = [];
      this.walk.eachNext(held, ON, moment, (scope) => {
        this.effort.add(1);
        if (within?.has(scope) !== false) scopes.push(scope);
      });
      if (scopes.length === 0) continue;
      for (const given of this.walk.next(held, OF, moment)) {
        this.effort.add(scopes.length);
        for (const scope of scopes) found.push({ given, scope });
        if (this.effort.isTired()) yield;
      }
    }
    return found;
  }

  /** What is given on each scope. */
  private *givesByScope(
    held: readonly Given[],
    moment: Moment,
  ): Pieces<ReadonlyMap<number, readonly Give[]>> {
    const given = new Map<number, Set<number>>();
    for (const [place, each] of held.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      const onScope = given.get(each.scope) ?? new Set();
      given.set(each.scope, onScope.add(each.given));
    }
    const gives = new Map<number, readonly Give[]>();
    for (const [scope, all] of given) {
      const onScope: Give[] = [];
      for (const each of all) {
        if (this.effort.isTired()) yield;
        const some = yield* this.givesInPieces(each, moment);
        this.effort.add(some.length + 1);
        for (const give of some) onScope.push(give);
      }
      gives.set(scope, onScope);
    }
    return gives;
  }

  /** A granted permission itself, or all that an assigned role and its included roles allow. */
  givesOf(given: number, moment: Moment): readonly Give[] {
    return this.knownGives(given, moment) ?? atOnce(this.givesInPieces(given, moment));
  }

  /** Does what `givesOf` does, in pieces. */
  *givesInPieces(given: number, moment: Moment): Pieces<readonly Give[]> {
    const known = this.knownGives(given, moment);
    if (known !== undefined) return known;
    const isThroughRole = this.graph.kind(given)?.isRole === true;
    const gives: Give[] = [];
    const marks = new Marks(this.graph);
    const nodes = yield* this.spread(marks, [given], GIVING, moment, 'on');
    for (const [place, node] of nodes.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      if (this.graph.kind(node)?.isPermission !== true) continue;
      gives.push(this.giveOf(node, this.graph.version(node, moment), isThroughRole));
    }
    // In a pause, somebody else may have asked about another moment.
    this.begin(moment);
    this.gives.set(given, gives);
    return gives;
  }

  /** What a version of a permission gives, granted directly or through a role. */
  giveOf(permission: number, version: number, isThroughRole: boolean): Give {
    const { graph } = this;
    return {
      permission,
      native: this.native(graph.name(version), graph.permissionTypes(version)),
      spreads: graph.spreads(version),
      isThroughRole,
      // Granted directly, a permission's type of resources is ignored.
      resourceType: isThroughRole ? graph.resourceType(version) : NO_TEXT,
      applicationTypes: graph.applicationTypes(version),
    };
  }

  private knownGives(given: number, moment: Moment): readonly Give[] | undefined {
    this.begin(moment);
    return this.gives.get(given);
  }

  /** A role that is assigned on an application holds on all its resources. */
  isSpreading({ spreads, isThroughRole }: Give, scope: number): boolean {
    return spreads || (isThroughRole && this.graph.kind(scope)?.isApplication === true);
  }

  /** Whether what is given on a scope holds on a target that the scope is or contains. */
  isHolding(give: Give, scope: number, target: number, version: number): boolean {
    if (target !== scope && !this.isSpreading(give, scope)) return false;
    const { resourceType, applicationTypes } = give;
    if (resourceType !== NO_TEXT && resourceType !== this.graph.resourceType(version)) return false;
    if (applicationTypes === null) return true;
    const type = this.graph.applicationType(version);
    return type !== NO_TEXT && applicationTypes.includes(type);
  }

  /** The permissions that hold on a target. */
  private holding(
    gives: readonly Give[],
    scope: number,
    target: number,
    moment: Moment,
  ): Permissions {
    const version = this.graph.version(target, moment);
    this.effort.add(gives.length);
    return this.setOf(
      gives
        .filter((give) => this.isHolding(give, scope, target, version))
        .map(({ native }) => native),
    );
  }

  /** The same permissions for a target, computed once for all targets in a scope that no rule distinguishes. */
  private ofClass(
    sets: Map<string, Permissions>,
    gives: readonly Give[],
    scope: number,
    target: number,
    moment: Moment,
  ): Permissions {
    const name = this.classOf(target, scope, this.graph.version(target, moment));
    const known = sets.get(name) ?? this.holding(gives, scope, target, moment);
    sets.set(name, known);
    return known;
  }

  /** One target of each kind that no rule distinguishes; the scope itself is one of its own. */
  oneOfEachClass(targets: readonly number[], scope: number, moment: Moment): readonly number[] {
    const first = new Map<string, number>();
    for (const target of targets) {
      const name = this.classOf(target, scope, this.graph.version(target, moment));
      if (!first.has(name)) first.set(name, target);
    }
    this.effort.add(targets.length);
    return [...first.values()];
  }

  private classOf(target: number, scope: number, version: number): string {
    const { graph } = this;
    const types = `${graph.resourceType(version)} ${graph.applicationType(version)}`;
    return target === scope ? `scope ${types}` : types;
  }

  /** What a grant or assignment gives on some targets that its scope is or contains. */
  heldOn(held: number, scope: number, targets: readonly number[], moment: Moment): Permissions {
    this.begin(moment);
    return this.heldOnClasses(held, scope, this.oneOfEachClass(targets, scope, moment), moment);
  }

  /** The same on one target of each kind that no rule distinguishes. */
  private heldOnClasses(
    held: number,
    scope: number,
    targets: readonly number[],
    moment: Moment,
  ): Permissions {
    const gives = this.walk.next(held, OF, moment).flatMap((given) => this.givesOf(given, moment));
    const sets = new Map<string, Permissions>();
    for (const target of targets) this.ofClass(sets, gives, scope, target, moment);
    return this.union([...sets.values()].filter((permissions) => permissions.length > 0));
  }

  private native(name: string, types: string): NativePermission {
    const text = `${name}\n${types}`;
    const known = this.natives.get(text);
    if (known !== undefined) return known;
    const native = { name, types, bytes: Buffer.from(name), number: this.natives.size };
    this.natives.set(text, native);
    return native;
  }

  /** The set of these permissions: the same array for the same permissions, as long as it is cached. */
  private setOf(permissions: readonly NativePermission[]): Permissions {
    const distinct = [...new Set(permissions)].sort(byName);
    this.effort.add(distinct.length);
    const text = distinct.map(({ number }) => number).join(' ');
    const known = this.sets.get(text);
    if (known !== undefined) return known;
    this.cached += distinct.length;
    if (this.cached > MOST_CACHED || this.sets.size > MOST_SETS) {
      this.sets.clear();
      this.cached = 0;
    }
    this.sets.set(text, distinct);
    return distinct;
  }

  private union(sets: readonly Permissions[]): Permissions {
    const [first, ...others] = new Set(sets);
    if (first === undefined) return [];
    return others.length === 0 ? first : this.setOf([first, ...others].flat());
  }

  private addTo(found: Map<number, Permissions>, node: number, permissions: Permissions): void {
    const known = found.get(node);
    if (known === permissions) return;
    found.set(node, known === undefined ? permissions : this.both(known, permissions));
  }

  /** The permissions of two sets. Many nodes have the same two. */
  private both(one: Permissions, other: Permissions): Permissions {
    const unions = this.unions.get(one) ?? new WeakMap<Permissions, Permissions>();
    this.unions.set(one, unions);
    const union = unions.get(other) ?? this.setOf([...one, ...other]);
    unions.set(other, union);
    return union;
  }

  /** What is cached of a moment is of no use at another one, or once the graph has changed. */
  private begin(moment: Moment): void {
    if (this.moment === moment && this.changes === this.graph.changes) return;
    this.gives = new Map();
    this.moment = moment;
    this.changes = this.graph.changes;
  }
}
