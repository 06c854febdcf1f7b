import { fold } from '../model/fold';
import { Instants, type Moment, NEVER, type OpenedInstants } from './instants';
import { at, type Column, type Columns, type Copying, Growing, type Memory, Table } from './memory';
import { HELD_TYPES, type HeldType } from './relationship-types';
import { type Adjacency, type OpenedRelationships, Relationships } from './columns/relationships';
import {
  type Lasting,
  NONE,
  type VersionValues,
  type ShownText,
  type VersionRow,
  Versions,
  type OpenedVersions,
} from './columns/versions';
import { NO_TEXT, type OpenedTexts, Texts } from './texts';

export { type Lasting, NONE } from './columns/versions';

/** A node, or a version of one that ended. */
export interface NodeRow extends VersionRow {
  readonly key: string;
  /** Its own label. */
  readonly label: string;
  /** All its labels. */
  readonly labels: readonly string[];
}

/** A relationship between two nodes, by their keys. */
export interface RelationshipRow extends Lasting {
  readonly type: HeldType;
  readonly from: string;
  readonly to: string;
}

/** Two nodes, by their keys, and a type of relationship between them. */
export type Pair = Pick<RelationshipRow, 'type' | 'from' | 'to'>;

/** What lists say of a node. */
export interface NodeSummary {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly path: string | null;
  readonly resource_type: string | null;
  readonly application: string | null;
  readonly domain: string | null;
  readonly provider: string | null;
  readonly inactive: boolean;
}

/** The labels of a node, as questions about access distinguish them. */
export interface Kind {
  readonly label: string;
  readonly labels: readonly string[];
  readonly isPrincipal: boolean;
  readonly isEntitlement: boolean;
  readonly isRole: boolean;
  readonly isPermission: boolean;
  readonly isResource: boolean;
  readonly isApplication: boolean;
}

const kindOf = (label: string, labels: readonly string[]): Kind => ({
  label,
  labels,
  isPrincipal: labels.includes('Principal'),
  isEntitlement: labels.includes('Entitlement'),
  isRole: labels.includes('LocalRole'),
  isPermission: labels.includes('Permission'),
  isResource: labels.includes('Resource'),
  isApplication: labels.includes('Application'),
});

const isSameTime = (one: Lasting, other: Lasting): boolean =>
  one.since === other.since && one.until === other.until;

/** For how many commits the graph knows what they touched. */
const MOST_TOUCHED = 1_000;

const NODE = ['key', 'kind', 'newest'] as const;

/** An access graph as plain data, which another thread can open too. */
export interface OpenedGraph {
  readonly texts: OpenedTexts;
  readonly instants: OpenedInstants;
  readonly kinds: readonly Kind[];
  readonly byText: Column<Int32Array>;
  readonly nodes: Columns<(typeof NODE)[number]>;
  readonly versions: OpenedVersions;
  readonly relationships: OpenedRelationships;
}

/** The number of a type of relationship. */
export const typeOf = (type: HeldType): number => HELD_TYPES.indexOf(type);

/**
 * The part of the graph on which effective access and its reviewers depend, in memory: nodes with
 * their versions, and the relationships of `HELD_TYPES`, each with the time for which it holds. Rows may be added in
 * any order, also after questions. Moments, versions and places are valid until something changes.
 */
export class AccessGraph {
  readonly texts: Texts;
  readonly instants: Instants;
  /** The distinct kinds of nodes. */
  readonly kinds: Kind[] = [];
  private readonly kindOfLabels = new Map<string, number>();
  /** The node that has a text as its key, by the number of the text, and one more. */
  private readonly byText: Growing<Int32Array>;
  private readonly nodes: Table<(typeof NODE)[number]>;
  private readonly versions: Versions;
  private readonly relationships: Relationships;
  private changed = 0;
  private readonly touched: { readonly changes: number; readonly instant: bigint }[] = [];
  private untouched = -1;

  /** It takes over what is opened. */
  constructor(
    readonly memory: Memory,
    opened?: OpenedGraph,
  ) {
    this.texts = new Texts(memory, opened?.texts);
    this.instants = new Instants(memory, opened?.instants);
    this.byText = new Growing(memory, Int32Array, opened?.byText);
    this.nodes = new Table(memory, NODE, opened?.nodes);
    this.versions = new Versions(memory, this.texts, this.instants, opened?.versions);
    this.relationships = new Relationships(memory, opened?.relationships);
    for (const { label, labels } of opened?.kinds ?? []) this.kindNumber(label, labels);
  }

  /**
   * A copy in other memory, which somebody may change while nobody sees it here. It is valid if
   * `changes` is the same after the last step.
   */
  *copy(memory: Memory): Copying<OpenedGraph> {
    // The first question orders the relationships.
    void this.adjacency;
    const texts = yield* this.texts.copy(memory);
    const instants = yield* this.instants.copy(memory);
    const byText = yield* this.byText.copy(memory);
    const nodes = yield* this.nodes.copy(memory);
    const versions = yield* this.versions.copy(memory);
    const relationships = yield* this.relationships.copy(memory);
    const kinds = [...this.kinds];
    return { texts, instants, kinds, byText, nodes, versions, relationships };
  }

  /** How many nodes it knows, also those that have ended. */
  get nodeCount(): number {
    return this.nodes.length;
  }

  /** How many relationships it knows, also those that have ended. */
  get relationshipCount(): number {
    return this.relationships.length - this.relationships.removedCount;
  }

  /** The places of relationships are the numbers below. */
  get placeCount(): number {
    return this.relationships.length;
  }

  /** How many versions of nodes it knows. */
  get versionCount(): number {
    return this.versions.count;
  }

  /** How many rows nobody finds any more. They use memory until the graph is loaded again. */
  get leftCount(): number {
    return this.relationships.removedCount + this.versions.leftCount;
  }

  /** How many relationships were appended since the last ordering. */
  get appendedCount(): number {
    return this.relationships.appendedCount;
  }

  /** How often it has changed. What somebody found out about it is valid until this number changes. */
  get changes(): number {
    return this.changed;
  }

  /** Notes that what changes next began or ended at this instant. */
  touch(instant: bigint): void {
    const { touched } = this;
    while (touched.length > 0 && (touched.at(-1)?.instant ?? 0n) >= instant) touched.pop();
    touched.push({ changes: this.changed, instant });
    if (touched.length > MOST_TOUCHED) this.untouched = touched.shift()?.changes ?? 0;
  }

  /**
   * Whether everything that has changed since lies after an instant: then the answer about it, and
   * about what lies before, is the same. `changes` is what the graph said at that time.
   */
  isSameUntil(instant: bigint, changes: number): boolean {
    if (changes === this.changed) return true;
    // The instants of later entries are later.
    const first = this.touched.find((each) => each.changes >= changes);
    return changes > this.untouched && first !== undefined && first.instant > instant;
  }

  /**
   * Makes the versions of a node those that are given, except those that ended before `from`, in
   * nanoseconds since 1970. No rows mean that it did not exist from then on.
   */
  setVersions(key: string, rows: readonly NodeRow[], from: bigint): void {
    this.changed += 1;
    const [first] = rows;
    if (first === undefined && this.find(key) === NONE) return;
    const node = this.nodeOf(this.texts.add(key));
    if (first !== undefined) this.setKind(node, first);
    const newest = this.nodes.column('newest');
    newest[node] = this.versions.set(at(newest, node), rows, from);
  }

  /** Adds a node, or a version of one. */
  addNode(row: NodeRow): void {
    this.changed += 1;
    const node = this.nodeOf(this.texts.add(row.key));
    this.setKind(node, row);
    const newest = this.nodes.column('newest');
    newest[node] = this.versions.add(at(newest, node), row);
  }

  /** Adds a relationship, or a version of one. Its nodes may be added later. */
  addRelationship({ type, from, to, since, until }: RelationshipRow): void {
    this.changed += 1;
    this.relationships.add({
      from: this.nodeOf(this.texts.add(from)),
      to: this.nodeOf(this.texts.add(to)),
      type: typeOf(type),
      since: this.instants.add(since),
      until: this.instants.add(until),
    });
  }

  /** The node with this key; `NONE` if there is none. */
  find(key: string): number {
    const text = this.texts.find(key);
    return text === NO_TEXT || text >= this.byText.length ? NONE : at(this.byText.values, text) - 1;
  }

  /** The number of a node's key. */
  keyText(node: number): number {
    return at(this.nodes.column('key'), node);
  }

  /** The key of a node. */
  key(node: number): string {
    return this.texts.text(this.keyText(node));
  }

  /** Compares nodes by their keys. */
  byKey(a: number, b: number): number {
    return this.texts.compare(this.keyText(a), this.keyText(b));
  }

  /** Compares nodes by their names at a moment, then by their keys. */
  byName(moment: Moment): (a: number, b: number) => number {
    const nameOf = (node: number): number => this.textNumber(this.version(node, moment), 'name');
    return (a, b) => this.texts.compare(nameOf(a), nameOf(b)) || this.byKey(a, b);
  }

  /** The node with the smallest key; `NONE` of none. */
  least(nodes: readonly number[]): number {
    return nodes.reduce(
      (least, node) => (least === NONE || this.byKey(node, least) < 0 ? node : least),
      NONE,
    );
  }

  /** The kind of a node; `null` if only relationships name it. */
  kind(node: number): Kind | null {
    return this.kinds[at(this.nodes.column('kind'), node)] ?? null;
  }

  /** The version of a node that holds at a moment; `NONE` if it does not exist then. */
  version(node: number, moment: Moment): number {
    return this.versions.at(this.newestOf(node), moment);
  }

  /** Whether a version of a node began or ended at a marked instant (`Instants.between`). */
  isTouched(node: number, marks: Uint8Array): boolean {
    return this.versions.isTouched(this.newestOf(node), marks);
  }

  /** Whether a node exists at a moment. */
  exists(node: number, moment: Moment): boolean {
    return this.version(node, moment) !== NONE;
  }

  /** What lists say of a node at a moment. `clock` is the present time, in nanoseconds. */
  summary(node: number, moment: Moment, clock: bigint): NodeSummary {
    const version = this.version(node, moment);
    const text = (name: ShownText): string | null => this.versions.text(version, name);
    return {
      id: this.key(node),
      label: this.kind(node)?.label ?? '',
      name: text('name') ?? '',
      path: text('path'),
      resource_type: text('resource_type'),
      application: text('application'),
      domain: text('domain'),
      provider: text('provider'),
      inactive: this.versions.isInactive(version, clock),
    };
  }

  /** The number of a text of a version, by which lists are ordered and filtered. */
  textNumber(version: number, name: 'name' | 'application'): number {
    return this.versions.textNumber(version, name);
  }

  /** Whether a user or account is marked as not human. */
  isNotHuman(version: number): boolean {
    return this.versions.isNotHuman(version);
  }

  /** Whether a user is marked as a guest. */
  isGuest(version: number): boolean {
    return this.versions.isGuest(version);
  }

  /** Whether a version is marked as inactive, or was deactivated by a time in nanoseconds. */
  isInactive(version: number, clock: bigint): boolean {
    return this.versions.isInactive(version, clock);
  }

  /** All versions of a node. */
  versionsOf(node: number): Iterable<VersionValues & Lasting> {
    return this.versions.of(this.newestOf(node));
  }

  /** The name of a version. */
  name(version: number): string {
    return this.versions.text(version, 'name') ?? '';
  }

  /** A permission's types, as JSON. */
  permissionTypes(version: number): string {
    return this.versions.text(version, 'permission_type') ?? '[]';
  }

  /** Whether a permission holds on what its scope contains too. */
  spreads(version: number): boolean {
    return this.versions.spreads(version);
  }

  /** The number of the folded type of a resource, or of that for which a permission is. */
  resourceType(version: number): number {
    return this.versions.textNumber(version, 'fold_resource_type');
  }

  /** The number of the text that is the folded type of an application. */
  applicationType(version: number): number {
    return this.versions.textNumber(version, 'fold_application_type');
  }

  /** The numbers of the folded types of applications in which a permission holds; `null` means all. */
  applicationTypes(version: number): readonly number[] | null {
    const types = this.versions.text(version, 'application_types');
    return types === null
      ? null
      : (JSON.parse(types) as readonly string[]).map((type) => this.texts.find(fold(type)));
  }

  /** Whether two versions of a node are alike in all that decides about access. */
  decideAlike(one: number, other: number): boolean {
    return this.versions.decideAlike(one, other);
  }

  /**
   * Makes the relationships of a type between two nodes, with those that ended at `from` or later,
   * the ones that are given. Those that ended before stay.
   */
  setBetween(pair: Pair, from: bigint, wanted: readonly Lasting[]): void {
    this.changed += 1;
    const [start, end] = [this.find(pair.from), this.find(pair.to)];
    const { since, until } = this.adjacency;
    // Several relationships of a type may join the same nodes at the same time.
    const missing = [...wanted];
    const places = start === NONE || end === NONE ? [] : this.placesBetween(start, end, pair.type);
    const others: number[] = [];
    for (const place of places) {
      const known = {
        since: this.instants.nanosOf(at(since, place)),
        until: this.instants.nanosOf(at(until, place)),
      };
      if (known.until !== null && known.until < from) continue;
      const same = missing.findIndex((one) => isSameTime(one, known));
      if (same === -1) others.push(place);
      else missing.splice(same, 1);
    }
    for (const one of missing) {
      const number = this.instants.add(one.since);
      const same = others.findIndex((place) => at(since, place) === number);
      const [place] = same === -1 ? [] : others.splice(same, 1);
      if (place === undefined) this.addRelationship({ ...pair, ...one });
      else this.relationships.end(place, this.instants.add(one.until));
    }
    for (const place of others) this.relationships.remove(place);
  }

  /** The relationships at a node that have not ended, by their places. */
  openAt(key: string): readonly number[] {
    const node = this.find(key);
    if (node === NONE) return [];
    const { type, until } = this.adjacency;
    return [...this.relationships.at(node, this.nodes.length)].filter(
      (place) => HELD_TYPES[at(type, place)] !== undefined && at(until, place) === NEVER,
    );
  }

  /** The keys of the nodes that the relationship at a place joins, and its type. */
  pair(place: number): Pair {
    const { from, to, type } = this.relationship(place);
    return { type, from: this.key(from), to: this.key(to) };
  }

  /** Adds a relationship that begins, unless the graph knows it. */
  begin(pair: Pair, since: bigint): void {
    const [start, end] = [this.find(pair.from), this.find(pair.to)];
    if (start !== NONE && end !== NONE) {
      const number = this.instants.add(since);
      const { since: sinces } = this.adjacency;
      const isKnown = this.placesBetween(start, end, pair.type).some(
        (place) => at(sinces, place) === number,
      );
      if (isKnown) return;
    }
    this.addRelationship({ ...pair, since, until: null });
  }

  /** The relationships. Those whose type is `REMOVED` are in no graph. */
  get adjacency(): Adjacency {
    return this.relationships.adjacency(this.nodes.length);
  }

  /** Orders the relationships in steps, between which the caller may ask and change the graph. */
  *order(): Generator<void, void> {
    yield* this.relationships.order(this.nodes.length);
  }

  /** Whether the relationship at a place has ended. */
  hasEnded(place: number): boolean {
    return at(this.adjacency.until, place) !== NEVER;
  }

  /**
   * When a relationship began and ended last, in nanoseconds; `null` if it lasts, or nobody knows when it
   * ended.
   */
  lastTimeOf(pair: Pair): { readonly since: bigint | null; readonly until: bigint } | null {
    const [start, end] = [this.find(pair.from), this.find(pair.to)];
    if (start === NONE || end === NONE) return null;
    const { since, until } = this.adjacency;
    let last: { readonly since: bigint | null; readonly until: bigint } | null = null;
    for (const place of this.placesBetween(start, end, pair.type)) {
      const ended = this.instants.nanosOf(at(until, place));
      if (ended === null) return null;
      if (last !== null && ended <= last.until) continue;
      last = { since: this.instants.nanosOf(at(since, place)), until: ended };
    }
    return last;
  }

  /** The relationship at a place, and when it began, in nanoseconds. */
  relationship(place: number): {
    readonly from: number;
    readonly to: number;
    readonly type: HeldType;
    readonly since: bigint | null;
  } {
    const { from, to, type, since } = this.adjacency;
    return {
      from: at(from, place),
      to: at(to, place),
      type: HELD_TYPES[at(type, place)] as HeldType,
      since: this.instants.nanosOf(at(since, place)),
    };
  }

  /** When the relationship at a place held: a row for each of its versions, and for each time. */
  lastingOf(place: number): readonly Lasting[] {
    const { from, to, type } = this.relationship(place);
    const { since, until } = this.adjacency;
    return this.placesBetween(from, to, type).map((each) => ({
      since: this.instants.nanosOf(at(since, each)),
      until: this.instants.nanosOf(at(until, each)),
    }));
  }

  /** When a version began, in nanoseconds. */
  since(version: number): bigint | null {
    return this.versions.since(version);
  }

  private placesBetween(from: number, to: number, type: HeldType): readonly number[] {
    return this.relationships.between(from, to, typeOf(type), this.nodes.length);
  }

  private nodeOf(text: number): number {
    const { byText } = this;
    if (text >= byText.length) byText.extend(text + 1 - byText.length);
    const known = at(byText.values, text);
    if (known > 0) return known - 1;
    const node = this.nodes.add({ key: text, kind: NONE, newest: NONE });
    byText.values[text] = node + 1;
    return node;
  }

  private newestOf(node: number): number {
    return at(this.nodes.column('newest'), node);
  }

  private setKind(node: number, { label, labels }: NodeRow): void {
    this.nodes.column('kind')[node] = this.kindNumber(label, labels);
  }

  private kindNumber(label: string, labels: readonly string[]): number {
    const name = `${label} ${labels.join(' ')}`;
    const known = this.kindOfLabels.get(name);
    if (known !== undefined) return known;
    this.kinds.push(kindOf(label, labels));
    this.kindOfLabels.set(name, this.kinds.length - 1);
    return this.kinds.length - 1;
  }
}
