import type { TaskEither } from 'fp-ts/TaskEither';

import type { TeamKeyScope } from '../../contract/team-key';
import { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Graph } from '../connection/driver';
import { inTransaction, type Runner } from '../connection/transaction';
import { fromGraph } from '../connection/values';

/** A key with which a connector or person signs in, as callers see it (api.md 1). */
export interface TeamKey {
  readonly id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly scopes: readonly TeamKeyScope[];
  /** Ids of the providers that it is limited to; empty: all. */
  readonly providers: readonly string[];
  readonly created_at: string;
}

/** What can be changed of a key; what is absent stays. */
export type TeamKeyChanges = Partial<Pick<TeamKey, 'name' | 'status' | 'scopes' | 'providers'>>;

/** The keys that the graph keeps; of a key itself only its hash. */
export interface TeamKeys {
  add(key: TeamKey, hash: string): TaskEither<Failure, void>;
  list(): TaskEither<Failure, readonly TeamKey[]>;
  find(id: string): TaskEither<Failure, TeamKey | null>;
  /** The key of this hash, also a revoked one. */
  findByHash(hash: string): TaskEither<Failure, TeamKey | null>;
  /** Changes a key, and gives it as it then is; `null` if there is none. */
  change(id: string, changes: TeamKeyChanges): TaskEither<Failure, TeamKey | null>;
  /** Removes a key; gives whether it was there. */
  remove(id: string): TaskEither<Failure, boolean>;
  /** Which of some ids no provider has. */
  unknownProviders(ids: readonly string[]): TaskEither<Failure, readonly string[]>;
}

const ADD_KEY = `CREATE (key:TeamKey {key: $id, since: datetime($at)})
SET key += $properties`;

const LIST_KEYS = `MATCH (key:TeamKey)
RETURN properties(key) AS key`;

const FIND_KEY = `MATCH (key:TeamKey {key: $id})
RETURN properties(key) AS key`;

const FIND_KEY_BY_HASH = `MATCH (key:TeamKey {fold_hash: $hash})
RETURN properties(key) AS key`;

const CHANGE_KEY = `MATCH (key:TeamKey {key: $id})
SET key += $changes
RETURN properties(key) AS key`;

const REMOVE_KEY = `MATCH (key:TeamKey {key: $id})
DELETE key
RETURN count(*) AS removed`;

const UNKNOWN_PROVIDERS = `UNWIND $ids AS id
OPTIONAL MATCH (provider:Provider {key: id})
WITH id, provider
WHERE provider IS NULL
RETURN id`;

// Reads go to a cluster's leader too: a key that was revoked lets nobody in.
const LATEST = { mode: 'write' } as const;

type Stored = Readonly<Record<string, unknown>>;

const toTeamKey = (stored: Stored): TeamKey => {
  const { since, ...properties } = fromGraph(stored);
  const {
    id,
    name,
    status = 'ACTIVE',
    scopes = [],
    providers = [],
  } = properties as Partial<TeamKey> & Pick<TeamKey, 'id' | 'name'>;
  const created_at = since instanceof Instant ? since.utc : '';
  return { id, name, status, scopes, providers, created_at };
};

const oneKey = async (
  tx: Runner,
  statement: string,
  parameters: Stored,
): Promise<TeamKey | null> => {
  const [record] = (await tx.run<{ key: Stored }>(statement, parameters)).records;
  return record === undefined ? null : toTeamKey(record.get('key'));
};

/** The team keys of the graph. */
export const graphTeamKeys = (graph: Graph): TeamKeys => ({
  add: ({ created_at, ...properties }, hash) =>
    inTransaction(graph, LATEST, async (tx) => {
      await tx.run(ADD_KEY, {
        id: properties.id,
        at: created_at,
        properties: { ...properties, fold_hash: hash },
      });
    }),

  list: () =>
    inTransaction(graph, LATEST, async (tx) =>
      (await tx.run<{ key: Stored }>(LIST_KEYS)).records.map((record) =>
        toTeamKey(record.get('key')),
      ),
    ),

  find: (id) => inTransaction(graph, LATEST, (tx) => oneKey(tx, FIND_KEY, { id })),

  findByHash: (hash) =>
    inTransaction(graph, LATEST, (tx) => oneKey(tx, FIND_KEY_BY_HASH, { hash })),

  change: (id, changes) =>
    inTransaction(graph, LATEST, (tx) => oneKey(tx, CHANGE_KEY, { id, changes })),

  remove: (id) =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ removed: unknown }>(REMOVE_KEY, { id });
      return Number(records[0]?.get('removed')) === 1;
    }),

  unknownProviders: (ids) =>
    inTransaction(graph, LATEST, async (tx) =>
      (await tx.run<{ id: string }>(UNKNOWN_PROVIDERS, { ids })).records.map((record) =>
        record.get('id'),
      ),
    ),
});
