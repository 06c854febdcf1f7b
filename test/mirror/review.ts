import {
  closure,
  connectedPrincipals,
  effectiveAccess,
  gained,
  type Given,
  givenBy,
  GraphReader,
} from './access';
import type { Graph, Node, Values } from './graph';
import { People } from './people';
import { byCodeUnits, fold } from './text';

/*
 * The population of a review, its reviewers and its coverage, written plainly a second time
 * (docs/rules.md: Access reviews).
 */

const FACTS = ['HOLDS', 'MEMBER_OF', 'ASSIGNED_TO', 'ASSUMES_ROLE'];
const OF_HUMANS = ['Employee', 'IdpUser', 'Identity', 'LocalUser'];
const MOST_MEMBERS = 100;

/** What a review is about. */
export interface Scope {
  readonly applications: readonly string[];
  readonly resources: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly people: readonly string[];
  readonly marks: readonly string[];
}

/** A fact that somebody can remove. */
export interface Fact {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** The text by which facts are compared. */
export function textOf({ type, from, to }: Fact): string {
  return JSON.stringify([type, from, to]);
}

/** What a fact gives: a part for each thing that is given on each place. */
export type Parts = ReadonlyMap<string, Given>;

/** What the review before says of a fact. */
export interface Earlier {
  /** Its parts, as texts. */
  readonly gave: string;
  readonly wasKept: boolean;
  readonly marks: readonly string[];
}

/** Another review that is open or recent. */
export interface OtherReview {
  readonly id: string;
  readonly scope: Scope;
  /** By the texts of its facts, what each gave. */
  readonly facts: ReadonlyMap<string, string>;
}

/** What a review is to be. */
export interface Wanted {
  readonly scope: Scope;
  readonly privilegedTypes: readonly string[];
  /** The node of the human who reviews what nobody else may review. */
  readonly fallback: string;
  /** `null` if there is no review before. */
  readonly before: ReadonlyMap<string, Earlier> | null;
  /** The newest first. */
  readonly others: readonly OtherReview[];
  /** The instant, in milliseconds. */
  readonly clock: number;
}

/** An item of a review. */
export interface Item {
  readonly fact: Fact;
  /** The human whose node the holder is; `null` if it is nobody's. */
  readonly human: string | null;
  /** What is held: equal for all who hold the same. */
  readonly entitlement: string;
  /** What it gives, as a text. */
  readonly gives: string;
  /** On what it gives something. */
  readonly targets: ReadonlySet<string>;
  readonly permissions: readonly string[];
  readonly people: number;
  readonly changesNothing: boolean;
  readonly marks: readonly string[];
  readonly isCarried: boolean;
  /** The human who reviews it; `null` if nobody may. */
  readonly reviewer: string | null;
  /** Who came first, but would have reviewed themselves. */
  readonly avoided: readonly string[];
}

/** How many pairs of somebody and something belong to which review. */
export interface Coverage {
  readonly pairs: number;
  readonly reviewed: number;
  readonly elsewhere: readonly { readonly review: string; readonly pairs: number }[];
  readonly notReviewed: number;
}

/** A review as it would be opened. */
export interface Planned {
  readonly items: readonly Item[];
  readonly coverage: Coverage;
  /** The data sources of all nodes on a way to something in scope. */
  readonly sources: ReadonlySet<string>;
}

/** Somebody who may review, and why. */
export interface Candidate {
  readonly key: string;
  readonly why: string;
}

/** Whether a node is inactive at a time. */
function isInactive(node: Node | undefined, clock: number): boolean {
  const { is_active, deactivated_at } = node?.properties ?? {};
  if (is_active === false) return true;
  const instant = (deactivated_at as { readonly instant?: string } | undefined)?.instant;
  return instant !== undefined && Date.parse(instant) <= clock;
}

function isNotHuman({ properties }: Node): boolean {
  return properties.identity_type === 'NONHUMAN' || properties.user_type === 'service_account';
}

const isGroup = ({ label }: Node): boolean => label.endsWith('Group');
const isEntitlement = ({ label }: Node): boolean => label === 'Grant' || label === 'RoleAssignment';

/** Who can do what, and by which facts, in one graph. */
export class ReviewedGraph {
  private readonly reader: GraphReader;
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly people: People;
  private readonly humans = new Map<string, ReturnType<People['human']>>();
  private readonly reaches = new Map<Node, ReadonlySet<Node>>();
  private readonly given = new Map<Node, readonly Given[]>();
  private readonly gains = new Map<string, ReadonlySet<string>>();

  constructor(private readonly graph: Graph) {
    this.reader = new GraphReader(graph);
    this.nodes = new Map(graph.nodes.map((node) => [node.key, node]));
    this.people = new People(graph);
  }

  /** The human of a node, with all other nodes of the human. */
  human(key: string): ReturnType<People['human']> {
    const known = this.humans.get(key);
    if (known !== undefined) return known;
    const node = this.nodes.get(key);
    const found =
      node === undefined || !OF_HUMANS.includes(node.label) ? null : this.people.human(key);
    this.humans.set(key, found);
    return found;
  }

  /** A person who may act: all keys of the human of a node, who is active. */
  person(key: string, clock: number): readonly string[] | null {
    const human = this.human(key);
    if (human === null || isInactive(this.nodes.get(human.key), clock)) return null;
    return [human.key, ...human.accounts];
  }

  label(key: string): string {
    return this.nodes.get(key)?.label ?? '';
  }

  /** Whether an identity provider or an HR system says who somebody is. */
  isKnown(human: string): boolean {
    return ['Employee', 'IdpUser'].includes(this.label(human));
  }

  /** All keys of a label. */
  keysOf(...labels: readonly string[]): readonly string[] {
    return this.graph.nodes.filter(({ label }) => labels.includes(label)).map(({ key }) => key);
  }

  /** The facts that somebody can remove, each once. */
  facts(): readonly Fact[] {
    const all = this.graph.relationships
      .filter(({ type }) => FACTS.includes(type))
      .map(({ type, from, to }): Fact => ({ type, from: from.key, to: to.key }));
    return [...new Map(all.map((fact) => [textOf(fact), fact])).values()];
  }

  /** Whose own a node is, by any account, identity or employee; and who gains what it has. */
  whose(holder: string): { readonly isOwn: boolean; readonly humans: ReadonlySet<string> } {
    const node = this.nodes.get(holder);
    const isShared =
      node === undefined ||
      isGroup(node) ||
      ['LocalRole', 'CloudRole', 'IdpApp'].includes(node.label);
    return { isOwn: !isShared, humans: this.humansAbove(holder) };
  }

  /** Whether a fact of a holder is somebody's own. */
  isOwn(human: string, holder: string): boolean {
    if (this.human(holder)?.key === human || holder === human) return true;
    const { isOwn, humans } = this.whose(holder);
    return isOwn && humans.has(human);
  }

  /** What a fact gives: on what → the names of permissions. */
  namesGivenBy(fact: Fact): ReadonlyMap<string, ReadonlySet<string>> {
    return namesIn(this.partsOf(fact.to, null));
  }

  /** What somebody has: on what → the names of permissions. */
  namesOf(key: string): ReadonlyMap<string, ReadonlySet<string>> {
    return this.nodes.has(key) ? namesIn(this.partsOf(key, null)) : new Map();
  }

  /** The population, the reviewers and the coverage of a review. */
  planned(wanted: Wanted): Planned {
    const inScope = this.inScope(wanted.scope);
    const items = this.facts()
      .filter((fact) => this.passes(fact, wanted.scope))
      .map((fact) => ({ fact, parts: this.partsOf(fact.to, inScope) }))
      .filter(({ parts }) => parts.size > 0)
      .map(({ fact, parts }) => this.itemOf(fact, parts, inScope, wanted))
      .filter(
        ({ marks }) =>
          wanted.scope.marks.length === 0 ||
          wanted.scope.marks.some((mark) => marks.includes(mark)),
      )
      .map((item) => this.withReviewer(item, wanted));
    const sources = new Set(
      this.graph.nodes
        .filter(({ key }) => this.partsOf(key, inScope).size > 0)
        .map(({ key }) => key.split('|')[0] ?? '')
        .filter((source) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(source)),
    );
    return { items, coverage: this.coverageOf(items, wanted, inScope), sources };
  }

  /** What a fact gives in a scope, as a text. */
  givesIn(fact: Fact, scope: Scope): string {
    return textOfParts(this.partsOf(fact.to, this.inScope(scope)));
  }

  private inScope({ applications, resources }: Scope): ReadonlySet<string> {
    const isTarget = ({ label }: Node): boolean => label === 'Application' || label === 'Resource';
    const named = [...applications, ...resources].flatMap((key) => this.nodes.get(key) ?? []);
    const starts = applications.length + resources.length === 0 ? this.graph.nodes : named;
    const all = closure(starts, (node) => this.reader.to(node, 'CONTAINS'));
    return new Set([...all].filter(isTarget).map(({ key }) => key));
  }

  /** The grants and assignments that a node leads to, without one fact. */
  private entitlements(key: string, without: Fact | null): ReadonlySet<Node> {
    const node = this.nodes.get(key);
    if (node === undefined) return new Set();
    const isLeft = (from: Node, to: Node): boolean =>
      without !== null && from.key === without.from && to.key === without.to;
    const held = (each: Node): readonly Node[] =>
      this.reader.to(each, 'HOLDS').filter((to) => !isLeft(each, to));
    const next = (each: Node): readonly Node[] => [
      ...gained(each, this.reader, (rule) => rule !== 'role as holder').filter(
        (to) => !isLeft(each, to),
      ),
      ...held(each)
        .filter(({ label }) => label === 'RoleAssignment')
        .flatMap((assignment) => this.reader.to(assignment, 'OF')),
    ];
    const own = isEntitlement(node) ? [node] : [];
    const starts =
      node.label === 'RoleAssignment' ? this.reader.to(node, 'OF') : own.length > 0 ? [] : [node];
    return new Set([...own, ...[...closure(starts, next)].flatMap(held)]);
  }

  /** What a node gives in scope (`null`: anywhere), without one fact. */
  private partsOf(
    key: string,
    inScope: ReadonlySet<string> | null,
    without: Fact | null = null,
  ): Parts {
    const parts = new Map<string, Given>();
    for (const held of this.entitlements(key, without)) {
      const all = this.given.get(held) ?? givenBy(held, this.reader);
      this.given.set(held, all);
      for (const { on, given, rights } of all) {
        const some = new Map([...rights].filter(([target]) => inScope?.has(target) ?? true));
        if (some.size === 0) continue;
        // A role may be given on a place by assignments and by nothing else, so what it gives there is one thing.
        parts.set(`${on.key}\n${given.key}`, { on, given, rights: some });
      }
    }
    return parts;
  }

  private itemOf(
    fact: Fact,
    parts: Parts,
    inScope: ReadonlySet<string>,
    { before, privilegedTypes, clock }: Wanted,
  ): Omit<Item, 'reviewer' | 'avoided'> & { readonly parts: Parts } {
    const node = this.nodes.get(fact.from);
    if (node === undefined) throw new Error(`There is no ${fact.from}.`);
    const human = this.human(fact.from);
    const rights = rightsIn(parts);
    const gives = textOfParts(parts);
    const tagged = this.tagged();
    const held = [...parts.values()].flatMap(({ on, given }) => [on.key, given.key]);
    const types = [...rights].flatMap((right) => typesOf(right));
    const isPrivileged =
      types.some((type) => privilegedTypes.includes(type)) ||
      [fact.from, fact.to, ...held].some((key) => tagged.has(key));
    const earlier = before?.get(textOf(fact));
    const isPerson = OF_HUMANS.includes(node.label) && !isNotHuman(node);
    const ofHuman = human === null ? [] : [human.key, ...human.accounts];
    const marks = Object.entries({
      privileged: isPrivileged,
      new: before !== null && earlier === undefined,
      changed: earlier !== undefined && earlier.gave !== gives,
      inactive: [fact.from, human?.key ?? fact.from].some((key) =>
        isInactive(this.nodes.get(key), clock),
      ),
      nobodys: isPerson && !this.isKnown(human?.key ?? ''),
      not_a_person: !isPerson && !isGroup(node) && node.label !== 'LocalRole',
      guest: ofHuman.some((key) => this.nodes.get(key)?.properties.is_guest === true),
    }).flatMap(([mark, has]) => (has ? [mark] : []));
    const left = rightsIn(this.partsOf(human?.key ?? fact.from, inScope, fact));
    return {
      fact,
      human: human?.key ?? null,
      gives,
      marks,
      parts,
      entitlement: this.heldBy(fact.to),
      targets: new Set([...parts.values()].flatMap((part) => [...part.rights.keys()])),
      permissions: [...new Set([...rights].map(nameOf))].toSorted(byCodeUnits),
      people: [...this.humansAbove(fact.from)].filter((key) => this.human(key)?.key === key).length,
      changesNothing: [...rights].every((right) => left.has(right)),
      isCarried:
        earlier?.wasKept === true &&
        earlier.gave === gives &&
        !isPrivileged &&
        marks.every((mark) => earlier.marks.includes(mark)),
    };
  }

  /** What is held, by keys: a group, a role, or what is given where. */
  private heldBy(to: string): string {
    const node = this.nodes.get(to);
    if (node === undefined || !isEntitlement(node)) return to;
    const keys = (type: string): readonly string[] =>
      this.reader
        .to(node, type)
        .map(({ key }) => key)
        .toSorted();
    return JSON.stringify([keys('OF'), keys('ON')]);
  }

  private tagged(): ReadonlySet<string> {
    const tags = this.graph.nodes
      .filter(
        ({ label, properties }) =>
          label === 'Tag' && fold(textIn(properties, 'name')) === 'privileged',
      )
      .map(({ key }) => key);
    return new Set(
      this.graph.relationships
        .filter(({ type, to }) => type === 'TAGGED' && tags.includes(to.key))
        .map(({ from }) => from.key),
    );
  }

  /** Whether a fact passes the filters of roles, groups and people. */
  private passes({ from, to }: Fact, { roles, groups, people }: Scope): boolean {
    const given = this.nodes.get(to);
    const ofRole = [
      to,
      ...(given === undefined ? [] : this.reader.to(given, 'OF').map(({ key }) => key)),
    ];
    const ofPeople = people.flatMap((key) => [key, this.human(key)?.key ?? key]);
    return (
      (roles.length === 0 || roles.some((role) => ofRole.includes(role))) &&
      (groups.length === 0 || groups.some((group) => group === from || group === to)) &&
      (people.length === 0 ||
        people.includes(from) ||
        ofPeople.includes(this.human(from)?.key ?? ''))
    );
  }

  private reach(node: Node): ReadonlySet<Node> {
    const known = this.reaches.get(node);
    if (known !== undefined) return known;
    const found = closure([node], (each) => gained(each, this.reader));
    this.reaches.set(node, found);
    return found;
  }

  /** The humans who have what a node has; of what is nobody's, the node itself. */
  private humansAbove(holder: string): ReadonlySet<string> {
    const known = this.gains.get(holder);
    if (known !== undefined) return known;
    const node = this.nodes.get(holder);
    const found = new Set(
      this.graph.nodes
        .filter(
          (each) =>
            OF_HUMANS.includes(each.label) && node !== undefined && this.reach(each).has(node),
        )
        .map(({ key }) => this.human(key)?.key ?? key),
    );
    this.gains.set(holder, found);
    return found;
  }

  private withReviewer(
    item: ReturnType<ReviewedGraph['itemOf']>,
    { fallback, clock }: Wanted,
  ): Item {
    const { parts, ...rest } = item;
    const avoided: string[] = [];
    let gaining: string | null = null;
    let chosen: string | null = null;
    const { humans } = this.whose(item.fact.from);
    for (const { key } of [...this.candidates(item, parts), { key: fallback, why: '' }]) {
      for (const human of this.humansOf(key)) {
        if (chosen !== null || isInactive(this.nodes.get(human), clock)) continue;
        if (this.isOwn(human, item.fact.from)) {
          if (!avoided.includes(human)) avoided.push(human);
        } else if (humans.has(human)) gaining ??= human;
        else chosen = human;
      }
    }
    const isGaining = chosen === null && gaining !== null;
    const marks = isGaining ? [...item.marks, 'conflict'] : item.marks;
    return { ...rest, marks, avoided, reviewer: chosen ?? gaining };
  }

  /** Who may review an item, in order. */
  private candidates(
    { fact, human, marks }: Pick<Item, 'fact' | 'human' | 'marks'>,
    parts: Parts,
  ): readonly Candidate[] {
    const owners = this.responsibleFor(fact.from);
    const isNoPerson = marks.includes('not_a_person');
    const places = this.around([...parts.values()].map(({ on }) => on));
    const own = human === null ? [] : [human, ...(this.human(human)?.accounts ?? [])];
    return [
      ...(isNoPerson ? owners : []),
      ...places.flatMap((place) => this.responsibleFor(place)),
      ...this.responsibleFor(fact.to),
      ...(isNoPerson ? [] : owners),
      ...own.flatMap((key) => this.managersOf(key)),
    ];
  }

  /** The managers of one of a person's nodes, in order. */
  managersOf(key: string): readonly Candidate[] {
    const managers = this.leading(key, 'MANAGED_BY', ['IdpUser', 'Employee']);
    return inOrder(managers.map((manager) => ({ key: manager, why: 'is the manager of' })));
  }

  /** The places that contain all of some places, the nearest first; if there are none, the outermost. */
  private around(places: readonly Node[]): readonly string[] {
    const chains = [...new Set(places)].map((place) => {
      const chain = [place.key];
      for (const key of chain) {
        const [outer] = this.graph.relationships.filter(
          ({ type, to }) => type === 'CONTAINS' && to.key === key,
        );
        if (outer !== undefined && !chain.includes(outer.from.key)) chain.push(outer.from.key);
      }
      return chain;
    });
    const [first = [], ...others] = chains;
    const common = first.filter((key) => others.every((chain) => chain.includes(key)));
    if (common.length > 0) return common;
    return [...new Set(chains.map((chain) => chain.at(-1) ?? ''))].toSorted(byCodeUnits);
  }

  /** Managers and owners of a place, a group or a holder, in order. */
  responsibleFor(key: string): readonly Candidate[] {
    const people = ['IdpUser', 'IdpGroup'];
    const managing = this.leading(key, 'SYSTEM_resource_managers', people);
    const owning = this.leading(key, 'OWNED_BY', ['Identity']).flatMap((identity) => {
      const known = this.ledFrom(identity, 'KNOWN_AS', people);
      return known.length === 0 ? [identity] : known;
    });
    const byName = this.ledFrom(key, 'RESOLVES_TO', ['ExternalEntity']).flatMap((name) =>
      this.ledFrom(name, 'OWNS', people),
    );
    return inOrder([
      ...managing.map((reviewer) => ({ key: reviewer, why: 'manages' })),
      ...[...owning, ...byName].map((reviewer) => ({ key: reviewer, why: 'owns' })),
    ]);
  }

  /** The known humans of a node; of a group those in it. */
  private humansOf(key: string): readonly string[] {
    const node = this.nodes.get(key);
    if (node === undefined) return [];
    const all = isGroup(node)
      ? this.graph.nodes.filter((each) => this.reach(each).has(node))
      : [node];
    const humans = all
      .filter((each) => OF_HUMANS.includes(each.label) && !isNotHuman(each))
      .flatMap((each) => this.human(each.key)?.key ?? [])
      .filter((human) => this.isKnown(human));
    return [...new Set(humans)].toSorted(byCodeUnits).slice(0, MOST_MEMBERS);
  }

  private coverageOf(
    items: readonly Item[],
    { others }: Wanted,
    inScope: ReadonlySet<string>,
  ): Coverage {
    const elsewhere = new Map(others.map(({ id }) => [id, 0]));
    const theirs = others.map((other) => {
      const targets = this.inScope(other.scope);
      const facts = this.facts().flatMap((fact) => {
        const gave = other.facts.get(textOf(fact));
        const isSame = gave !== undefined && gave === textOfParts(this.partsOf(fact.to, targets));
        if (!isSame) return [];
        return [{ from: fact.from, targets: targetsIn(this.partsOf(fact.to, inScope)) }];
      });
      return { id: other.id, targets, facts };
    });
    let [pairs, reviewed, notReviewed] = [0, 0, 0];
    for (const [who, answers] of effectiveAccess(this.graph)) {
      const acting = this.acting(who);
      const gains = new Set(acting.flatMap((node) => [...this.reach(node)].map(({ key }) => key)));
      const own = items.filter(({ fact }) => gains.has(fact.from));
      for (const [target, permissions] of answers) {
        if (permissions.size === 0 || !inScope.has(target)) continue;
        pairs += 1;
        if (own.some(({ targets }) => targets.has(target))) {
          reviewed += 1;
          continue;
        }
        const other = theirs.find(
          ({ targets, facts }) =>
            targets.has(target) &&
            facts.some((fact) => gains.has(fact.from) && fact.targets.has(target)),
        );
        if (other === undefined) notReviewed += 1;
        else elsewhere.set(other.id, (elsewhere.get(other.id) ?? 0) + 1);
      }
    }
    const counted = [...elsewhere].filter(([, number]) => number > 0);
    return {
      pairs,
      reviewed,
      notReviewed,
      elsewhere: counted.map(([review, number]) => ({ review, pairs: number })),
    };
  }

  /** The nodes with whose access somebody acts: their own, or those of the principals that a resource connects to. */
  private acting(who: string): readonly Node[] {
    const node = this.nodes.get(who);
    if (node === undefined) return [];
    return node.label === 'Resource' ? connectedPrincipals(node, this.reader) : [node];
  }

  private leading(from: string, type: string, labels: readonly string[]): readonly string[] {
    return this.graph.relationships
      .filter((one) => one.type === type && one.from.key === from && labels.includes(one.to.label))
      .map(({ to }) => to.key);
  }

  private ledFrom(to: string, type: string, labels: readonly string[]): readonly string[] {
    return this.graph.relationships
      .filter((one) => one.type === type && one.to.key === to && labels.includes(one.from.label))
      .map(({ from }) => from.key);
  }
}

function textIn(properties: Values, name: string): string {
  const value = properties[name];
  return typeof value === 'string' ? value : '';
}

const nameOf = (right: string): string => (JSON.parse(right) as [string, [string]])[1][0];
const typesOf = (right: string): readonly string[] =>
  (JSON.parse(right) as [string, [string, readonly string[] | null]])[1][1] ?? [];

/** Each permission on each target, as a text. */
function rightsIn(parts: Parts): ReadonlySet<string> {
  return new Set([...parts.values()].flatMap(({ rights }) => rightTexts(rights)));
}

function rightTexts(rights: Given['rights']): readonly string[] {
  return [...rights].flatMap(([target, permissions]) =>
    [...permissions].map((permission) => JSON.stringify([target, JSON.parse(permission)])),
  );
}

function targetsIn(parts: Parts): ReadonlySet<string> {
  return new Set([...parts.values()].flatMap(({ rights }) => [...rights.keys()]));
}

/** What is given, part by part: two facts give the same if these are equal. */
function textOfParts(parts: Parts): string {
  const texts = [...parts.values()].map(({ rights }) =>
    JSON.stringify(rightTexts(rights).toSorted()),
  );
  return JSON.stringify([...new Set(texts)].toSorted());
}

function namesIn(parts: Parts): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { rights } of parts.values()) {
    for (const [target, permissions] of rights) {
      const known = names.get(target) ?? new Set();
      names.set(target, known);
      for (const permission of permissions) known.add((JSON.parse(permission) as [string])[0]);
    }
  }
  return names;
}

function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((a, b) => byCodeUnits(a.why, b.why) || byCodeUnits(a.key, b.key));
}
