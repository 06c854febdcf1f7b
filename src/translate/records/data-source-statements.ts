import { CloudRole, Identity } from '../../model/shared-nodes';
import { seek } from '../clauses/seek';

/** Takes the data source's lock: the write lock on its node, held to the end of the transaction; `$data_source`, `$push`. */
export const LOCK_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source.lock = $push
RETURN source.key AS key`;

/** The data source as it stands, read under its lock; `$data_source`. */
export const READ_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (large:LargePush {key: $data_source})
RETURN properties(source) AS source, properties(provider) AS provider, properties(large) AS large, coalesce(source.removal_allowed_until > datetime(), false) AS removal_allowed`;

/** Records what a push left; `$data_source`, `$set`. */
export const RECORD_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source += $set
REMOVE source.lock, source.removal_allowed_until, source.half_written_by`;

/** Lets the next push of a data source within an hour remove as much as it wants; `$data_source`. */
export const ALLOW_REMOVAL = `MATCH (source:DataSource {key: $data_source})
SET source.removal_allowed_until = datetime() + duration({hours: 1})
RETURN toString(source.removal_allowed_until) AS until`;

const united = (list: string): string =>
  `provider.${list} = COLLECT { UNWIND sources AS source UNWIND source.${list} AS type RETURN DISTINCT type ORDER BY type }`;

/** Makes the provider's types those of all its data sources, under the binding lock: another may record its own; `$provider`. */
export const RECORD_TYPES = `MATCH (provider:Provider {key: $provider})
OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
WITH provider, collect(source) AS sources
SET ${['application_types', 'resource_types', 'idp_types'].map(united).join(', ')}`;

/** Takes the binding lock, which orders pushes that draw derived relationships (docs/rules.md: Derived relationships); `$push`. */
export const LOCK_BINDING = `MATCH (lock:BindingLock {key: 'binding'})
SET lock.push = $push`;

/** Counts the pushes that have changed the graph, under the binding lock, which each of them holds to its commit. */
export const TAKE_TURN = `MATCH (lock:BindingLock {key: 'binding'})
SET lock.turns = coalesce(lock.turns, 0) + 1
RETURN lock.turns AS turn`;

/** How many pushes have changed the graph so far. */
export const READ_TURNS = `MATCH (lock:BindingLock {key: 'binding'})
RETURN coalesce(lock.turns, 0) AS turns`;

/** The labels that have stood among those that derived relationships join; `null` where an older release made the lock. */
export const READ_BINDING_KINDS = `MATCH (lock:BindingLock {key: 'binding'})
RETURN lock.kinds AS kinds`;

/** Notes labels that come to stand, under the binding lock; `$kinds`. */
export const NOTE_BINDING_KINDS = `MATCH (lock:BindingLock {key: 'binding'})
SET lock.kinds = lock.kinds + $kinds`;

/** Which identities no user or group of an identity provider is known as; `$keys[0]`. */
export const UNMATCHED_IDENTITIES = `UNWIND $keys[0] AS key
OPTIONAL ${seek('identity', Identity, 'key', 'key')}
WITH key, identity
WHERE identity IS NULL OR NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
RETURN collect(key) AS keys`;

/** Which ARNs no role has; `$keys[0]`. */
export const UNMATCHED_CLOUD_ROLES = `UNWIND $keys[0] AS key
OPTIONAL ${seek('role', CloudRole, 'key', 'key')}
WITH key, role
WHERE role IS NULL OR NOT EXISTS { (role)-[:ACTS_AS]->() }
RETURN collect(key) AS keys`;
