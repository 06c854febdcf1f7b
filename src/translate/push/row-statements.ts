import { kindsOwnedBy } from '../../templates/graph/relationships';
import { Tag } from '../../model/shared-nodes';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { createRowNodes } from './node-statements';
import { hasProperties } from './relationship-statements';
import { seek } from '../clauses/seek';

/** Properties that rows do not have. Leaving them out saves most of what would be sent. */
const NOT_SENT = ['data_source', 'provider', 'since', 'changed'];

/**
 * Cypher for what a row states by one kind: the keys of the other ends, with properties if the kind
 * has any.
 */
const statedBy = (kind: RelationshipKind): string => {
  const isFrom = kind.owner === 'from';
  const end = otherEnd(kind);
  const pattern = isFrom ? `(n)-[r:${kind.type}]->(m)` : `(n)<-[r:${kind.type}]-(m)`;
  // Leaves out derived TAGGED relationships, which belong to the service (docs/rules.md: Derived
  // relationships).
  const stated = end === Tag ? ' AND r.derived IS NULL' : '';
  // With the label in a condition, no plan can start at the other end.
  return `[${pattern} WHERE '${end.label}' IN labels(m)${stated} | ${hasProperties(kind) ? '[m.key, properties(r)]' : 'm.key'}]`;
};

/**
 * Reads complete rows of a label. The relationships of each come by kind, in the order of
 * `kindsOwnedBy`. `$keys[0]`.
 */
export const wholeRows = (kind: NodeKind): string => `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
RETURN collect([n {.*, ${NOT_SENT.map((name) => `${name}: null`).join(', ')}}, [
  ${kindsOwnedBy(kind).map(statedBy).join(',\n  ')}
]]) AS rows`;

/**
 * The kinds of relationships that `createRows` draws while it creates nodes: those to other rows of
 * the data source, without properties besides `since`.
 */
export const ownKindsOf = (node: NodeKind): readonly RelationshipKind[] =>
  kindsOwnedBy(node).filter((kind) => otherEnd(kind).keeper === 'row' && !hasProperties(kind));

/** The name of the parameter of `createRows` for one kind. */
export const linksBy = (kind: RelationshipKind): string => `${kind.type}_${otherEnd(kind).label}`;

// The parameter names rows by their places, which the driver sends as floats. So Neo4j looks up
// only the other ends, and each of them once in a batch.
const drawn = (kind: RelationshipKind): string => {
  const [start, end] = kind.owner === 'from' ? ['n', 'm'] : ['m', 'n'];
  return `CALL (nodes) {
  UNWIND $${linksBy(kind)}[0] AS end
  ${seek('m', otherEnd(kind), 'key', 'end[0]').replace('\n', '\n  ')}
  UNWIND end[1..] AS place
  WITH m, nodes[toInteger(place)] AS n
  CREATE (${start})-[:${kind.type} {since: $at}]->(${end})
}`;
};

/**
 * Creates nodes of a data source, and draws their relationships to other rows that exist.
 * `$rows[0]` as in `createRowNodes`. For each kind a parameter named by `linksBy`: `[key of the
 * other end, places in $rows[0] …]`.
 */
export const createRows = (kind: NodeKind): string => {
  const kinds = ownKindsOf(kind);
  return kinds.length === 0
    ? createRowNodes(kind)
    : `${createRowNodes(kind)}
WITH collect(n) AS nodes
${kinds.map(drawn).join('\n')}`;
};
