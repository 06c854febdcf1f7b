import { kindsOwnedBy } from '../../templates/graph/relationships';
import { Tag } from '../../model/shared-nodes';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
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
