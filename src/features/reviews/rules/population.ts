import { createHash } from 'node:crypto';

import { type AccessGraph, NONE } from '../../../access/access-graph';
import { inOrder, Marks, type Pieces, STEPS } from '../../../access/pieces';
import type {
  EffectiveAccess,
  NativePermission,
  Permissions,
} from '../../../access/effective-access';
import type { Humans } from '../../../access/human';
import type { Moment } from '../../../access/instants';
import { GAINED } from '../../../access/relationship-types';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import type { Mark } from './words';

/*
 * What a review is about: the facts that somebody can remove, and that give access in its scope
 * (docs/rules.md: Access reviews). It knows no clock and no Neo4j.
 */

/** The relationships that somebody can remove. Others say whose account something is, or follow. */
export const FACT_TYPES = ['HOLDS', 'MEMBER_OF', 'ASSIGNED_TO', 'ASSUMES_ROLE'] as const;
export type FactType = (typeof FACT_TYPES)[number];

const FACTS = typesOf(FACT_TYPES);
const GAIN = typesOf(GAINED);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);
const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);

/** Who can do what at a moment, as a review sees it. */
export interface View {
  readonly graph: AccessGraph;
  readonly access: EffectiveAccess;
  readonly humans: Humans;
  readonly moment: Moment;
  /** The time by which accounts count as deactivated, in nanoseconds. */
  readonly clock: bigint;
}

/** What a review is limited to, by keys of nodes. An empty list means all. */
export interface Scope {
  readonly applications: readonly string[];
  readonly resources: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly people: readonly string[];
  readonly marks: readonly Mark[];
}

/** What a review knows of the graph that the access graph does not hold, and its own settings. */
export interface Knowledge {
  /** Types of permissions that count as privileged. */
  readonly privilegedTypes: readonly string[];
  /** Keys of nodes with the tag `privileged`. */
  readonly tagged: ReadonlySet<string>;
  /** Items of the review before, by their facts; `null` if there is no review before. */
  readonly before: ReadonlyMap<string, EarlierItem> | null;
  /** Other reviews that are open or recent, the newest first. */
  readonly others: readonly OtherReview[];
  /** Whether there are more of them. */
  readonly hasMoreOthers: boolean;
}

/** Another review that is open or recent. */
export interface OtherReview {
  readonly id: string;
  readonly scope: Pick<Scope, 'applications' | 'resources'>;
  /** The facts of its items, each with the digest of what it gave. */
  readonly facts: ReadonlyMap<string, string>;
}

/** What the review before says of a fact. */
export interface EarlierItem {
  readonly effect: string;
  /** Whether somebody kept it, in that review or in one before. */
  readonly wasKept: boolean;
  readonly marks: readonly Mark[];
}

/** A fact that somebody can remove, by the keys of its nodes. */
export interface Fact {
  readonly type: FactType;
  readonly from: string;
  readonly to: string;
}

/** The text of a fact, by which reviews compare facts. */
export const factText = ({ type, from, to }: Fact): string => JSON.stringify([type, from, to]);

/** What a fact gives. */
export interface EffectSummary {
  /** A digest of everything that it gives. */
  readonly digest: string;
  /** The names of its permissions, in order. */
  readonly permissions: readonly string[];
  /** How many resources and applications it gives something on. */
  readonly resources: number;
  /** The nodes on which something is given: what the resources are or are in. */
  readonly scopes: readonly number[];
  readonly isPrivileged: boolean;
}

/** An item of a population. */
export interface PopulationItem {
  readonly fact: Fact;
  /** When the fact began, in nanoseconds. */
  readonly since: bigint | null;
  readonly holder: number;
  /** The human whose node the holder certainly is; `NONE` if it is nobody's, or several people's. */
  readonly human: number;
  /** What is held, in words. */
  readonly holds: string;
  /** What is held, as a text that is equal for all who hold the same. */
  readonly entitlement: string;
  readonly effect: EffectSummary;
  /** How many humans have what the holder has. */
  readonly people: number;
  /** Whether somebody who loses the fact can do the same as before. */
  readonly changesNothing: boolean;
  /** Through what else the holder has some of it, in words. */
  readonly also: readonly string[];
  readonly marks: readonly Mark[];
  readonly isCarried: boolean;
}

/** How many effective pairs of somebody and something are in a scope, and how many items they have. */
export interface Coverage {
  readonly pairs: number;
  readonly reviewed: number;
  /** Pairs of items of other reviews, each pair once. */
  readonly elsewhere: readonly { readonly review: string; readonly pairs: number }[];
  /** The pairs that belong to no item of any, each reason once. */
  readonly notReviewed: readonly { readonly because: string; readonly pairs: number }[];
}

/** All items of a review, and what they cover. */
export interface Population {
  readonly items: readonly PopulationItem[];
  readonly coverage: Coverage;
  /** Keys of all nodes on which the population depends, for the sources of the review. */
  readonly nodes: ReadonlySet<number>;
}

/** More items than one review may have. */
export class TooManyItems extends Error {}

/** How many items a review has at most. */
export const MOST_ITEMS = 100_000;
/** How many permissions on resources all that is given may have together. */
const MOST_RIGHTS = 10_000_000;

const NAMES_IN_WORDS = 5;
const WAYS_IN_WORDS = 5;
/** A right is a target and the number of a permission, in one number. */
const NATIVES = 2 ** 22;

/** What is given on a scope. */
interface Effect {
  readonly digest: string;
  readonly rights: Float64Array;
  readonly targets: readonly number[];
  readonly natives: readonly NativePermission[];
  readonly scope: number;
  readonly given: number;
}

const sha256 = (parts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
};

/** The list at a key of a map, which is made when it is first needed. */
const listAt = <K, V>(lists: Map<K, V[]>, key: K): V[] => {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: V[] = [];
  lists.set(key, made);
  return made;
};

const placeName = ({ graph, moment, clock }: View, node: number): string => {
  const { name, path, application } = graph.summary(node, moment, clock);
  const text = path ?? name;
  return application === null || application === name ? text : `${application}: ${text}`;
};

/** What is held, in words, and as a text that is equal for all who hold the same. */
export const heldInWords = (
  view: View,
  to: number,
): { readonly holds: string; readonly entitlement: string } => {
  const { graph, access, moment } = view;
  const quoted = (node: number): string => JSON.stringify(graph.name(graph.version(node, moment)));
  const kind = graph.kind(to);
  if (kind?.isEntitlement !== true) {
    const label = kind?.label ?? '';
    const word = label.endsWith('Group') ? 'group' : label.endsWith('Role') ? 'role' : 'app';
    return { holds: `${word} ${quoted(to)}`, entitlement: graph.key(to) };
  }
  const given = access.walk.next(to, OF, moment);
  const scopes = access.walk.next(to, ON, moment);
  const what = given
    .map((node) => `${graph.kind(node)?.isRole === true ? 'role' : 'permission'} ${quoted(node)}`)
    .sort(byCodeUnits)
    .join(', ');
  const first = scopes
    .map((node) => placeName(view, node))
    .sort(byCodeUnits)
    .slice(0, NAMES_IN_WORDS);
  const more = scopes.length - first.length;
  const keysOf = (nodes: readonly number[]): readonly string[] =>
    nodes.map((node) => graph.key(node)).sort(byCodeUnits);
  return {
    holds: `${what} on ${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    entitlement: JSON.stringify([keysOf(given), keysOf(scopes)]),
  };
};

/** A fact on a way to something in scope, whether or not it passes the filters. */
interface LeftFact {
  readonly from: number;
  readonly to: number;
  readonly type: FactType;
}

/** What another review decides about in the scope of this one. */
interface Elsewhere {
  readonly id: string;
  /** Its targets: 1 at the node of each. */
  readonly targets: Uint8Array;
  /** The holders of its facts, by what is held. */
  readonly holdersOf: ReadonlyMap<number, readonly number[]>;
}

/** Targets on which the same is given, and which are in the scope of the same other reviews. */
interface Alike {
  readonly effects: readonly number[];
  readonly others: readonly Elsewhere[];
  readonly targets: number;
}

const NO_FILTER = { roles: [], groups: [], people: [], marks: [] } as const;

/** Where a scope is about access, as a text. */
const placesIn = ({ applications, resources }: Pick<Scope, 'applications' | 'resources'>): string =>
  JSON.stringify([...new Set([...applications, ...resources])].sort());

/** Whether a scope leaves out items by a filter. */
export const hasFilter = ({
  roles,
  groups,
  people,
  marks,
}: Omit<Scope, 'applications' | 'resources'>): boolean =>
  [roles, groups, people, marks].some((filter) => filter.length > 0);

/** Finds what a review is about. */
class Finder {
  private readonly effects: Effect[] = [];
  private readonly effectOfGiven = new Map<string, number>();
  private readonly effectsOf = new Map<number, readonly number[]>();
  private readonly gained = new Map<number, readonly number[]>();
  private readonly summaries = new Map<string, EffectSummary>();
  private readonly rightSets = new Map<number, ReadonlySet<number>>();
  private readonly peopleOf = new Map<number, number>();
  private readonly marks: Marks;
  private readonly targets: Uint8Array;
  private readonly counted: Int32Array;
  private counts = 0;
  private rights = 0;
  /** The grants and role assignments that give something in scope. */
  private readonly entitlements = new Set<number>();
  private upstream: ReadonlySet<number> = new Set();
  /** Whether other reviews exist that nobody looked at. */
  private hasMoreOthers: boolean;

  constructor(
    private readonly view: View,
    private readonly scope: Scope,
    private readonly known: Knowledge,
  ) {
    this.marks = new Marks(view.graph);
    this.targets = new Uint8Array(view.graph.nodeCount);
    this.counted = new Int32Array(view.graph.nodeCount);
    this.hasMoreOthers = known.hasMoreOthers;
  }

  *find(): Pieces<Population> {
    yield* this.look();
    const isOutside = yield* this.filters();
    const { marks } = this.scope;
    const items: PopulationItem[] = [];
    const left: LeftFact[] = [];
    for (const from of this.upstream) {
      yield;
      const human = this.humanOf(from);
      for (const { to, type, since } of this.factsFrom(from)) {
        if (this.known.others.length > 0) left.push({ from, to, type });
        // What the other facts give is not computed: a review of one group has few of all facts.
        if (isOutside(from, to, human)) continue;
        const item = yield* this.itemOf(from, to, human, { type, since });
        if (item === null) continue;
        if (marks.length > 0 && !marks.some((mark) => item.marks.includes(mark))) continue;
        items.push(item);
        if (items.length > MOST_ITEMS) throw new TooManyItems();
      }
    }
    const sorted = yield* inOrder(items, ({ fact }) => `${fact.from}\n${factText(fact)}`);
    const coverage = yield* this.coverage(sorted, yield* this.elsewhere(left));
    return { items: sorted, coverage, nodes: this.upstream };
  }

  /** Finds what is given in scope, and everything that leads there. */
  private *look(): Pieces<void> {
    yield* this.findTargets();
    yield* this.findEntitlements();
    const { walk } = this.view.access;
    this.upstream = new Set(
      yield* this.marks.spread(this.entitlements, (node, visit) =>
        walk.eachPrevious(node, GAIN, this.view.moment, visit),
      ),
    );
  }

  /**
   * What other reviews decide about: of these facts the ones that are theirs, and that give in their
   * scope what they gave when these reviews were opened.
   */
  private *elsewhere(facts: readonly LeftFact[]): Pieces<readonly Elsewhere[]> {
    const { graph } = this.view;
    const finders = new Map<string, Finder | null>([[placesIn(this.scope), this]]);
    const found: Elsewhere[] = [];
    for (const { id, scope, facts: theirs } of this.known.others) {
      const places = placesIn(scope);
      if (!finders.has(places)) finders.set(places, yield* this.finderOf(scope));
      const finder = finders.get(places) ?? null;
      if (finder === null) {
        this.hasMoreOthers = true;
        continue;
      }
      const holdersOf = new Map<number, number[]>();
      for (const [place, { from, to, type }] of facts.entries()) {
        if (place % STEPS === STEPS - 1) yield;
        const digest = theirs.get(factText({ type, from: graph.key(from), to: graph.key(to) }));
        if (digest === undefined || (yield* finder.digestOf(to)) !== digest) continue;
        listAt(holdersOf, to).push(from);
      }
      found.push({ id, targets: finder.targets, holdersOf });
    }
    return found;
  }

  /** A finder in the scope of another review; `null` if too much is in that scope. */
  private *finderOf(scope: OtherReview['scope']): Pieces<Finder | null> {
    const finder = new Finder(this.view, { ...scope, ...NO_FILTER }, this.known);
    try {
      yield* finder.look();
      return finder;
    } catch (error) {
      if (error instanceof TooManyItems) return null;
      throw error;
    }
  }

  private *digestOf(to: number): Pieces<string> {
    const gives = yield* this.effectsFrom(to);
    return gives.length === 0 ? '' : (yield* this.summaryOf(gives)).digest;
  }

  private *findTargets(): Pieces<void> {
    const { graph, access, moment } = this.view;
    const { applications, resources } = this.scope;
    const isLimited = applications.length + resources.length > 0;
    const starts = [...applications, ...resources].map((key) => graph.find(key));
    const found = isLimited
      ? yield* this.marks.spread(
          starts.filter((node) => node !== NONE),
          (node, visit) => access.walk.eachNext(node, CONTAINS, moment, visit),
        )
      : Array.from({ length: this.targets.length }, (_, node) => node);
    for (const [place, node] of found.entries()) {
      if (place % STEPS === 0) yield;
      const kind = graph.kind(node);
      if (kind?.isApplication !== true && kind?.isResource !== true) continue;
      if (graph.exists(node, moment)) this.targets[node] = 1;
    }
  }

  private *findEntitlements(): Pieces<void> {
    const { graph, access, moment } = this.view;
    const inScope = [...this.targets.keys()].filter((node) => this.targets[node] === 1);
    const places = yield* this.marks.spread(inScope, (node, visit) =>
      access.walk.eachPrevious(node, CONTAINS, moment, visit),
    );
    const around = new Set(places);
    for (const [place, scope] of places.entries()) {
      if (place % STEPS === 0) yield;
      for (const held of access.walk.previous(scope, ON, moment)) {
        if (this.effectsOf.has(held) || graph.kind(held)?.isEntitlement !== true) continue;
        const effects: number[] = [];
        for (const given of access.walk.next(held, OF, moment)) {
          for (const on of access.walk.next(held, ON, moment)) {
            if (!around.has(on)) continue;
            const effect = yield* this.effectOf(on, given);
            if (effect !== NONE) effects.push(effect);
          }
        }
        this.effectsOf.set(held, effects);
        if (effects.length > 0) this.entitlements.add(held);
      }
    }
  }

  /** What something gives on a scope; `NONE` if that is nothing in the scope of the review. */
  private *effectOf(scope: number, given: number): Pieces<number> {
    const name = `${scope} ${given}`;
    const known = this.effectOfGiven.get(name);
    if (known !== undefined) return known;
    const { graph, access, moment } = this.view;
    const gives = yield* access.givesInPieces(given, moment);
    const rights: number[] = [];
    const targets: number[] = [];
    const natives = new Set<NativePermission>();
    const lines: string[] = [];
    const take = (target: number, permissions: Permissions): void => {
      targets.push(target);
      for (const native of permissions) {
        natives.add(native);
        rights.push(target * NATIVES + native.number);
        lines.push(JSON.stringify([graph.key(target), native.name, native.types]));
      }
    };
    const isWanted = (target: number): boolean => this.targets[target] === 1;
    yield* access.onScope(this.marks, gives, scope, moment, take, isWanted);
    this.rights += rights.length;
    if (this.rights > MOST_RIGHTS) throw new TooManyItems();
    let number = NONE;
    if (rights.length > 0) {
      number = this.effects.length;
      this.effects.push({
        ...{ targets, scope, given, rights: Float64Array.from(rights).sort() },
        ...{ natives: [...natives], digest: sha256(lines.sort()) },
      });
    }
    this.effectOfGiven.set(name, number);
    return number;
  }

  private factsFrom(
    from: number,
  ): readonly { readonly to: number; readonly type: FactType; readonly since: bigint | null }[] {
    const { graph, access, moment } = this.view;
    return access.walk.linesFrom(from, FACTS, moment).flatMap((place) => {
      const { to, type, since } = graph.relationship(place);
      return this.leads(to) ? [{ to, type: type as FactType, since }] : [];
    });
  }

  /** Whether a node leads to something in scope. */
  private leads(node: number): boolean {
    return this.upstream.has(node);
  }

  /** What a node and all that it gains give in scope, by numbers of effects. */
  private *effectsFrom(node: number): Pieces<readonly number[]> {
    const known = this.gained.get(node);
    if (known !== undefined) return known;
    const { walk } = this.view.access;
    const reached = yield* this.marks.spread([node], (each, visit) =>
      walk.eachNext(each, GAIN, this.view.moment, visit),
    );
    const found = this.effectsAmong(reached);
    this.gained.set(node, found);
    return found;
  }

  private effectsAmong(nodes: readonly number[]): readonly number[] {
    const found = new Set<number>();
    for (const node of nodes) {
      if (!this.entitlements.has(node)) continue;
      for (const effect of this.effectsOf.get(node) ?? []) found.add(effect);
    }
    return [...found].sort((a, b) => a - b);
  }

  private *itemOf(
    from: number,
    to: number,
    human: number,
    { type, since }: { readonly type: FactType; readonly since: bigint | null },
  ): Pieces<PopulationItem | null> {
    const { graph, humans, moment, clock } = this.view;
    const gives = yield* this.effectsFrom(to);
    if (gives.length === 0) return null;
    const effect = yield* this.summaryOf(gives);
    const fact: Fact = { type, from: graph.key(from), to: graph.key(to) };
    const { also, changesNothing } = yield* this.otherWays(from, to, human, gives);
    const people = yield* this.peopleBehind(from);
    const marks: Mark[] = [];
    const has = (mark: Mark, holds: boolean): unknown => holds && marks.push(mark);
    const earlier = this.known.before?.get(factText(fact));
    const isPrivileged =
      effect.isPrivileged ||
      [from, to].some((node) => this.known.tagged.has(graph.key(node))) ||
      gives.some((number) => {
        const { scope, given } = this.effects[number] as Effect;
        return [scope, given].some((node) => this.known.tagged.has(graph.key(node)));
      });
    const label = graph.kind(from)?.label ?? '';
    const isPerson = humans.canBeHuman(from) && !graph.isNotHuman(graph.version(from, moment));
    const humanLabel = human === NONE ? '' : (graph.kind(human)?.label ?? '');
    has('privileged', isPrivileged);
    has('new', this.known.before !== null && earlier === undefined);
    has('changed', earlier !== undefined && earlier.effect !== effect.digest);
    has(
      'inactive',
      [from, human].some(
        (node) => node !== NONE && graph.isInactive(graph.version(node, moment), clock),
      ),
    );
    has('nobodys', isPerson && humanLabel !== 'Employee' && humanLabel !== 'IdpUser');
    has('not_a_person', !isPerson && !label.endsWith('Group') && label !== 'LocalRole');
    has('guest', human !== NONE && this.isGuest(human));
    return {
      ...{ fact, since, holder: from, human, effect, people, changesNothing, also, marks },
      ...heldInWords(this.view, to),
      isCarried:
        earlier?.wasKept === true &&
        earlier.effect === effect.digest &&
        !isPrivileged &&
        marks.every((mark) => earlier.marks.includes(mark)),
    };
  }

  /** The human behind a node; `NONE` if it is nobody's. */
  private humanOf(node: number): number {
    const { humans, moment } = this.view;
    return humans.canBeHuman(node) ? humans.humanOf(node, moment) : NONE;
  }

  private isGuest(human: number): boolean {
    const { graph, humans, moment } = this.view;
    return [human, ...humans.accountsOf(human, moment)].some((node) =>
      graph.isGuest(graph.version(node, moment)),
    );
  }

  /** What a fact gives, from what it gives on each scope. */
  private *summaryOf(gives: readonly number[]): Pieces<EffectSummary> {
    const name = gives.join(' ');
    const known = this.summaries.get(name);
    if (known !== undefined) return known;
    const effects = gives.map((number) => this.effects[number] as Effect);
    this.counts += 1;
    let resources = 0;
    let steps = 0;
    for (const { targets } of effects) {
      for (const target of targets) {
        steps += 1;
        if (steps % 4_096 === 0) yield;
        if (this.counted[target] === this.counts) continue;
        this.counted[target] = this.counts;
        resources += 1;
      }
    }
    const natives = new Set(effects.flatMap((effect) => effect.natives));
    const types = [...natives].flatMap(
      (native) => (JSON.parse(native.types) as string[] | null) ?? [],
    );
    const summary: EffectSummary = {
      digest: sha256([...new Set(effects.map(({ digest }) => digest))].sort()),
      permissions: [...new Set([...natives].map((native) => native.name))].sort(byCodeUnits),
      resources,
      scopes: [...new Set(effects.map(({ scope }) => scope))],
      isPrivileged: types.some((type) => this.known.privilegedTypes.includes(type)),
    };
    this.summaries.set(name, summary);
    return summary;
  }

  /** Through what else the holder, or the human behind it, has what a fact gives. */
  private *otherWays(
    from: number,
    to: number,
    human: number,
    gives: readonly number[],
  ): Pieces<{ readonly also: readonly string[]; readonly changesNothing: boolean }> {
    const { access, humans, moment } = this.view;
    const who = human === NONE ? from : human;
    const reached = yield* this.marks.spread([who], (node, visit) =>
      access.walk.eachNext(node, GAIN, moment, (far) => {
        if (node !== from || far !== to) visit(far);
      }),
    );
    const left = this.effectsAmong(reached);
    const isLeft = new Set(left);
    const missing = gives.filter((effect) => !isLeft.has(effect));
    let changesNothing = left.length > 0;
    for (const effect of missing) {
      if (!changesNothing) break;
      const { rights } = this.effects[effect] as Effect;
      const sets = left.map((other) => this.rightsOf(other));
      for (const [place, right] of rights.entries()) {
        if (place % STEPS === STEPS - 1) yield;
        if (sets.some((set) => set.has(right))) continue;
        changesNothing = false;
        break;
      }
    }
    if (!changesNothing) return { also: [], changesNothing };
    const own = human === NONE ? [from] : [human, ...humans.accountsOf(human, moment)];
    const also = new Set<string>();
    for (const node of new Set([...own, from])) {
      for (const { to: other } of this.factsFrom(node)) {
        if (also.size >= WAYS_IN_WORDS) break;
        if (node === from && other === to) continue;
        const others = yield* this.effectsFrom(other);
        if (this.overlaps(others, gives)) also.add(heldInWords(this.view, other).holds);
      }
    }
    return { also: [...also].sort(byCodeUnits), changesNothing };
  }

  private overlaps(some: readonly number[], others: readonly number[]): boolean {
    return some.some(
      (one) =>
        others.includes(one) ||
        others.some((other) => {
          const set = this.rightsOf(one);
          return (this.effects[other] as Effect).rights.some((right) => set.has(right));
        }),
    );
  }

  private rightsOf(effect: number): ReadonlySet<number> {
    const known = this.rightSets.get(effect);
    if (known !== undefined) return known;
    const set = new Set((this.effects[effect] as Effect).rights);
    this.rightSets.set(effect, set);
    return set;
  }

  /** How many humans have what a node has. */
  private *peopleBehind(node: number): Pieces<number> {
    const known = this.peopleOf.get(node);
    if (known !== undefined) return known;
    const { access, humans, moment } = this.view;
    const upstream = yield* this.marks.spread([node], (each, visit) =>
      access.walk.eachPrevious(each, GAIN, moment, visit),
    );
    const people = new Set<number>();
    for (const [place, each] of upstream.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      if (!humans.canBeHuman(each)) continue;
      const human = humans.humanOf(each, moment);
      if (human !== NONE) people.add(human);
    }
    this.peopleOf.set(node, people.size);
    return people.size;
  }

  /** Whether the filters other than of marks leave out a fact, whose holder a human is behind. */
  private *filters(): Pieces<(from: number, to: number, human: number) => boolean> {
    const { graph, humans, access, moment } = this.view;
    const { roles, groups, people } = this.scope;
    const numbers = (keys: readonly string[]): ReadonlySet<number> =>
      new Set(keys.map((key) => graph.find(key)).filter((node) => node !== NONE));
    const [inRoles, inGroups, named] = [numbers(roles), numbers(groups), numbers(people)];
    const inPeople = new Set<number>(named);
    for (const node of named) {
      yield;
      const human = this.humanOf(node);
      if (human === NONE) continue;
      for (const account of [human, ...humans.accountsOf(human, moment)]) inPeople.add(account);
    }
    return (from, to, human) => {
      if (groups.length > 0 && !inGroups.has(from) && !inGroups.has(to)) return true;
      if (people.length > 0 && !inPeople.has(from) && !inPeople.has(human)) return true;
      if (roles.length === 0) return false;
      return ![to, ...access.walk.next(to, OF, moment)].some((node) => inRoles.has(node));
    };
  }

  /**
   * Counts the pairs in scope by sets: all resources on which the same is given have the same
   * people. A pair is reviewed if an item is on one of its ways.
   */
  private *coverage(
    items: readonly PopulationItem[],
    others: readonly Elsewhere[],
  ): Pieces<Coverage> {
    const { graph } = this.view;
    const holdersOf = new Map<number, number[]>();
    let steps = 0;
    for (const { fact, holder } of items) {
      steps += 1;
      if (steps % STEPS === 0) yield;
      listAt(holdersOf, graph.find(fact.to)).push(holder);
    }
    const effectsOfTarget = new Map<number, number[]>();
    for (const [number, { targets }] of this.effects.entries()) {
      for (const target of targets) {
        steps += 1;
        if (steps % 4_096 === 0) yield;
        listAt(effectsOfTarget, target).push(number);
      }
    }
    const alike = new Map<string, Alike>();
    for (const [target, effects] of effectsOfTarget) {
      steps += 1;
      if (steps % STEPS === 0) yield;
      const inScope = others.filter(({ targets }) => targets[target] === 1);
      const name = `${effects.join(' ')}|${inScope.map(({ id }) => id).join(' ')}`;
      const known = alike.get(name);
      alike.set(name, { effects, others: inScope, targets: (known?.targets ?? 0) + 1 });
    }
    const heldBy = new Map<number, number[]>();
    for (const held of this.entitlements) {
      for (const effect of this.effectsOf.get(held) ?? []) listAt(heldBy, effect).push(held);
    }
    let [pairs, reviewed] = [0, 0];
    const elsewhere = new Map<string, number>();
    for (const { effects, targets, others: inScope } of alike.values()) {
      const given = effects.flatMap((effect) => heldBy.get(effect) ?? []);
      const upstream = yield* this.above(given);
      const isAbove = new Set(upstream);
      const all = yield* this.actors(upstream);
      pairs += targets * all;
      const holdersIn = (of: ReadonlyMap<number, readonly number[]>): ReadonlySet<number> =>
        new Set(
          upstream.flatMap((node) => (of.get(node) ?? []).filter((holder) => isAbove.has(holder))),
        );
      let nodes = yield* this.above(holdersIn(holdersOf));
      let counted = yield* this.actors(nodes);
      reviewed += targets * counted;
      for (const { id, holdersOf: theirs } of inScope) {
        if (counted === all) break;
        nodes = [...new Set([...nodes, ...(yield* this.above(holdersIn(theirs)))])];
        const more = yield* this.actors(nodes);
        elsewhere.set(id, (elsewhere.get(id) ?? 0) + targets * (more - counted));
        counted = more;
      }
    }
    const named = others.flatMap(({ id }) => {
      const found = elsewhere.get(id) ?? 0;
      return found === 0 ? [] : [{ review: id, pairs: found }];
    });
    const left = named.reduce((rest, each) => rest - each.pairs, pairs - reviewed);
    return {
      ...{ pairs, reviewed, elsewhere: named },
      notReviewed: left === 0 ? [] : [{ because: this.whyLeft(), pairs: left }],
    };
  }

  private whyLeft(): string {
    const { roles, groups, people, marks } = this.scope;
    const set = Object.entries({ roles, groups, people, marks })
      .filter(([, values]) => values.length > 0)
      .map(([name]) => name);
    if (set.length === 0) return 'no fact that somebody can remove is on the way';
    const others = this.hasMoreOthers
      ? 'the other reviews that the service looked at have none'
      : 'no other review has one';
    return `no fact on the way passes the filter of ${set.join(', ')}, and ${others}`;
  }

  private above(nodes: Iterable<number>): Pieces<readonly number[]> {
    const { access, moment } = this.view;
    return this.marks.spread(nodes, (node, visit) =>
      access.walk.eachPrevious(node, GAIN, moment, visit),
    );
  }

  /** How many of these are listed among those who have access: principals, and resources that act for them. */
  private *actors(nodes: readonly number[]): Pieces<number> {
    const { graph, access, moment } = this.view;
    const found = new Set<number>();
    for (const [place, node] of nodes.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      if (graph.kind(node)?.isPrincipal !== true) continue;
      found.add(node);
      for (const external of access.walk.previous(node, RESOLVES_TO, moment)) {
        for (const who of access.walk.previous(external, CONNECTS_TO, moment)) {
          if (graph.kind(who)?.isResource === true) found.add(who);
        }
      }
    }
    return found.size;
  }
}

/** Finds what a review is about, in pieces. */
export const populationOf = (view: View, scope: Scope, known: Knowledge): Pieces<Population> =>
  new Finder(view, scope, known).find();
