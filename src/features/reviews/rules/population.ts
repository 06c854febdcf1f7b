import { NONE } from '../../../access/access-graph';
import { inOrder, type Pieces, STEPS } from '../../../access/pieces';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import { type Coverage, coverageOf, type LeftFact, type OtherReviews } from './coverage';
import {
  type Fact,
  FACTS,
  factText,
  type FactType,
  heldInWords,
  isUserOrEmployee,
  type View,
} from './facts';
import { type Effect, type EffectSummary, Given, TooManyItems } from './given';
import type { Scope } from './scope';
import type { Mark } from './words';

/*
 * What a review is about: the facts that somebody can remove, and that give access in its scope
 * (docs/rules.md: Access reviews). It knows no clock and no Neo4j.
 */

const OF = typesOf(['OF']);

/** What a review knows of the graph that the access graph does not hold, and its own settings. */
export interface Knowledge extends OtherReviews {
  /** Types of permissions that count as privileged. */
  readonly privilegedTypes: readonly string[];
  /** Keys of nodes with the tag `privileged`. */
  readonly tagged: ReadonlySet<string>;
  /** Items of the review before, by their facts; `null` if there is no review before. */
  readonly before: ReadonlyMap<string, EarlierItem> | null;
}

/** What the review before says of a fact. */
export interface EarlierItem {
  readonly effect: string;
  /** Whether somebody kept it, in that review or in one before. */
  readonly wasKept: boolean;
  readonly marks: readonly Mark[];
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

/** All items of a review, and what they cover. */
export interface Population {
  readonly items: readonly PopulationItem[];
  readonly coverage: Coverage;
  /** All nodes on which the population depends, for the sources of the review. */
  readonly nodes: ReadonlySet<number>;
}

/** How many items a review has at most. */
const MOST_ITEMS = 100_000;

const WAYS_IN_WORDS = 5;

/** Finds what a review is about. */
class Finder {
  private readonly given: Given;
  private readonly peopleOf = new Map<number, number>();

  constructor(
    private readonly view: View,
    private readonly scope: Scope,
    private readonly known: Knowledge,
  ) {
    this.given = new Given(view, scope, known.privilegedTypes);
  }

  *find(): Pieces<Population> {
    yield* this.given.look();
    const { upstream } = this.given;
    const isOutside = yield* this.filters();
    const { marks } = this.scope;
    const items: PopulationItem[] = [];
    const left: LeftFact[] = [];
    for (const from of upstream) {
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
    const coverage = yield* coverageOf(this.view, this.scope, this.given, sorted, left, this.known);
    return { items: sorted, coverage, nodes: upstream };
  }

  private factsFrom(
    from: number,
  ): readonly { readonly to: number; readonly type: FactType; readonly since: bigint | null }[] {
    const { graph, access, moment } = this.view;
    const found = new Map<string, { to: number; type: FactType; since: bigint | null }>();
    for (const place of access.walk.linesFrom(from, FACTS, moment)) {
      const { to, type, since } = graph.relationship(place);
      if (!this.given.upstream.has(to)) continue;
      // An app that is assigned twice is one fact, which began with the first of them.
      const name = `${type} ${to}`;
      const known = found.get(name)?.since;
      const isOlder = known === undefined || (known !== null && (since === null || since < known));
      if (isOlder) found.set(name, { to, type: type as FactType, since });
    }
    return [...found.values()];
  }

  private *itemOf(
    from: number,
    to: number,
    human: number,
    { type, since }: { readonly type: FactType; readonly since: bigint | null },
  ): Pieces<PopulationItem | null> {
    const { graph, humans, moment, clock } = this.view;
    const gives = yield* this.given.effectsFrom(to);
    if (gives.length === 0) return null;
    const effect = yield* this.given.summaryOf(gives);
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
        const { scope, given } = this.given.effects[number] as Effect;
        return [scope, given].some((node) => this.known.tagged.has(graph.key(node)));
      });
    const label = graph.kind(from)?.label ?? '';
    const isPerson = humans.canBeHuman(from) && !graph.isNotHuman(graph.version(from, moment));
    has('privileged', isPrivileged);
    has('new', this.known.before !== null && earlier === undefined);
    has('changed', earlier !== undefined && earlier.effect !== effect.digest);
    has(
      'inactive',
      [from, human].some(
        (node) => node !== NONE && graph.isInactive(graph.version(node, moment), clock),
      ),
    );
    has('nobodys', isPerson && !isUserOrEmployee(this.view, human));
    has('not_a_person', !isPerson && !label.endsWith('Group') && label !== 'LocalRole');
    has('guest', human !== NONE && this.isGuest(human));
    return {
      fact,
      since,
      holder: from,
      human,
      effect,
      people,
      changesNothing,
      also,
      marks,
      ...(yield* heldInWords(this.view, to)),
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

  /** Through what else the holder, or the human behind it, has what a fact gives. */
  private *otherWays(
    from: number,
    to: number,
    human: number,
    gives: readonly number[],
  ): Pieces<{ readonly also: readonly string[]; readonly changesNothing: boolean }> {
    const { humans, moment } = this.view;
    const left = yield* this.given.effectsWithout(human === NONE ? from : human, from, to);
    const changesNothing = yield* this.given.cover(left, gives);
    if (!changesNothing) return { also: [], changesNothing };
    const own = human === NONE ? [from] : [human, ...humans.accountsOf(human, moment)];
    const also = new Set<string>();
    for (const node of new Set([...own, from])) {
      for (const { to: other } of this.factsFrom(node)) {
        if (also.size >= WAYS_IN_WORDS) break;
        if (node === from && other === to) continue;
        const others = yield* this.given.effectsFrom(other);
        if (!(yield* this.given.overlaps(others, gives))) continue;
        also.add((yield* heldInWords(this.view, other)).holds);
      }
    }
    return { also: [...also].sort(byCodeUnits), changesNothing };
  }

  /** How many humans have what a node has. */
  private *peopleBehind(node: number): Pieces<number> {
    const known = this.peopleOf.get(node);
    if (known !== undefined) return known;
    const { humans, moment } = this.view;
    const people = new Set<number>();
    for (const [place, each] of (yield* this.given.above([node])).entries()) {
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
}

/** Finds what a review is about, in pieces. */
export const populationOf = (view: View, scope: Scope, known: Knowledge): Pieces<Population> =>
  new Finder(view, scope, known).find();
