import { ENTITY, type NodeKind } from '../../model/table';

/** Which Neo4j this is, and what time it is there. */
export const READ_SERVER = `CALL dbms.components() YIELD name, versions
WITH name, versions
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, toString(datetime.realtime('Z')) AS now`;

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
WHERE NOT n:BindingLock AND NOT n:EventOrder AND NOT n:Store
RETURN count(n) AS number`;

/** Reads whether a restore is unfinished. */
export const READ_RESTORING = `MATCH (store:Store {key: 'store'})
WHERE store.restoring IS NOT NULL
RETURN store.restoring AS restoring`;

/** Notes that a restore begins. `$version`: the store version of the backup; `$release`: the release that wrote it. */
export const BEGIN_RESTORE = `MERGE (store:Store {key: 'store'})
SET store.version = $version, store.release = $release, store.restoring = datetime()`;

/** Notes that a restore is finished. `$history_since`: what the backup says about its history. */
export const END_RESTORE = `MATCH (store:Store {key: 'store'})
SET store.history_since = datetime($history_since)
REMOVE store.restoring`;

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
