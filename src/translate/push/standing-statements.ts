import { Resource } from '../../templates/application/resources';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { seek, seekPrefix } from '../clauses/seek';

// Most statements here give one list instead of many records, because a record costs the service
// more than what it holds.

// A text finds few nodes in all data sources together. A condition then picks those of this data
// source.
/**
 * Keys of a data source's nodes that a look-up finds, each with the text that found it.
 * `$texts[0]`, `$data_source`.
 */
export const nodesNamed = (kind: NodeKind, lookup: string): string => `UNWIND $texts[0] AS text
${seek('n', kind, lookup, 'text')}
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found`;

/** The indexed look-ups by which references find nodes of a kind. */
export const namingLookups = ({ indexes }: NodeKind): readonly string[] =>
  ['fold_id', 'fold_other_id', 'fold_name', 'fold_path', 'fold_id_path'].filter((lookup) =>
    indexes.includes(lookup),
  );

/**
 * Keys of a data source's rows that state a relationship to nodes, each with the key of the node.
 * `$keys[0]`, `$data_source`.
 */
export const rowsReferring = ({ from, type, to, owner }: RelationshipKind): string => {
  const [row, end, pattern] =
    owner === 'from'
      ? [from, to, `(row)-[:${type}]->(end)`]
      : [to, from, `(end)-[:${type}]->(row)`];
  // With the label in a condition, no plan can start at the other end.
  return `UNWIND $keys[0] AS key
${seek('end', end, 'key', 'key')}
MATCH ${pattern}
WHERE '${row.label}' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found`;
};

/** The other ends of a long list of rows, each with the key of the row. `$keys[0]`. */
export const listsOf = (kind: RelationshipKind): string => {
  const { from, type, to, owner } = kind;
  const [row, pattern] =
    owner === 'from' ? [from, `(row)-[:${type}]->(end)`] : [to, `(end)-[:${type}]->(row)`];
  // With the label in a condition, no plan can start at the other end.
  return `UNWIND $keys[0] AS key
${seek('row', row, 'key', 'key')}
RETURN key, [${pattern} WHERE '${otherEnd(kind).label}' IN labels(end) | end.key] AS found`;
};

/** Keys of an application's rows of a label. `$prefix`, `$application`. */
export const rowsWithin = (
  kind: NodeKind,
): string => `${seekPrefix('n', kind)} AND n.application = $application
RETURN n.key AS key`;

/** Keys of all resources below these, each with the key of the one above. `$keys[0]`. */
export const RESOURCES_BELOW = `UNWIND $keys[0] AS key
${seek('top', Resource, 'key', 'key')}
MATCH (top)-[:CONTAINS*1..]->(n:Resource)
RETURN collect([key, n.key]) AS found`;

/** Keys of some rows of a label. `$prefix`, `$most`. */
export const someRows = (kind: NodeKind): string => `${seekPrefix('n', kind)}
RETURN n.key AS key LIMIT toInteger($most)`;

/** The names, ids and paths of some rows of a label. `$prefix`, `$most`. */
export const spellingsOf = (kind: NodeKind): string => {
  const named = ['name', 'id', 'unique_id', 'identity', 'path']
    .filter((property) => Object.hasOwn(kind.properties, property))
    .map((property) => `n.${property}`);
  return `${seekPrefix('n', kind)}
WITH n LIMIT toInteger($most)
RETURN collect([${named.join(', ')}]) AS found`;
};

/**
 * Keys of some resources of a type in an application, with or without an id. `$prefix`,
 * `$application`, `$type`, `$most`.
 */
export const resourcesOfType = (
  hasId: boolean,
): string => `${seekPrefix('n', Resource)} AND n.application = $application AND n.fold_resource_type = $type AND n.id IS ${hasId ? 'NOT ' : ''}NULL
RETURN n.key AS key LIMIT toInteger($most)`;
