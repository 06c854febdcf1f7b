import neo4j from 'neo4j-driver';

import type { Counts, ListedPush } from '../../contract/answers/pushes';
import type { Problem } from '../../problem';
import type { Runner } from '../../neo4j/transaction';
import { foldedLookups } from '../../model/folded-texts';
import { Push } from '../../model/service-nodes';
import type { Actor } from './event-record';
import { type ListedWarnings, storedWarnings } from './push-warnings';

/** How many problems a push's record lists. It counts all of them. */
export const RECORDED_PROBLEMS = 100;

/** No nodes and no relationships. */
export const NO_COUNTS: Counts = { nodes: 0, relationships: 0 };

/** The record of a push (docs/rules.md: Nodes, Lists). */
export interface PushRecord {
  /** A UUID; also the key of the node. */
  readonly id: string;
  readonly dataSourceId: string;
  /** A UTC instant that no other push in the graph has (docs/rules.md: Nodes). */
  readonly at: string;
  readonly outcome: ListedPush['outcome'];
  /** The digest of the data source after the push; absent if the data source never held rows. */
  readonly digest?: string;
  readonly put: Counts;
  readonly removed: Counts;
  readonly warnings: ListedWarnings;
  readonly problems: readonly Problem[];
  /** How many problems there were, whether listed or not. */
  readonly problemCount: number;
  /** Seconds by step. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly requestId: string;
  /** The key that pushed; unset: the service itself, which imports an application. */
  readonly by?: Actor | undefined;
}

// While a chunked push is unfinished the data source stays PENDING, whatever another push does: its
// rows are neither those before the chunked push nor those after it.
const SET_PUSH = `SET push += $properties,
  source.status = CASE WHEN source.status = 'DELETING' THEN 'DELETING' WHEN source.pending_push IS NOT NULL THEN 'PENDING' WHEN $is_refused THEN 'ERROR' ELSE 'SUCCESS' END
RETURN push.id AS id`;

const WRITE_PUSH = `MATCH (source:DataSource {key: $dataSource})
CREATE (push:Push {key: $id, id: $id, at: datetime($at)})-[:FROM {since: datetime($at)}]->(source)
${SET_PUSH}`;

const FINISH_PUSH = `MATCH (push:Push {key: $id})-[:FROM]->(source:DataSource {key: $dataSource})
${SET_PUSH}`;

const { int } = neo4j;

/**
 * Writes the record of a push and sets the status of its data source. Gives `false` if the data
 * source is gone. `turn` is the commit sequence number. A chunked push has a record since it began
 * (`hasBegun`), which this updates.
 */
export const writePush = async (
  tx: Runner,
  push: PushRecord,
  turn: number | null = null,
  hasBegun = false,
): Promise<boolean> => {
  const seconds = Object.entries(push.seconds).map(([step, spent]): [string, number] => [
    `seconds_${step}`,
    spent,
  ]);
  const warnings = storedWarnings(push.warnings.listed);
  const written = await tx.run<{ id: string }>(hasBegun ? FINISH_PUSH : WRITE_PUSH, {
    dataSource: push.dataSourceId,
    id: push.id,
    at: push.at,
    is_refused: push.outcome === 'refused' || push.outcome === 'failed',
    properties: {
      outcome: push.outcome,
      digest: push.digest ?? null,
      turn: turn === null ? null : int(turn),
      nodes_put: int(push.put.nodes),
      relationships_put: int(push.put.relationships),
      nodes_removed: int(push.removed.nodes),
      relationships_removed: int(push.removed.relationships),
      warnings: warnings.messages,
      warning_details: push.warnings.count === 0 ? null : warnings.details,
      warning_count: int(push.warnings.count),
      problems: JSON.stringify(push.problems.slice(0, RECORDED_PROBLEMS)),
      problem_count: int(push.problemCount),
      request_id: push.requestId,
      key_id: push.by?.keyId ?? null,
      key_name: push.by?.name ?? null,
      ...foldedLookups(Push, { key_name: push.by?.name }),
      client_address: push.by?.address ?? null,
      ...Object.fromEntries(seconds),
    },
  });
  return written.records.length === 1;
};
