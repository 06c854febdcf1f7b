import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { STAYING_PROVIDER } from '../../translate/clauses/provider-lock';
import type { Graph } from '../connection/driver';
import { inTransaction, LATEST, runTransaction } from '../connection/transaction';
import { fromGraph, utcOf } from '../connection/values';
import { type EventRecord, writeEvent } from '../records/event-record';
import { changeWithEvent, orNoProvider } from '../records/of-provider';

/** A connection as the graph holds it. Its secrets are sealed. */
export interface StoredConnection {
  readonly base_url: string;
  /** JSON without secrets. */
  readonly authentication: string;
  readonly secrets: string;
  /** JSON. */
  readonly attributes: string;
  /** JSON. */
  readonly profile: string;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339. */
  readonly changed: string;
}

/** A sealed secret, and all that its seal covers. */
export interface SealedConnection extends Pick<
  StoredConnection,
  'base_url' | 'authentication' | 'secrets'
> {
  readonly provider: string;
}

/** A user of an identity provider, as the graph holds it. */
export interface StoredPerson {
  readonly key: string;
  /** The provider that pushed it. */
  readonly provider: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The connections to applications, and the people who get accounts in them. */
export interface ScimConnections {
  /** The connection of a provider; null if it has none. */
  find(providerId: string): TE.TaskEither<Failure, StoredConnection | null>;
  /** Sets the connection of a provider. Fails if the provider is gone. */
  set(
    providerId: string,
    connection: Omit<StoredConnection, 'since' | 'changed'>,
    event: EventRecord,
  ): TE.TaskEither<Failure, StoredConnection>;
  /** Removes the connection of a provider; gives whether there was one. */
  remove(providerId: string, event: EventRecord): TE.TaskEither<Failure, boolean>;
  /** Finds a user of an identity provider by the key of its node; null if there is none. */
  person(key: string): TE.TaskEither<Failure, StoredPerson | null>;
}

const FIND = `MATCH (connection:ScimConnection {key: $provider})
RETURN properties(connection) AS connection`;

const SET = `${STAYING_PROVIDER}
MERGE (connection:ScimConnection {key: provider.key})
ON CREATE SET connection.since = datetime($at)
SET connection += $properties, connection.changed = datetime($at)
RETURN properties(connection) AS connection`;

const REMOVE = `MATCH (connection:ScimConnection {key: $provider})
DELETE connection
RETURN $provider AS provider`;

const FIND_PERSON = `MATCH (user:IdpUser {key: $key})
MATCH (source:DataSource {key: user.data_source})-[:FROM]->(provider:Provider)
RETURN properties(user) AS user, provider.key AS provider`;

const LOCK_ALL = `MATCH (connection:ScimConnection)
SET connection.changed = connection.changed
RETURN connection.key AS provider, connection.secrets AS secrets,
  connection.base_url AS base_url, connection.authentication AS authentication`;

const RESEAL = `MATCH (connection:ScimConnection {key: $provider})
SET connection.secrets = $secrets`;

type Stored = Readonly<Record<string, unknown>>;

const toConnection = (stored: Stored): StoredConnection => {
  const { since, changed, ...texts } = fromGraph(stored);
  const { base_url, authentication, secrets, attributes, profile } =
    texts as unknown as StoredConnection;
  return {
    ...{ base_url, authentication, secrets, attributes, profile },
    ...{ since: utcOf(since) ?? '', changed: utcOf(changed) ?? '' },
  };
};

/** The connections of the graph. */
export const graphScimConnections = (graph: Graph): ScimConnections => ({
  find: (provider) =>
    inTransaction(graph, LATEST, async (tx) => {
      const [record] = (await tx.run<{ connection: Stored }>(FIND, { provider })).records;
      return record === undefined ? null : toConnection(record.get('connection'));
    }),

  set: (provider, properties, event) =>
    pipe(
      changeWithEvent(graph, SET, { provider, properties, at: event.timestamp }, event),
      TE.flatMap(orNoProvider),
      TE.map((record) => toConnection(record.get('connection') as Stored)),
    ),

  remove: (provider, event) =>
    pipe(
      changeWithEvent(graph, REMOVE, { provider }, event),
      TE.map((record) => record !== null),
    ),

  person: (key) =>
    inTransaction(graph, LATEST, async (tx) => {
      const [record] = (await tx.run<{ user: Stored; provider: string }>(FIND_PERSON, { key }))
        .records;
      if (record === undefined) return null;
      return {
        key,
        provider: record.get('provider'),
        properties: fromGraph(record.get('user')),
      };
    }),
});

/**
 * Seals the secrets of all connections anew, in one transaction. `reseal` gives null for those that
 * need nothing. Gives how many were sealed anew.
 */
export const resealConnections = (
  graph: Graph,
  reseal: (connection: SealedConnection) => string | null,
  tell: (count: number) => EventRecord,
): Promise<number> =>
  runTransaction(graph, LATEST, async (tx) => {
    const { records } = await tx.run<SealedConnection>(LOCK_ALL);
    let count = 0;
    for (const record of records) {
      const { provider, ...sealed } = record.toObject();
      const secrets = reseal({ provider, ...sealed });
      if (secrets === null) continue;
      await tx.run(RESEAL, { provider, secrets });
      count += 1;
    }
    if (count > 0) await writeEvent(tx, tell(count));
    return count;
  });
