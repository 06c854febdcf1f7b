import { kindsOwnedBy, shortKindsOwnedBy } from '../../templates/graph/relationships';
import { Tag } from '../../model/shared-nodes';
import { hasProperties, type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { seekEntity } from '../statements/seek';

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

const rowsWith = (relationships: readonly RelationshipKind[]): string =>
  `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
RETURN collect([n {.*, ${NOT_SENT.map((name) => `${name}: null`).join(', ')}}, [
  ${relationships.map(statedBy).join(',\n  ')}
]]) AS rows`;

/**
 * Reads complete rows of a label. The relationships of each are returned by kind, in the order of
 * `kindsOwnedBy`. `$keys[0]`.
 */
export const wholeRows = (kind: NodeKind): string => rowsWith(kindsOwnedBy(kind));

/** Reads rows of a label without their long lists, in the order of `shortKindsOwnedBy`. `$keys[0]`. */
export const shortRows = (kind: NodeKind): string => rowsWith(shortKindsOwnedBy(kind));
