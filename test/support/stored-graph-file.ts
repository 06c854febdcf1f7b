import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import neo4j from 'neo4j-driver';

import type { Graph } from '../../src/graph/connection/driver';
import { toDateTime } from '../../src/graph/connection/values';
import { parseInstant } from '../../src/model/instant';

type Properties = Readonly<Record<string, unknown>>;

/** A graph as `scripts/dump-store.mjs` writes it down. */
interface StoredGraph {
  readonly nodes: readonly (readonly [labels: readonly string[], properties: Properties])[];
  readonly relationships: readonly (readonly [
    from: number,
    type: string,
    to: number,
    properties: Properties,
  ])[];
}

const valueOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(valueOf);
  if (typeof value !== 'object' || value === null) return value;
  if ('integer' in value) return neo4j.int(String(value.integer));
  const instant = 'time' in value ? parseInstant(String(value.time)) : null;
  if (instant === null) throw new Error(`${JSON.stringify(value)} is no value`);
  return toDateTime(instant);
};

const valuesOf = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, valueOf(value)]));

/** Puts a graph that `scripts/dump-store.mjs` wrote down into an empty Neo4j. */
export const loadStoredGraph = async ({ driver, database }: Graph, file: string): Promise<void> => {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const { nodes, relationships } = JSON.parse(text) as StoredGraph;
  const { records } = await driver.executeQuery(
    `UNWIND $nodes AS node
CREATE (n:$(node.labels))
SET n = node.properties
WITH collect(elementId(n)) AS ids
RETURN ids`,
    { nodes: nodes.map(([labels, properties]) => ({ labels, properties: valuesOf(properties) })) },
    { database },
  );
  const ids = records[0]?.get('ids') as readonly string[];
  const rows = relationships.map(([from, type, to, properties]) => ({
    ...{ from: ids[from], type, to: ids[to] },
    properties: valuesOf(properties),
  }));
  await driver.executeQuery(
    `UNWIND $rows AS row
MATCH (a) WHERE elementId(a) = row.from
MATCH (b) WHERE elementId(b) = row.to
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties`,
    { rows },
    { database },
  );
};
