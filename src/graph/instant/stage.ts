import type { Instant } from '../../model/instant';
import { unescapePart } from '../../model/key';
import type { NodeKind } from '../../model/table';
import { lookupsOf } from '../../rows/row/lookups';
import {
  PAST_VERSIONS,
  STAGE_PAST_FACTS,
  STAGE_PAST_NODES,
  STAGE_STANDING_FACTS,
  STAGE_STANDING_NODES,
} from '../../translate/questions/instant-statements';
import type { Runner } from '../connection/transaction';
import { fromGraph, toDateTime } from '../connection/values';
import { inPieces, kindOfKey, type Walked } from './walk';

type Said = Readonly<Record<string, unknown>>;

/** What a past fact tells about itself. The other properties are those of what ended. */
const OF_VERSIONS = ['label', 'from', 'until'];
const OF_PAST_FACTS = ['type', 'start', 'start_label', 'end', 'end_label', 'data_source'];

const without = (said: Said, names: readonly string[]): Said =>
  Object.fromEntries(Object.entries(said).filter(([name]) => !names.includes(name)));

/** A shared node that is gone. Its key tells what it said. */
const sharedNode = (kind: NodeKind, key: string): Said => {
  const parts = key.split('|').slice(1).map(unescapePart);
  return Object.fromEntries(Object.keys(kind.properties).map((name, at) => [name, parts[at]]));
};

/** Writes what a walk found as nodes of their own. */
class Stage {
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly tx: Runner,
    private readonly at: Instant,
    private readonly prefix: string,
  ) {}

  async nodes(walked: Walked['nodes']): Promise<void> {
    const standing: string[] = [];
    const rows: object[] = [];
    const versions = await this.versions([...walked.keys()]);
    for (const [key, id] of walked) {
      const kind = kindOfKey(key);
      const version = versions.get(key);
      if (kind === null) continue;
      if (version !== undefined) rows.push(this.row(kind, key, version));
      else if (id !== null) standing.push(id);
      else if (kind.keeper === 'shared') rows.push(this.row(kind, key, sharedNode(kind, key)));
    }
    const at = toDateTime(this.at);
    for (const ids of inPieces(standing)) {
      await this.create(STAGE_STANDING_NODES, { ids, at, prefix: this.prefix });
    }
    for (const some of inPieces(rows)) await this.create(STAGE_PAST_NODES, { rows: some, at });
  }

  /** Stages the relationships of which both ends are staged. */
  async facts(facts: Walked['facts']): Promise<void> {
    const standing: unknown[] = [];
    const past: unknown[] = [];
    for (const { type, start, end, held } of facts) {
      const [from, to] = [this.ids.get(start), this.ids.get(end)];
      if (from === undefined || to === undefined) continue;
      if ('id' in held) standing.push([held.id, from, to]);
      else {
        const said = without(held.properties, [...OF_VERSIONS, ...OF_PAST_FACTS]);
        past.push([type, from, to, said]);
      }
    }
    for (const rows of inPieces(standing)) await this.tx.run(STAGE_STANDING_FACTS, { rows });
    for (const rows of inPieces(past)) await this.tx.run(STAGE_PAST_FACTS, { rows });
  }

  private async versions(keys: readonly string[]): Promise<ReadonlyMap<string, Said>> {
    const versions = new Map<string, Said>();
    for (const some of inPieces(keys)) {
      const { records } = await this.tx.run<{ key: string; properties: Said }>(PAST_VERSIONS, {
        keys: some,
        at: toDateTime(this.at),
      });
      for (const record of records) versions.set(record.get('key'), record.get('properties'));
    }
    return versions;
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

  private async create(statement: string, parameters: Said): Promise<void> {
    const { records } = await this.tx.run<{ key: string; id: string }>(statement, parameters);
    for (const record of records) this.ids.set(record.get('key'), record.get('id'));
  }
}

/**
 * Writes what a walk found once more, with a prefix before all keys, so that the statements of live
 * answers can read the graph of then. The caller rolls the transaction back.
 */
export const stage = async (
  tx: Runner,
  at: Instant,
  { nodes, facts }: Walked,
  prefix: string,
): Promise<void> => {
  const staging = new Stage(tx, at, prefix);
  await staging.nodes(nodes);
  await staging.facts(facts);
};
