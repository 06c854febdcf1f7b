import { ENTITY, type NodeKind } from '../../model/table';

/** Which Neo4j this is, and what time it is there. */
export const READ_SERVER = `CALL dbms.components() YIELD name, versions
WITH name, versions
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, toString(datetime.realtime('Z')) AS now`;

/** Acquires the lock of backups to the end of the transaction. */
export const LOCK_BACKUP = `MERGE (lock:BackupLock {key: 'backup'})
SET lock.lock = true
REMOVE lock.lock`;

/** Reads all nodes of a label with the relationships that leave them. Only for kinds of the service. */
export const readServiceNodes = ({ label }: NodeKind): string => `MATCH (n:${label})
RETURN labels(n) AS labels, properties(n) AS properties, [(n)-[r]->(m) | [type(r), labels(m), m.key, properties(r)]] AS links`;

/** Reads all nodes of a label. */
export const readNodes = ({ label }: Pick<NodeKind, 'label'>): string => `MATCH (n:${label})
RETURN labels(n) AS labels, properties(n) AS properties`;

/** Reads all relationships that leave nodes of a label. */
export const readRelationships = ({ label }: NodeKind): string => `MATCH (a:${label})-[r]->(b)
RETURN labels(a) AS from_labels, a.key AS from, a.data_source AS from_source, type(r) AS type, labels(b) AS to_labels, b.key AS to, b.data_source AS to_source, properties(r) AS properties`;

/** Counts all nodes of the database. */
export const COUNT_NODES = 'MATCH (n) RETURN count(n) AS number';

/** Counts all relationships of the database. */
export const COUNT_RELATIONSHIPS = 'MATCH ()-[r]->() RETURN count(r) AS number';

/** Counts the nodes that a restore would mix with its own. Those that each start of the service makes do not count. */
export const COUNT_OTHERS = `MATCH (n)
WHERE NOT n:BindingLock AND NOT n:BackupLock AND NOT n:EventOrder AND NOT n:Store
RETURN count(n) AS number`;

/** Reads whether a restore is unfinished. */
export const READ_RESTORING = `MATCH (store:Store {key: 'store'})
WHERE store.restoring IS NOT NULL
RETURN store.restoring AS restoring`;

/** Notes that a restore begins. `$version`: the store version of the backup; `$release`: the release that wrote it. */
export const BEGIN_RESTORE = `MERGE (store:Store {key: 'store'})
SET store.version = $version, store.release = $release, store.restoring = datetime()`;

/** Revokes the team keys that let somebody in. */
export const REVOKE_KEYS = `MATCH (key:TeamKey {status: 'ACTIVE'})
WHERE key.expires_at IS NULL OR key.expires_at > datetime()
SET key.status = 'INACTIVE'
RETURN key.id AS id, key.name AS name
ORDER BY name, id`;

/** What a restored graph would do by itself, and what it lets providers claim. */
export const WHAT_WAITS = `RETURN
  COUNT { MATCH (policy:LifecyclePolicy) WHERE policy.state <> 'off' } AS policies,
  COUNT { MATCH (import:ScimImport) WHERE import.next_at IS NOT NULL } AS imports,
  COUNT { MATCH (provider:Provider) WHERE provider.has_trusts } AS trusts`;

/**
 * Notes that a restore is finished, and that policies and timed imports wait. `$history_since`: what
 * the backup says about its history; `$keys`: ids of the keys that the restore revoked.
 */
export const END_RESTORE = `MATCH (store:Store {key: 'store'})
SET store.history_since = datetime($history_since), store.restored = datetime(),
  store.paused = datetime(), store.restored_keys = $keys
REMOVE store.restoring`;

/** The last restore, and which of the keys that it revoked are still revoked. */
export const READ_RESTORED = `MATCH (store:Store {key: 'store'})
OPTIONAL MATCH (key:TeamKey {status: 'INACTIVE'})
WHERE key.id IN store.restored_keys
WITH store, key
ORDER BY key.name, key.id
RETURN store.restored AS restored, store.paused AS paused, collect(key {.id, .name}) AS keys`;

/** Starts policies and timed imports again after a restore. It returns nothing if they do not wait. */
export const END_PAUSE = `MATCH (store:Store {key: 'store'})
WHERE store.paused IS NOT NULL
REMOVE store.paused
RETURN true AS started`;

/** Removes some relationships. `$most`. */
export const REMOVE_SOME_RELATIONSHIPS = `MATCH ()-[r]->()
WITH r
LIMIT $most
DELETE r
RETURN count(*) AS removed`;

/** Removes some nodes, but not the one that says that a restore is unfinished. `$most`. */
export const REMOVE_SOME_NODES = `MATCH (n)
WHERE NOT n:Store
WITH n
LIMIT $most
DELETE n
RETURN count(*) AS removed`;

/** Creates nodes. `$rows`: `[labels, properties]`. */
export const CREATE_NODES = `UNWIND $rows AS row
CREATE (n:$(row[0]))
SET n = row[1]
RETURN count(n) AS number`;

/** Sets the node of a label that has only one, which may be there already. `$rows`: as above. */
export const setSingleNode = ({ label }: NodeKind): string => `UNWIND $rows AS row
MERGE (n:${label} {key: row[1].key})
SET n = row[1]
RETURN count(n) AS number`;

/** The label in which the key of a node is unique. */
const keyedBy = ({ label, keeper }: NodeKind): string =>
  keeper === 'row' || keeper === 'shared' ? ENTITY : label;

/** Draws relationships between nodes of two kinds. `$rows`: `[from, type, to, properties]`. */
export const drawRelationships = (from: NodeKind, to: NodeKind): string => `UNWIND $rows AS row
MATCH (a:${keyedBy(from)} {key: row[0]})
MATCH (b:${keyedBy(to)} {key: row[2]})
CREATE (a)-[r:$(row[1])]->(b)
SET r = row[3]
RETURN count(r) AS number`;
