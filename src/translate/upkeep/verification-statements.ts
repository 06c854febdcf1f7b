import { ACCOUNT_OF } from '../../model/service-nodes';
import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { labelsOf } from '../clauses/labels';

// Nodes and relationships that somebody changed by hand may have no key, or one that another has
// too. So these statements use Neo4j's own ids.

/**
 * Nodes that belong to a data source by their property or key, but have no label under which its
 * rows are looked for. This is the one statement that reads all nodes. `$data_source`, `$prefix`,
 * `$labels`, `$kept`.
 */
export const STRAY_NODES = `MATCH (n)
WHERE (n.data_source = $data_source OR toStringOrNull(n.key) STARTS WITH $prefix)
  AND NONE(label IN labels(n) WHERE label IN $kept)
WITH n, toStringOrNull(n.key) AS key
WITH n, key, CASE WHEN key STARTS WITH $prefix THEN split(key, '|')[1] END AS label, split(key, '|')[0] AS source
WHERE NOT coalesce(label IN $labels AND label IN labels(n), false)
  AND (label IS NOT NULL OR NOT EXISTS { (:DataSource {key: source}) })
RETURN elementId(n) AS id, key, label, labels(n) AS labels, n.row_hash IS NOT NULL OR n.since IS NOT NULL AS is_ours`;

/** Gives nodes the labels of a kind, unless another node has their key. `$ids`. */
export const relabelNodes = (kind: NodeKind): string => `UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:${kind.label} {key: n.key}) }
SET n:${labelsOf(kind)}
RETURN id`;

/** Removes nodes with all their relationships. `$ids`. */
export const REMOVE_STRAYS = `UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
DETACH DELETE n`;

/** A page of a data source's nodes of one label, by key. `$after`, `$before`, `$most`. */
export const pageOfNodes = ({ label }: NodeKind): string => `MATCH (n:${label})
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties`;

/** Reads shared nodes. `$keys[0]`. */
export const sharedNodes = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})
RETURN labels(n) AS labels, properties(n) AS properties`;

/**
 * Restores nodes: sets properties (`null` unsets one), adds the labels of the kind and removes
 * other labels. This is no change of the row, so `changed` stays. `$rows[0]`: `{key, set, labels}`.
 */
export const restoreNodes = (kind: NodeKind): string => `UNWIND $rows[0] AS row
MATCH (n:${kind.label} {key: row.key})
SET n += row.set
SET n:${labelsOf(kind)}
REMOVE n:$(row.labels)`;

/** The relationships of one kind that rows of a label state, with Neo4j's ids. `$keys[0]`. */
export const foundRelationships = (kind: RelationshipKind): string => {
  const [row, other] = kind.owner === 'from' ? ['a', 'b'] : ['b', 'a'];
  const label = kind[kind.owner].label;
  const end = otherEnd(kind).label;
  const pattern =
    kind.owner === 'from' ? `(a)-[r:${kind.type}]->(b:${end})` : `(a:${end})-[r:${kind.type}]->(b)`;
  return `UNWIND $keys[0] AS key
MATCH (${row}:${label} {key: key})
MATCH ${pattern}${kind.type === 'TAGGED' ? '\nWHERE r.derived IS NULL' : ''}
RETURN key, ${other}.key AS other, properties(r) AS properties, elementId(r) AS id`;
};

/** Relationships that the model does not allow. `$keys[0]`, `$ways`. */
export const unknownRelationships = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id`;

/** Removes relationships. `$rows[0]`: `{key, ids}`, where `key` is that of a node at one end. */
export const removeRelationshipsAt = ({ label }: NodeKind): string => `UNWIND $rows[0] AS row
MATCH (n:${label} {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r`;

/**
 * The names and ids of all resources above these and of themselves, from the top down. `$keys[0]`.
 */
export const RESOURCE_STEPS = `UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
MATCH path = (:Application)-[:CONTAINS*1..]->(n)
RETURN key, [step IN tail(nodes(path)) | step.name] AS names, [step IN tail(nodes(path)) | coalesce(step.id, step.name)] AS ids`;

/**
 * Removes repeats of derived relationships between the same nodes. One of them stays. `$keys[0]`.
 */
export const removeDoubles = (
  { label }: NodeKind,
  types: readonly string[],
): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})-[r:${types.join('|')}]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end`;

/**
 * Sets properties of relationships. `$rows[0]`: `{key, id, set}`, where `key` is that of a node at
 * one end.
 */
export const restoreRelationshipsAt = ({ label }: NodeKind): string => `UNWIND $rows[0] AS row
MATCH (n:${label} {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set`;

/** Sets `since` of the relationships at these nodes that have none. `$keys[0]`, `$dated`. */
export const dateUndated = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> '${ACCOUNT_OF}'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end`;

/**
 * Gives derived relationships that the repair has just drawn the date of the facts that they follow
 * from. `$pairs[0]`, `$at`, `$dated`.
 */
export const dateDrawn = (from: string, type: string): string => `UNWIND $pairs[0] AS pair
MATCH (start:${from} {key: pair[0]})-[r:${type}]->(other)
USING INDEX SEEK start:${from}(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated`;

const through = (managed: string, manager: string): string =>
  `(${managed})<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(${manager})`;

const said = (managed: string, manager: string): string =>
  `(${managed})-[:${RESOURCE_MANAGERS}]->(${manager})`;

/**
 * Two statements: who should manage and who is recorded as manager, starting at one of the two
 * ends. `$keys[0]`.
 */
export const managementAt = (
  at: 'managed' | 'manager',
  managed: NodeKind,
  manager: NodeKind,
): readonly string[] =>
  [through, said].map((pattern) => {
    const seek =
      at === 'managed'
        ? `(managed:${managed.label} {key: key})`
        : `(manager:${manager.label} {key: key})`;
    const [a, b] =
      at === 'managed'
        ? ['managed', `manager:${manager.label}`]
        : [`managed:${managed.label}`, 'manager'];
    return `UNWIND $keys[0] AS key
MATCH ${seek}
MATCH ${pattern(a, b)}
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id`;
  });

/** The tags that mark managers at nodes. `$keys[0]`. */
export const managerTagsFound = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})-[r:TAGGED]->(tag:Tag)
WHERE r.derived IS NOT NULL
RETURN DISTINCT key AS managed, tag.key AS tag, tag.value AS id`;

/** Corrects the digest and number of rows of a data source. `$data_source`, `$digest`, `$rows`. */
export const CORRECT_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source.digest = $digest, source.rows = $rows
REMOVE source.lock`;
