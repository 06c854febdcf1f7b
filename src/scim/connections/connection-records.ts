import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { STAYING_PROVIDER } from '../../graph/statements/provider-lock';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST, runTransaction } from '../../neo4j/transaction';
import { fromGraph, utcOf } from '../../neo4j/values';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { changeWithEvent, orNoProvider } from '../../graph/records/of-provider';

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

/**
 * The secrets of a connection, sealed with another key; null if they are so already; the fault of
 * secrets that do not open.
 */
export type Resealed = string | Error | null;

/** A connection whose secrets do not open. */
export interface DamagedSecret {
  readonly provider: string;
  readonly fault: Error;
}

/** The result of a change of the key of secrets. */
export interface Rotation {
  /** How many connections have the new key. */
  readonly count: number;
  readonly damaged: readonly DamagedSecret[];
}

/** A user of an identity provider, as the graph holds it. */
export interface StoredPerson {
  readonly key: string;
  /** The provider that pushed it. */
  readonly provider: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** What is known of their account in the application. */
  readonly known: KnownAccount;
}

/** What the service knows of a person's account in an application. */
export interface KnownAccount {
  /** Its id; null if the application has given none. */
  readonly account: string | null;
  /** Ids that the application gave it before, the newest first. */
  readonly former: readonly string[];
  /** Whether the application said that it made the account, and nobody has seen it since. */
  readonly isCreating: boolean;
  /** Attributes that the application did not store, and digests of these with their values. */
  readonly ignored: readonly string[];
  readonly ignoredValues: readonly string[];
}

/** An account that a policy manages for a person. */
export interface AccountOfPolicy {
  readonly person: string;
  /** The id of the policy. */
  readonly policy: string;
  /** Ids that the application gave it, the newest first. */
  readonly ids: readonly string[];
  readonly externalId: string | null;
  readonly userName: string | null;
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

const FIND_PERSON = `MATCH (user:Entity {key: $key})
WHERE user:IdpUser
MATCH (source:DataSource {key: user.data_source})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (account:ManagedAccount {key: $application + '|' + $key})
RETURN properties(user) AS user, provider.key AS provider, properties(account) AS account`;

const KEPT = `MATCH (account:ManagedAccount {provider: $provider})
WHERE account.policy <> '' AND NOT account.state IN ['DELETED', 'RELEASED']
  AND (account.account IS NOT NULL OR account.is_creating OR size(account.former) > 0)
RETURN account.person AS person, account.policy AS policy, account.account AS account,
  account.former AS former, account.external_id AS external_id, account.user_name AS user_name`;

// A policy writes its own records. What was done by hand is that of no policy.
const REMEMBER = `MATCH (user:Entity {key: $person})
WHERE user:IdpUser
MERGE (account:ManagedAccount {key: $provider + '|' + $person})
ON CREATE SET account.provider = $provider, account.person = $person, account.policy = '',
  account.state = 'RELEASED', account.is_adopted = false, account.groups = [],
  account.unsure_groups = [], account.since = datetime($at), account.until = datetime($at)
WITH user, account
WHERE account.state IN ['RELEASED', 'DELETED']
SET account += $set, account.state = 'RELEASED'
MERGE (account)-[:ACCOUNT_OF]->(user)`;

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
    base_url,
    authentication,
    secrets,
    attributes,
    profile,
    since: utcOf(since) ?? '',
    changed: utcOf(changed) ?? '',
  };
};

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

const toKnown = (stored: Stored): KnownAccount => {
  const { account, former, is_creating, ignored, ignored_values } = fromGraph(stored) as Stored;
  return {
    account: typeof account === 'string' ? account : null,
    former: textsOf(former),
    isCreating: is_creating === true,
    ignored: textsOf(ignored),
    ignoredValues: textsOf(ignored_values),
  };
};

/** The connections of the graph. */
export const graphScimConnections = (graph: Graph) => ({
  /** The connection of a provider; null if it has none. */
  find: (provider: string): TE.TaskEither<Failure, StoredConnection | null> =>
    inTransaction(graph, LATEST, async (tx) => {
      const [record] = (await tx.run<{ connection: Stored }>(FIND, { provider })).records;
      return record === undefined ? null : toConnection(record.get('connection'));
    }),

  /** Sets the connection of a provider. Fails if the provider is gone. */
  set: (
    provider: string,
    properties: Omit<StoredConnection, 'since' | 'changed'>,
    event: EventRecord,
  ): TE.TaskEither<Failure, StoredConnection> =>
    pipe(
      changeWithEvent(graph, SET, { provider, properties, at: event.timestamp }, event),
      TE.flatMap(orNoProvider),
      TE.map((record) => toConnection(record.get('connection') as Stored)),
    ),

  /** Removes the connection of a provider; gives whether there was one. */
  remove: (provider: string, event: EventRecord): TE.TaskEither<Failure, boolean> =>
    pipe(
      changeWithEvent(graph, REMOVE, { provider }, event),
      TE.map((record) => record !== null),
    ),

  /**
   * Finds a user of an identity provider by the key of its node, with what is known of their account
   * in the application of a provider; null if there is none.
   */
  person: (key: string, application: string): TE.TaskEither<Failure, StoredPerson | null> =>
    inTransaction(graph, LATEST, async (tx) => {
      const [record] = (
        await tx.run<{ user: Stored; provider: string; account: Stored | null }>(FIND_PERSON, {
          key,
          application,
        })
      ).records;
      if (record === undefined) return null;
      return {
        key,
        provider: record.get('provider'),
        properties: fromGraph(record.get('user')),
        known: toKnown(record.get('account') ?? {}),
      };
    }),

  /** The accounts in the application of a provider that policies manage for people. */
  managed: (provider: string): TE.TaskEither<Failure, readonly AccountOfPolicy[]> =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{
        person: string;
        policy: string;
        account: string | null;
        former: readonly string[];
        external_id: string | null;
        user_name: string | null;
      }>(KEPT, { provider });
      return records.map((record) => {
        const account = record.get('account');
        return {
          person: record.get('person'),
          policy: record.get('policy'),
          ids: [...(account === null ? [] : [account]), ...record.get('former')],
          externalId: record.get('external_id'),
          userName: record.get('user_name'),
        };
      });
    }),

  /** Remembers the account of a person, unless a policy manages it. */
  remember: (
    provider: string,
    person: string,
    { account, former, isCreating, ignored, ignoredValues }: KnownAccount,
  ): TE.TaskEither<Failure, void> =>
    inTransaction(graph, LATEST, async (tx) => {
      await tx.run(REMEMBER, {
        provider,
        person,
        at: new Date().toISOString(),
        set: {
          account,
          former,
          ignored,
          ignored_values: ignoredValues,
          is_creating: isCreating ? true : null,
        },
      });
    }),
});

/** The connections to applications, and the people who get accounts in them. */
export type ScimConnections = ReturnType<typeof graphScimConnections>;

/**
 * Seals the secrets of all connections again, in one transaction. If one does not open, it does not
 * change, and the others go on. If none opens, the old key is a wrong one; then it throws.
 */
export const resealConnections = (
  graph: Graph,
  reseal: (connection: SealedConnection) => Resealed,
  tell: (rotation: Rotation) => EventRecord,
): Promise<Rotation> =>
  runTransaction(graph, LATEST, async (tx) => {
    const { records } = await tx.run<SealedConnection>(LOCK_ALL);
    const damaged: DamagedSecret[] = [];
    let count = 0;
    for (const record of records) {
      const { provider, ...sealed } = record.toObject();
      const secrets = reseal({ provider, ...sealed });
      if (secrets === null) continue;
      if (typeof secrets === 'string') {
        await tx.run(RESEAL, { provider, secrets });
        count += 1;
      } else damaged.push({ provider, fault: secrets });
    }
    const [first] = damaged;
    if (first !== undefined && damaged.length === records.length) throw first.fault;
    const rotation = { count, damaged };
    if (count > 0) await writeEvent(tx, tell(rotation));
    return rotation;
  });
