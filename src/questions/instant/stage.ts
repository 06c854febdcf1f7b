import type { Instant } from '../../model/instant';
import { PastRelationship } from '../../model/past-facts';
import type { NodeKind } from '../../model/table';
import { lookupsOf } from '../../rows/row/lookups';
import {
  ENDED_SINCE,
  PAST_VERSIONS,
  STAGE_PAST_FACTS,
  STAGE_PAST_NODES,
  STAGE_STANDING_FACTS,
  STAGE_STANDING_NODES,
  STAGE_VERSIONS,
} from '../statements/instant-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { fromGraph, toDateTime } from '../../neo4j/values';
import { kindOfKey, saidByKey } from '../../templates/graph/kind-of-key';
import { type Fact, nameOfFact, type PastFact, type Walked } from './walk';

type Said = Readonly<Record<string, unknown>>;

/**
 * The properties that the version of a node has itself. The other properties are those of the node.
 */
const OF_VERSIONS = ['label', 'from', 'until'];
/** The same of a relationship. `since` is its own. */
const OF_PAST_FACTS = Object.keys(PastRelationship.properties).filter((name) => name !== 'since');

const without = (said: Said, names: readonly string[]): Said =>
  Object.fromEntries(Object.entries(said).filter(([name]) => !names.includes(name)));

/** Writes what a walk found as nodes of their own. */
class Stage {
  /** Neo4j's ids of the staged nodes, by the keys of the nodes. */
  readonly ids = new Map<string, string>();
  private readonly pipeline: Pipeline;
  private readonly at: unknown;

  constructor(
    tx: Runner,
    at: Instant,
    private readonly prefix: string,
  ) {
    this.pipeline = new Pipeline(tx);
    this.at = toDateTime(at);
  }

  /**
   * Stages nodes. Neo4j reads the present nodes before the versions that ended. So a change in
   * between does not count.
   */
  async nodes(walked: Walked['nodes']): Promise<void> {
    const standing = [...walked].flatMap(([key, id]) =>
      id === null || kindOfKey(key) === null ? [] : [id],
    );
    await this.create(STAGE_STANDING_NODES, 'ids', standing);
    const versions = await this.versions([...walked.keys()]);
    const changed: object[] = [];
    const past: object[] = [];
    for (const key of walked.keys()) {
      const kind = kindOfKey(key);
      const [version, id] = [versions.get(key), this.ids.get(key)];
      if (kind === null) continue;
      if (version !== undefined) {
        const row = this.row(kind, key, version);
        if (id === undefined) past.push(row);
        else changed.push({ ...row, id });
      } else if (id === undefined && kind.keeper === 'shared') {
        past.push(this.row(kind, key, saidByKey(kind, key)));
      }
    }
    await Promise.all([
      this.pipeline.send(STAGE_VERSIONS, 'rows', changed, { at: this.at }),
      this.create(STAGE_PAST_NODES, 'rows', past),
    ]);
  }

  /** Stages the relationships of which both ends are staged. */
  async facts(facts: Walked['facts']): Promise<void> {
    const standing = new Map<string, Fact>();
    const rows: unknown[] = [];
    const past: PastFact[] = [];
    for (const fact of facts) {
      const [from, to] = [this.ids.get(fact.start), this.ids.get(fact.end)];
      if (from === undefined || to === undefined) continue;
      if ('id' in fact.held) {
        standing.set(fact.held.id, fact);
        rows.push([fact.held.id, from, to]);
      } else past.push(fact.held.properties);
    }
    const gone = await this.pipeline.ask<{ id: string }>(STAGE_STANDING_FACTS, 'rows', rows);
    await this.addEnded(
      gone.flatMap((record) => standing.get(record.get('id')) ?? []),
      past,
    );
    const staged = past.map((fact) => [
      ...[fact.type, this.ids.get(fact.start), this.ids.get(fact.end)],
      without(fact, OF_PAST_FACTS),
    ]);
    await this.pipeline.send(STAGE_PAST_FACTS, 'rows', staged);
    await this.pipeline.drain();
  }

  /** Adds the versions of relationships that existed during the walk, and have ended since. */
  private async addEnded(gone: readonly Fact[], past: PastFact[]): Promise<void> {
    const wanted = new Set(gone.map(nameOfFact));
    const rows = gone.map(({ type, start, end }) => [type, start, end]);
    const records = await this.pipeline.ask<{ fact: PastFact; apart: unknown }>(
      ENDED_SINCE,
      'rows',
      rows,
      { at: this.at },
    );
    for (const record of records) {
      const fact = record.get('fact');
      const { type, start, end } = fact;
      // Each is wanted once, although a row of its like may have found it too.
      if (wanted.delete(nameOfFact({ type, start, end, apart: record.get('apart') }))) {
        past.push(fact);
      }
    }
  }

  private async versions(keys: readonly string[]): Promise<ReadonlyMap<string, Said>> {
    const records = await this.pipeline.ask<{ key: string; properties: Said }>(
      PAST_VERSIONS,
      'keys',
      keys,
      { at: this.at },
    );
    return new Map(records.map((record) => [record.get('key'), record.get('properties')]));
  }

  private row(kind: NodeKind, key: string, properties: Said): object {
    const said = without(properties, OF_VERSIONS);
    const source = said.data_source;
    return {
      key,
      labels: [kind.label, ...kind.also],
      properties: {
        ...said,
        ...lookupsOf(kind, fromGraph(said)),
        key: this.prefix + key,
        ...(typeof source === 'string' ? { data_source: this.prefix + source } : {}),
      },
    };
  }

  private create(statement: string, name: string, items: readonly unknown[]): Promise<void> {
    return this.pipeline.each<{ key: string; id: string }>(
      statement,
      name,
      items,
      (records) => {
        for (const record of records) this.ids.set(record.get('key'), record.get('id'));
      },
      { at: this.at, prefix: this.prefix },
    );
  }
}

/**
 * Writes what a walk found once more, with a prefix before all keys, so that the statements of live
 * answers can read the graph of the instant. The caller rolls the transaction back. Returns Neo4j's
 * ids of the staged nodes by the keys without the prefix.
 */
export const stage = async (
  tx: Runner,
  at: Instant,
  { nodes, facts }: Walked,
  prefix: string,
): Promise<ReadonlyMap<string, string>> => {
  const staging = new Stage(tx, at, prefix);
  await staging.nodes(nodes);
  await staging.facts(facts);
  return staging.ids;
};
