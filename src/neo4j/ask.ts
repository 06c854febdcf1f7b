import neo4j from 'neo4j-driver';

import type { Graph } from './driver';
import { runTransaction } from './transaction';
import { toInstant } from './values';

/** One row of an answer, by column; times are RFC 3339 text, integers are numbers. */
export type Answer = Readonly<Record<string, unknown>>;

const plain = (value: unknown): unknown => {
  if (neo4j.isInt(value)) return value.toNumber();
  if (neo4j.isDateTime(value)) return toInstant(value).utc;
  return Array.isArray(value) ? value.map(plain) : value;
};

/** Runs a reading Cypher query. */
export const ask = async (
  graph: Graph,
  cypher: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<readonly Answer[]> => {
  const { records } = await runTransaction(graph, { mode: 'read' }, (tx) =>
    tx.run(cypher, parameters),
  );
  return records.map((record) =>
    Object.fromEntries(record.keys.map((key) => [String(key), plain(record.get(key))])),
  );
};
