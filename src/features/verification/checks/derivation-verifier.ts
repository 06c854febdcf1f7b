import { NO_DIFFERENCE } from '../../../difference/difference';
import { grouped } from '../../../model/grouped';
import {
  derivedWithTagsAt,
  management,
  RESOURCE_MANAGERS,
} from '../../../templates/graph/derivations';
import type { Instant } from '../../../model/instant';
import { keyOf } from '../../../model/key';
import { sharedKinds } from '../../../templates/graph/nodes';
import { kindsMentioning } from '../../../templates/graph/relationships';
import { Tag } from '../../../model/shared-nodes';
import type { NodeKind } from '../../../model/table';
import type { Row, SharedNode, Value } from '../../../rows/row/row';
import { orphansOf, removeOrphans } from '../../../graph/rows/relationship-statements';
import {
  DATE_UNDATED,
  dateDrawn,
  managementAt,
  MANAGER_TAGS_FOUND,
  removeDoubles,
} from '../statements';
import { DerivationKinds } from '../../../graph/write/derivation-kinds';
import { type DerivedChange, DerivedChanges } from '../../../graph/write/derived-changes';
import { Deriver } from '../../../graph/write/deriving';
import type { Find } from './finding';
import { Managing, type Pair } from '../../../graph/write/managing';
import { Pipeline } from '../../../neo4j/pipeline';
import type { FoundNode } from './row-check';
import { SERVICE_PROPERTIES, localKey } from '../../../graph/write/current-rows';
import type { Runner } from '../../../neo4j/transaction';
import { toDateTime } from '../../../neo4j/values';
import { endOf, type PushStamp } from '../../../graph/write/writing';

/** Makes a row, as derivations need it, from a node of the graph. */
const boundRow = (dataSource: string, kind: NodeKind, { key, properties }: FoundNode): Row => {
  const values: Record<string, Value> = {};
  const lookups: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (SERVICE_PROPERTIES.has(name)) continue;
    if (name.startsWith('fold_')) lookups[name] = value as string | readonly string[];
    else values[name] = value;
  }
  const local = localKey(dataSource, kind, key);
  return { kind, key: local, properties: values, lookups, relationships: [], tags: [] };
};

/**
 * Derives again everything at rows and shared nodes, as if they had just changed, and repairs what
 * differs (docs/rules.md: Derived relationships).
 */
export class DerivationVerifier {
  private readonly pipeline: Pipeline;
  private readonly bound = new DerivedChanges();
  private managing: Managing | null = null;
  private readonly constants: Readonly<Record<string, unknown>>;
  private kinds: DerivationKinds | null = null;

  constructor(
    tx: Runner,
    private readonly words: PushStamp,
    /** The `since` of missing relationships: the time of the data source's newest push. */
    private readonly dated: Instant,
    private readonly find: Find,
  ) {
    this.pipeline = new Pipeline(tx);
    this.constants = { at: toDateTime(words.at), until: endOf(words) };
  }

  /**
   * Draws the derived relationships of these nodes that are missing, and removes those that are
   * wrong.
   */
  async rebind(
    kind: NodeKind,
    nodes: readonly FoundNode[],
    shared: readonly SharedNode[] = [],
  ): Promise<void> {
    const followed = nodes.map((node) => {
      const row = boundRow(this.words.dataSource, kind, node);
      return { row, changes: row.lookups };
    });
    const difference = { ...NO_DIFFERENCE, followed };
    const kinds = await this.knownKinds();
    const deriver = new Deriver(this.pipeline, this.words, difference, shared, kinds, this.bound);
    await deriver.bind();
  }

  /**
   * Checks who manages these rows and what these rows manage. All other derived relationships must
   * be right before.
   */
  async manage(kind: NodeKind, keys: readonly string[]): Promise<void> {
    const asked: Promise<void>[] = [];
    const { trusts } = await this.knownKinds();
    const managing = (this.managing ??= new Managing(
      this.pipeline,
      this.constants,
      this.bound,
      trusts,
    ));
    for (const managed of management.managed) {
      for (const manager of management.managers) {
        const candidates = (at: 'managed' | 'manager'): Promise<void> =>
          this.candidates(managing, at, managed, manager, keys);
        if (managed === kind) asked.push(candidates('managed'));
        if (manager === kind) asked.push(candidates('manager'));
      }
      if (managed === kind) asked.push(this.tags(managing, managed, keys));
    }
    await Promise.all(asked);
    await managing.run();
  }

  /** The derived relationships that it drew and removed. */
  get changes(): readonly DerivedChange[] {
    return this.bound.derivedChanges;
  }

  /** Removes the tags of managers that no node has any more. */
  async removeLeftTags(): Promise<void> {
    const left = [...(this.managing?.leftTags ?? [])].sort();
    const statement = removeOrphans(Tag, kindsMentioning(Tag));
    await this.pipeline.ask(statement, 'keys', left, this.constants);
  }

  /**
   * Removes duplicate derived relationships of these rows, and gives a date to those that have
   * none.
   */
  async tidy(kind: NodeKind, keys: readonly string[]): Promise<void> {
    const types = derivedWithTagsAt(kind);
    const [doubles, undated] = await Promise.all([
      types.length === 0 ? [] : this.ends(removeDoubles(types), keys),
      this.ends(DATE_UNDATED, keys),
    ]);
    for (const relationship of doubles) {
      this.find({ what: 'DERIVED_SUPERFLUOUS', relationship, remedy: 'REPAIR' });
    }
    for (const relationship of undated) {
      this.find({ what: 'RELATIONSHIP_UNDATED', relationship, remedy: 'REPAIR' });
    }
  }

  /**
   * Removes all shared nodes that no row states, of any data source, and reports what was derived
   * wrongly.
   */
  async finish(): Promise<void> {
    await Promise.all(sharedKinds.map((kind) => this.removeOrphans(kind)));
    await this.dateDrawn();
    for (const { change, type, from, to } of this.bound.derivedChanges) {
      const what = change === 'created' ? 'DERIVED_MISSING' : 'DERIVED_SUPERFLUOUS';
      this.find({ what, relationship: { type, from, to }, remedy: 'REPAIR' });
    }
  }

  private async removeOrphans(kind: NodeKind): Promise<void> {
    const mentions = kindsMentioning(kind);
    const records = await this.pipeline.ask<{ key: string }>(orphansOf(kind, mentions), 'none', [
      null,
    ]);
    const keys = records.map((record) => record.get('key')).sort();
    const removed = await this.pipeline.ask<{ key: string }>(
      removeOrphans(kind, mentions),
      'keys',
      keys,
      this.constants,
    );
    for (const record of removed) {
      this.find({ what: 'SHARED_ORPHANED', node: record.get('key'), remedy: 'REPAIR' });
    }
  }

  private async knownKinds(): Promise<DerivationKinds> {
    return (this.kinds ??= await DerivationKinds.read(this.pipeline));
  }

  private async candidates(
    managing: Managing,
    at: 'managed' | 'manager',
    managedKind: NodeKind,
    managerKind: NodeKind,
    keys: readonly string[],
  ): Promise<void> {
    const other = at === 'managed' ? managerKind : managedKind;
    const asked = managementAt(at).map((statement) =>
      this.pipeline.ask<{ managed: string; manager: string; id: string }>(statement, 'keys', keys, {
        label: [other.label],
      }),
    );
    for (const record of (await Promise.all(asked)).flat()) {
      const [managed, manager] = [record.get('managed'), record.get('manager')];
      const managerId = record.get('id');
      managing.note({ managed, managedKind, manager, managerKind, managerId });
    }
  }

  private async tags(
    managing: Managing,
    managed: NodeKind,
    keys: readonly string[],
  ): Promise<void> {
    const records = await this.pipeline.ask<{ managed: string; tag: string; id: string | null }>(
      MANAGER_TAGS_FOUND,
      'keys',
      keys,
    );
    for (const record of records) {
      const [tag, id] = [record.get('tag'), record.get('id')];
      // A tag that is not the tag of a manager marks nobody.
      const isManagers = id !== null && tag === keyOf(Tag.label, RESOURCE_MANAGERS, id);
      managing.noteTag(managed, record.get('managed'), tag, isManagers ? id : null);
    }
  }

  private async dateDrawn(): Promise<void> {
    const drawn = this.bound.derivedChanges.filter(({ change }) => change === 'created');
    for (const [type, ofType] of grouped(drawn, (one) => one.type)) {
      const pairs = ofType.map(({ from, to }) => [from, to]);
      await this.pipeline.send(dateDrawn(type), 'pairs', pairs, {
        at: toDateTime(this.words.at),
        dated: toDateTime(this.dated),
      });
    }
    await this.pipeline.drain();
  }

  private async ends(
    statement: string,
    keys: readonly string[],
  ): Promise<readonly { type: string; from: string; to: string }[]> {
    const records = await this.pipeline.ask<Pair & { type: string }>(statement, 'keys', keys, {
      dated: toDateTime(this.dated),
    });
    return records.map((record) => ({
      type: record.get('type'),
      from: record.get('start'),
      to: record.get('end'),
    }));
  }
}
