import { ACCOUNT_OF } from '../../model/service-nodes';
import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { ENTITY, type NodeKind, type RelationshipKind } from '../../model/table';
import { sharedKinds } from '../../templates/graph/nodes';
import { seekEntity } from '../../graph/statements/seek';

// Nodes and relationships that somebody changed by hand may have no key, or one that another has
// too. So these statements use Neo4j's own ids.

/**
 * Nodes that belong to a data source by their property or key, but lack a label by which its rows are
 * found. This is the one statement that reads all nodes. `$data_source`, `$prefix`, `$labels`, `$kept`.
 */
export const STRAY_NODES = `MATCH (n)
WHERE (n.data_source = $data_source OR toStringOrNull(n.key) STARTS WITH $prefix)
  AND NONE(label IN labels(n) WHERE label IN $kept)
WITH n, toStringOrNull(n.key) AS key
WITH n, key, CASE WHEN key STARTS WITH $prefix THEN split(key, '|')[1] END AS label, split(key, '|')[0] AS source
WHERE NOT coalesce(label IN $labels AND label IN labels(n) AND n:${ENTITY}, false)
  AND (label IS NOT NULL OR NOT EXISTS { (:DataSource {key: source}) })
RETURN elementId(n) AS id, key, label, labels(n) AS labels, n.row_hash IS NOT NULL OR n.since IS NOT NULL AS is_ours`;

const strayShared = ({ label }: NodeKind): string => `MATCH (n:${ENTITY})
USING INDEX SEEK n:${ENTITY}(key)
WHERE n.key STARTS WITH '${label}|' AND NOT n:${label}
RETURN elementId(n) AS id, n.key AS key, '${label}' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:${label})
WHERE toStringOrNull(n.key) STARTS WITH '${label}|' AND NOT n:${ENTITY}
RETURN elementId(n) AS id, n.key AS key, '${label}' AS label, labels(n) AS labels, true AS is_ours`;

/** Shared nodes that lack a label by which they are found. Reads all shared nodes. */
export const STRAY_SHARED_NODES = sharedKinds.map(strayShared).join('\nUNION ALL\n');

/** Gives nodes these labels, unless another node has their key. `$ids`, `$labels[0]`. */
export const RELABEL_NODES = `UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { MATCH (other:${ENTITY} {key: n.key}) WHERE other <> n }
SET n:$($labels[0])
RETURN id`;

/** Removes nodes with all their relationships. `$ids`. */
export const REMOVE_STRAYS = `UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
DETACH DELETE n`;

/** A page of a data source's nodes, by key. `$after`, `$before`, `$most`. */
export const PAGE_OF_NODES = `MATCH (n:${ENTITY})
USING INDEX SEEK n:${ENTITY}(key)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties`;

/** Reads shared nodes. `$keys[0]`. */
export const SHARED_NODES = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
RETURN labels(n) AS labels, properties(n) AS properties`;

/**
 * Restores nodes: sets properties (`null` unsets one), adds the labels of their kind, `$labels[0]`,
 * and removes other labels. This is no change of the row, so `changed` stays. `$rows[0]`: `{key, set,
 * labels}`.
 */
export const RESTORE_NODES = `UNWIND $rows[0] AS row
${seekEntity('n', 'row.key')}
SET n += row.set
SET n:$($labels[0])
REMOVE n:$(row.labels)`;

/**
 * The relationships of one type that rows state, with Neo4j's ids. `$keys[0]`, `$label[0]`: the label
 * of the other end.
 */
export const foundRelationships = ({
  type,
  owner,
}: Pick<RelationshipKind, 'type' | 'owner'>): string => {
  const pattern = owner === 'from' ? `(row)-[r:${type}]->(other)` : `(other)-[r:${type}]->(row)`;
  // With the label in a condition, no plan can start at the other end.
  return `UNWIND $keys[0] AS key
${seekEntity('row', 'key')}
MATCH ${pattern}
WHERE $label[0] IN labels(other)${type === 'TAGGED' ? ' AND r.derived IS NULL' : ''}
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id`;
};

/** Relationships that the model does not allow. `$keys[0]`, `$ways`. */
export const UNKNOWN_RELATIONSHIPS = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH (n)-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id`;

/** Removes relationships. `$rows[0]`: `{key, ids}`, where `key` is that of a node at one end. */
export const REMOVE_RELATIONSHIPS_AT = `UNWIND $rows[0] AS row
${seekEntity('n', 'row.key')}
MATCH (n)-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r`;

/**
 * The names and ids of all resources above these and of themselves, from the top down. `$keys[0]`.
 */
export const RESOURCE_STEPS = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH path = (:Application)-[:CONTAINS*1..]->(n)
RETURN key, [step IN tail(nodes(path)) | step.name] AS names, [step IN tail(nodes(path)) | coalesce(step.id, step.name)] AS ids`;

/**
 * Removes repeats of derived relationships of these types between the same nodes. One of them stays.
 * `$keys[0]`.
 */
export const removeDoubles = (types: readonly string[]): string => `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH (n)-[r:${types.join('|')}]-()
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
export const RESTORE_RELATIONSHIPS_AT = `UNWIND $rows[0] AS row
${seekEntity('n', 'row.key')}
MATCH (n)-[r]-()
WHERE elementId(r) = row.id
SET r += row.set`;

/** Sets `since` of the relationships at these nodes that have none. `$keys[0]`, `$dated`. */
export const DATE_UNDATED = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH (n)-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> '${ACCOUNT_OF}'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end`;

/**
 * Gives derived relationships of a type that the repair has just drawn the date of the facts that
 * they follow from. `$pairs[0]`, `$at`, `$dated`.
 */
export const dateDrawn = (type: string): string => `UNWIND $pairs[0] AS pair
${seekEntity('start', 'pair[0]')}
MATCH (start)-[r:${type}]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated`;

const MANAGE = [
  '(managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)',
  `(managed)-[:${RESOURCE_MANAGERS}]->(manager)`,
];

/**
 * Two statements: who should manage and who is recorded as manager, starting at one of the two
 * ends. `$keys[0]`, `$label[0]`: the label of the other end.
 */
export const managementAt = (at: 'managed' | 'manager'): readonly string[] =>
  MANAGE.map(
    (pattern) => `UNWIND $keys[0] AS key
${seekEntity(at, 'key')}
MATCH ${pattern}
WHERE $label[0] IN labels(${at === 'managed' ? 'manager' : 'managed'})
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id`,
  );

/** The tags that mark managers at nodes. `$keys[0]`. */
export const MANAGER_TAGS_FOUND = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH (n)-[r:TAGGED]->(tag:Tag)
WHERE r.derived IS NOT NULL
RETURN DISTINCT key AS managed, tag.key AS tag, tag.value AS id`;

/** Corrects the digest and number of rows of a data source. `$data_source`, `$digest`, `$rows`. */
export const CORRECT_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source.digest = $digest, source.rows = $rows
REMOVE source.lock`;
