import { seekEntity } from './seek';

/**
 * Takes the lock of a data source: the write lock on its node, which lasts to the end of the
 * transaction. `$data_source`, `$push`.
 */
export const LOCK_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source.lock = $push
RETURN source.key AS key`;

/** Reads a data source under its lock. `$data_source`. */
export const READ_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (large:LargePush {key: $data_source})
RETURN properties(source) AS source, properties(provider) AS provider, properties(large) AS large, coalesce(source.removal_allowed_until > datetime(), false) AS removal_allowed,
  EXISTS { MATCH (:ErasedNames {key: 'erased'}) } AS has_erased`;

/** Records the result of a push in its data source. `$data_source`, `$set`. */
export const RECORD_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source += $set
REMOVE source.lock, source.removal_allowed_until, source.half_written_by`;

/** Lets the removal guard pass the next push of a data source within an hour. `$data_source`. */
export const ALLOW_REMOVAL = `MATCH (source:DataSource {key: $data_source})
SET source.removal_allowed_until = datetime() + duration({hours: 1})
RETURN toString(source.removal_allowed_until) AS until`;

const united = (list: string): string =>
  `provider.${list} = COLLECT { UNWIND sources AS source UNWIND source.${list} AS type RETURN DISTINCT type ORDER BY type }`;

/**
 * Sets the types of a provider to those of all its data sources. This needs the derivation lock,
 * because a push to another data source may do the same. `$provider`.
 */
export const RECORD_TYPES = `MATCH (provider:Provider {key: $provider})
OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
WITH provider, collect(source) AS sources
SET ${['application_types', 'resource_types', 'idp_types'].map(united).join(', ')}`;

/**
 * Takes the derivation lock, under which one push at a time draws derived relationships
 * (docs/rules.md: Derived relationships). `$push`.
 */
export const LOCK_BINDING = `MATCH (lock:BindingLock {key: 'binding'})
SET lock.push = $push`;

/**
 * Counts up the commit sequence under the derivation lock. Each transaction that changes the graph
 * holds that lock until it commits. Its record says nothing yet, so processes load the access graph
 * again unless `TELL_ACCESS` says what changed (docs/architecture.md: Access in memory).
 */
export const TAKE_TURN = `MATCH (lock:BindingLock {key: 'binding'})
SET lock.turns = coalesce(lock.turns, 0) + 1
MERGE (commit:AccessCommit {key: toString(toInteger(lock.turns))})
SET commit.turn = lock.turns, commit.written = datetime.realtime('Z'), commit.at = null, commit.changes = null
RETURN lock.turns AS turn`;

/** Says all that a transaction changed in the access graph. `$key`: its number; `$at`, `$changes`. */
export const TELL_ACCESS = `MATCH (commit:AccessCommit {key: $key})
SET commit.at = $at, commit.changes = $changes`;

/** How many records of commits stay at most. */
const MOST_COMMITS = 100_000;

/** Removes some of the records of commits that every process has read. `$most`. */
export const REMOVE_READ_COMMITS = `MATCH (lock:BindingLock {key: 'binding'})
MATCH (commit:AccessCommit)
WHERE commit.turn < lock.turns - ${MOST_COMMITS} OR commit.written < datetime.realtime('Z') - duration({days: 1})
WITH commit
LIMIT $most
DETACH DELETE commit
RETURN count(*) AS removed`;

/** Removes some records of commits, since they name what an erasure has erased. `$most`. */
export const FORGET_COMMITS = `MATCH (commit:AccessCommit)
USING INDEX SEEK commit:AccessCommit(turn)
WHERE commit.turn > 0
WITH commit
LIMIT $most
DETACH DELETE commit
RETURN count(*) AS removed`;

/** Reads the commit sequence: how many pushes have changed the graph. */
export const READ_TURNS = `MATCH (lock:BindingLock {key: 'binding'})
RETURN coalesce(lock.turns, 0) AS turns`;

/**
 * The labels of which the graph has held nodes, among those that derived relationships join, and
 * what administrators say about claims of providers (docs/rules.md: Trusts).
 */
export const READ_BINDING_KINDS = `MATCH (lock:BindingLock {key: 'binding'})
OPTIONAL MATCH (provider:Provider {has_trusts: true})
RETURN lock.kinds AS kinds, collect(provider {.name, .trusted_domains, .trusted_only, .trusted_providers}) AS trusts`;

/** Adds labels to that list, under the derivation lock. `$kinds`. */
export const NOTE_BINDING_KINDS = `MATCH (lock:BindingLock {key: 'binding'})
SET lock.kinds = lock.kinds + $kinds`;

/** The identities by which no user or group of an identity provider is known. `$keys[0]`. */
export const UNMATCHED_IDENTITIES = `UNWIND $keys[0] AS key
OPTIONAL ${seekEntity('identity', 'key')}
WITH key, identity
WHERE identity IS NULL OR NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
RETURN collect(key) AS keys`;

/**
 * Employees without an account who have the id or email of users: the providers of these. `$keys[0]`.
 */
export const DOUBTFUL_ACCOUNTS = `UNWIND $keys[0] AS key
${seekEntity('employee', 'key')}
WHERE NOT EXISTS { (employee)-[:HAS_ACCOUNT]->(:IdpUser) }
RETURN employee.key AS key, employee.fold_only_id AS id,
  COLLECT {
    MATCH (user:IdpUser {fold_id: employee.fold_only_id}) RETURN user.provider AS provider
    UNION
    MATCH (user:IdpUser {fold_email: employee.fold_only_id}) RETURN user.provider AS provider
  } AS providers`;

/** The ARNs that no role has. `$keys[0]`. */
export const UNMATCHED_CLOUD_ROLES = `UNWIND $keys[0] AS key
OPTIONAL ${seekEntity('role', 'key')}
WITH key, role
WHERE role IS NULL OR NOT EXISTS { (role)-[:ACTS_AS]->() }
RETURN collect(key) AS keys`;

/**
 * Takes the locks of all data sources, in the order of their keys, to the end of the transaction.
 * `$holder`.
 */
export const LOCK_ALL_DATA_SOURCES = `MATCH (source:DataSource)
WITH source
ORDER BY source.key
SET source.lock = $holder
RETURN source.key AS key`;
