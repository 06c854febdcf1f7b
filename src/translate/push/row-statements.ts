import { kindsOwnedBy } from '../../templates/graph/relationships';
import { Tag } from '../../model/shared-nodes';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { createRowNodes } from './node-statements';
import { hasProperties } from './relationship-statements';
import { seek } from '../clauses/seek';

/** Properties of nodes that rows do not have, and that cost most to send. */
const NOT_SENT = ['data_source', 'provider', 'since', 'changed'];

/** What a row states by one kind: keys of the other ends, with properties where the kind has any. */
const statedBy = (kind: RelationshipKind): string => {
  const isFrom = kind.owner === 'from';
  const end = otherEnd(kind);
  const pattern = isFrom ? `(n)-[r:${kind.type}]->(m)` : `(n)<-[r:${kind.type}]-(m)`;
  // Of TAGGED only the stated ones: the derived one belongs to the service (docs/rules.md: Derived relationships).
  const stated = end === Tag ? ' AND r.derived IS NULL' : '';
  // A label that is asked for like this cannot be where a plan begins.
  return `[${pattern} WHERE '${end.label}' IN labels(m)${stated} | ${hasProperties(kind) ? '[m.key, properties(r)]' : 'm.key'}]`;
};

/** Whole rows of a label, each with what it states by each kind, in the order of `kindsOwnedBy`; `$keys[0]`. */
export const wholeRows = (kind: NodeKind): string => `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
RETURN collect([n {.*, ${NOT_SENT.map((name) => `${name}: null`).join(', ')}}, [
  ${kindsOwnedBy(kind).map(statedBy).join(',\n  ')}
]]) AS rows`;

/** The kinds by which new rows of a label are joined with other rows of their data source as they are created: those that carry nothing but `since`. */
export const ownKindsOf = (node: NodeKind): readonly RelationshipKind[] =>
  kindsOwnedBy(node).filter((kind) => otherEnd(kind).keeper === 'row' && !hasProperties(kind));

/** The parameter of `createRows` for a kind. */
export const linksBy = (kind: RelationshipKind): string => `${kind.type}_${otherEnd(kind).label}`;

// The rows are known by their places, which the driver sends as floats: only the other end is looked for, once for all rows of the batch that lead to it.
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
 * Creates a data source's nodes with what they state of other rows that stand by then; `$rows[0]` as of `createRowNodes`, and for each kind, by `linksBy`,
 * `[key of the other end, places in $rows[0] …]`.
 */
export const createRows = (kind: NodeKind): string => {
  const kinds = ownKindsOf(kind);
  return kinds.length === 0
    ? createRowNodes(kind)
    : `${createRowNodes(kind)}
WITH collect(n) AS nodes
${kinds.map(drawn).join('\n')}`;
};
