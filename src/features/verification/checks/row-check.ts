import { FOLDED_PROVIDER, changedByFolding } from '../../../model/folded-texts';
import { Resource } from '../../../templates/application/resources';
import { Instant } from '../../../model/instant';
import { type NodeKind, otherEnd } from '../../../model/table';
import { lookupsOf } from '../../../rows/row/lookups';
import type { PropertyValues, Stated, Value } from '../../../rows/row/row';
import { rowHash, RULES_VERSION, existingHash, UNKNOWN_HASH } from '../../../rows/row/row-hash';
import type { Find, FoundEnds } from './finding';
import { SERVICE_PROPERTIES, localKey } from '../../../graph/write/current-rows';
import type { DataSourceState } from '../../../push/graph/contract';

/** A node as the verification found it. */
export interface FoundNode {
  readonly key: string;
  readonly labels: readonly string[];
  readonly properties: PropertyValues;
}

/** A relationship that was found at a row which could state it. */
export interface FoundAtRow {
  /** Neo4j's own id of it. */
  readonly id: string;
  readonly stated: Stated;
  readonly isTag: boolean;
  /** Whether it says since when. */
  readonly isDated: boolean;
  /** The key of its other end. */
  readonly other: string;
  /** Properties that this kind of relationship does not have. */
  readonly undeclared: Readonly<Record<string, Value>>;
}

/** What a found node says, except for what no row can say. */
interface FoundRow {
  readonly properties: PropertyValues;
  readonly relationships: readonly FoundAtRow[];
}

/** The names and ids of the resources on the path to a resource. */
export interface Steps {
  readonly names: readonly unknown[];
  readonly ids: readonly unknown[];
}

/** The repair of a row, and the row's hash after it. */
export interface CheckedRow {
  readonly node: FoundNode;
  /** The row's hash after the repair; `null` if the repair removes the row. */
  readonly hash: string | null;
  /** Properties that the repair sets; `null` removes one. */
  readonly set: Readonly<Record<string, Value | null>>;
  /** Labels that the repair removes. */
  readonly labels: readonly string[];
  /** Whether the node lacks labels of its kind. */
  readonly lacksLabels: boolean;
  readonly relationships: readonly FoundAtRow[];
}

const isDeclared = ({ properties, lookups, custom }: NodeKind, name: string): boolean =>
  Object.hasOwn(properties, name) ||
  Object.hasOwn(lookups, name) ||
  (custom && /^(custom|dyn)prop_/.test(name));

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Checks one row against its kind, its own hash and the nodes around it. */
export class RowCheck {
  private readonly set: Record<string, Value | null> = {};
  private readonly dropped: FoundAtRow[] = [];
  private readonly expectedLabels: readonly string[];

  constructor(
    private readonly state: DataSourceState,
    private readonly kind: NodeKind,
    private readonly node: FoundNode,
    private readonly found: readonly FoundAtRow[],
    private readonly steps: Steps | null,
    private readonly find: Find,
  ) {
    this.expectedLabels = [kind.label, ...kind.also];
  }

  run(): CheckedRow {
    const { node, set, dropped } = this;
    const { row_hash: hash, since } = node.properties;
    // The service always writes both. So a node without either was added by hand.
    if (hash === undefined && since === undefined) {
      this.find({ what: 'NODE_ADDED', node: node.key, remedy: 'REPAIR' });
      return { node, hash: null, set, labels: [], lacksLabels: false, relationships: [] };
    }
    const lacksLabels = this.expectedLabels.some((label) => !node.labels.includes(label));
    const labels = node.labels.filter((label) => !this.expectedLabels.includes(label));
    if (lacksLabels || labels.length > 0) {
      const [found, expected] = [node.labels.toSorted(), this.expectedLabels.toSorted()];
      this.find({ what: 'LABELS_CHANGED', node: node.key, found, expected, remedy: 'REPAIR' });
    }
    const row = this.rowLessForeign();
    const isProven = this.prove(row);
    this.checkServiceProperties();
    const areLookupsRight = this.checkLookups(row.properties);
    const expectedHash = isProven && areLookupsRight ? this.hash : UNKNOWN_HASH;
    if (expectedHash !== hash) set.row_hash = expectedHash;
    return { node, hash: expectedHash, set, labels, lacksLabels, relationships: dropped };
  }

  private get hash(): string {
    return existingHash(this.node.properties.row_hash);
  }

  /** The row without everything that no row can state. */
  private rowLessForeign(): FoundRow {
    const { id } = this.state;
    const properties: Record<string, Value> = {};
    for (const [name, value] of Object.entries(this.node.properties)) {
      if (SERVICE_PROPERTIES.has(name)) continue;
      if (!isDeclared(this.kind, name)) this.dropProperty(name, value);
      else if (!name.startsWith('fold_')) properties[name] = value;
    }
    const identities = new Set<string>();
    const relationships = this.found.filter((one) => {
      const { kind, identity } = one.stated;
      const end = otherEnd(kind);
      const isForeign =
        (end.keeper === 'row' && !one.other.startsWith(`${id}|`)) ||
        (end.keeper === 'service' && one.other !== id);
      if (isForeign || identities.has(identity)) {
        this.dropRelationship(one);
        return false;
      }
      identities.add(identity);
      for (const [property, value] of Object.entries(one.undeclared)) {
        this.find({
          what: 'PROPERTY_ADDED',
          node: this.node.key,
          relationship: endsOf(this.node.key, one),
          property,
          found: value,
          remedy: 'REPAIR',
        });
      }
      return true;
    });
    return { properties, relationships };
  }

  /**
   * Whether the row has the content of its hash. If it does not, the service removes what has no
   * date, since it dates everything that it creates: a full push would leave such a tag. A hash
   * does not show what else was changed.
   */
  private prove({ properties, relationships }: FoundRow): boolean {
    // This release cannot compute the hashes of other rules.
    if (this.state.rulesVersion !== RULES_VERSION) return true;
    if (this.hashWith(properties, relationships) === this.hash) return true;
    const dated = relationships.filter(({ isDated }) => isDated);
    for (const one of relationships) if (!one.isDated) this.dropRelationship(one);
    if (this.hashWith(properties, dated) === this.hash) return true;
    this.find({ what: 'CONTENT_CHANGED', node: this.node.key, remedy: 'NEXT_FULL_PUSH' });
    return false;
  }

  private hashWith(properties: PropertyValues, relationships: readonly FoundAtRow[]): string {
    const tags = relationships.filter(({ isTag }) => isTag);
    const others = relationships.filter(({ isTag }) => !isTag);
    return rowHash({
      kind: this.kind,
      key: localKey(this.state.id, this.kind, this.node.key),
      properties,
      lookups: {},
      relationships: others.map(({ stated }) => stated),
      tags: tags.map(({ stated }) => stated.other),
    });
  }

  /** Checks the properties that the service adds to each row. */
  private checkServiceProperties(): void {
    const { id, provider, lastPushAt } = this.state;
    this.expect('data_source', id);
    this.expect('provider', provider.name);
    this.expect(FOLDED_PROVIDER, changedByFolding(provider.name));
    for (const name of ['since', 'changed']) {
      const date = this.node.properties[name];
      if (!(date instanceof Instant)) this.correct(name, date, lastPushAt);
    }
  }

  /** Look-ups follow from what the row says; gives whether the row can stay as it is. */
  private checkLookups(properties: PropertyValues): boolean {
    const { names, ids } = this.steps ?? { names: [], ids: [] };
    // If somebody changed a resource on the path by hand, the path cannot be computed.
    const isPathKnown = names.join('.') === properties.path;
    const lookups = lookupsOf(this.kind, properties, isPathKnown ? ids.join('.') : null);
    let isPathWrong = false;
    for (const name of Object.keys(this.kind.lookups)) {
      const [found, expected] = [this.node.properties[name], lookups[name]];
      if (same(found, expected)) continue;
      if (this.kind === Resource && name === 'fold_id_path') {
        // This look-up follows from other rows as well, which may be wrong themselves.
        if (!isPathKnown) continue;
        isPathWrong = true;
        this.find({
          what: 'PROPERTY_CHANGED',
          node: this.node.key,
          property: name,
          found: found ?? null,
          expected: expected ?? null,
          remedy: 'NEXT_FULL_PUSH',
        });
      } else this.correct(name, found, expected ?? null);
    }
    return !isPathWrong;
  }

  private expect(name: string, value: Value | null): void {
    const found = this.node.properties[name];
    if (!same(found ?? null, value)) this.correct(name, found, value);
  }

  private correct(property: string, found: Value | undefined, expected: Value | null): void {
    this.set[property] = expected;
    this.find({
      what: 'PROPERTY_CHANGED',
      node: this.node.key,
      property,
      found: found ?? null,
      expected,
      remedy: 'REPAIR',
    });
  }

  private dropProperty(property: string, found: Value): void {
    this.set[property] = null;
    const { key } = this.node;
    this.find({ what: 'PROPERTY_ADDED', node: key, property, found, remedy: 'REPAIR' });
  }

  private dropRelationship(one: FoundAtRow): void {
    this.dropped.push(one);
    const relationship = endsOf(this.node.key, one);
    this.find({ what: 'RELATIONSHIP_ADDED', node: this.node.key, relationship, remedy: 'REPAIR' });
  }
}

const endsOf = (row: string, { stated, other }: FoundAtRow): FoundEnds => {
  const [from, to] = stated.kind.owner === 'from' ? [row, other] : [other, row];
  return { type: stated.kind.type, from, to };
};
