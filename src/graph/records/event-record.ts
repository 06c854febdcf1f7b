import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { Graph } from '../connection/driver';
import { inTransaction, type Runner } from '../connection/transaction';

/** The key that acts. The key from the settings has no id. */
export interface Actor {
  readonly keyId: string | null;
  readonly name: string;
}

/** Why something failed (docs/rules.md: Events). */
export interface EventError {
  readonly reason: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly resolution: string;
  readonly request_id: string;
}

/** An event about a provider, a data source, a team key or the service (docs/rules.md: Events). */
export interface EventRecord {
  /** A UUID; also the key of the node. */
  readonly id: string;
  readonly timestamp: string;
  readonly category: 'INTEGRATIONS' | 'SYSTEM';
  readonly severity: 'INFO' | 'WARNING' | 'ERROR';
  readonly name: string;
  readonly message: string;
  readonly event_type: string;
  readonly entity: 'DATASOURCE' | 'PROVIDER' | 'TEAM_KEY' | 'SERVICE';
  readonly entity_id: string;
  readonly entity_name: string;
  /**
   * Empty if the event concerns no provider. Keys that are limited to providers never see such
   * events.
   */
  readonly provider_id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error?: EventError;
}

const WRITE_EVENT = `CREATE (event:Event {key: $id, timestamp: datetime($timestamp), unplaced: true})
SET event += $properties`;

/** Writes an event. It has no relationships, so it outlives the nodes that it is about. */
export const writeEvent = async (tx: Runner, event: EventRecord): Promise<void> => {
  const { timestamp, metadata, error, ...properties } = event;
  await tx.run(WRITE_EVENT, {
    id: event.id,
    timestamp,
    properties: {
      ...properties,
      metadata: JSON.stringify(metadata),
      error: error === undefined ? null : JSON.stringify(error),
    },
  });
};

/** Writes an event in a transaction of its own. */
export const graphEventWriter =
  (graph: Graph) =>
  (event: EventRecord): TaskEither<Failure, void> =>
    inTransaction(graph, { mode: 'write' }, (tx) => writeEvent(tx, event));
