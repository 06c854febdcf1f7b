import type { NodeKind, RelationshipKind } from '../../model/table';
import { seek, seekEntity, seekPrefix } from '../statements/seek';

// Most statements here return one list instead of many records, because a record costs the service
// more than its content.

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

/** The type of a relationship, and which of its ends states it. */
type StatedType = Pick<RelationshipKind, 'type' | 'owner'>;

// From a row to the other end of what it states.
const pattern = ({ type, owner }: StatedType): string =>
  owner === 'from' ? `(row)-[:${type}]->(end)` : `(end)-[:${type}]->(row)`;

/**
 * Keys of a data source's rows of a label that state a relationship to nodes, each with the key of
 * the node. `$keys[0]`, `$data_source`, `$label[0]`.
 */
export const rowsReferring = (stated: StatedType): string =>
  // With the label in a condition, no plan can start at the other end.
  `UNWIND $keys[0] AS key
${seekEntity('end', 'key')}
MATCH ${pattern(stated)}
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found`;

/**
 * The other ends of a long list of rows, of one label, each with the key of the row. `$keys[0]`,
 * `$label[0]`.
 */
export const listsOf = (stated: StatedType): string =>
  // With the label in a condition, no plan can start at the other end.
  `UNWIND $keys[0] AS key
${seekEntity('row', 'key')}
RETURN key, [${pattern(stated)} WHERE $label[0] IN labels(end) | end.key] AS found`;

/** Keys of an application's rows of a label. `$prefix`, `$application`. */
export const ROWS_WITHIN = `${seekPrefix('n')} AND n.application = $application
RETURN n.key AS key`;

/** Keys of all resources below these, each with the key of the one above. `$keys[0]`. */
export const RESOURCES_BELOW = `UNWIND $keys[0] AS key
${seekEntity('top', 'key')}
MATCH (top)-[:CONTAINS*1..]->(n:Resource)
RETURN collect([key, n.key]) AS found`;

/** Keys of some rows of a label. `$prefix`, `$most`. */
export const SOME_ROWS = `${seekPrefix('n')}
RETURN n.key AS key LIMIT toInteger($most)`;

/** The names, ids and paths of some rows of a label. `$prefix`, `$most`. */
export const SPELLINGS = `${seekPrefix('n')}
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id, n.identity, n.path]) AS found`;

/**
 * Keys of some resources of a type in an application, with or without an id. `$prefix`,
 * `$application`, `$type`, `$most`.
 */
export const resourcesOfType = (
  hasId: boolean,
): string => `${seekPrefix('n')} AND n.application = $application AND n.fold_resource_type = $type AND n.id IS ${hasId ? 'NOT ' : ''}NULL
RETURN n.key AS key LIMIT toInteger($most)`;
