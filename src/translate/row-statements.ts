import { kindsOwnedBy } from '../model/relationships';
import { Tag } from '../model/shared-nodes';
import type { NodeKind, RelationshipKind } from '../model/table';
import { hasProperties } from './relationship-statements';
import { seek } from './seek';

/** Properties of nodes that rows do not have, and that cost most to send. */
const NOT_SENT = ['data_source', 'provider', 'since', 'changed'];

/** What a row states by one kind: keys of the other ends, with properties where the kind has any. */
const statedBy = (kind: RelationshipKind): string => {
  const isFrom = kind.owner === 'from';
  const end = isFrom ? kind.to : kind.from;
  const pattern = isFrom ? `(n)-[r:${kind.type}]->(m)` : `(n)<-[r:${kind.type}]-(m)`;
  // Of TAGGED only the stated ones: the derived one belongs to the service (graph.md 3).
  const stated = end === Tag ? ' AND r.derived IS NULL' : '';
  // A label that is asked for like this cannot be where a plan begins.
  return `[${pattern} WHERE '${end.label}' IN labels(m)${stated} | ${hasProperties(kind) ? '[m.key, properties(r)]' : 'm.key'}]`;
};

/** Whole rows of a label, with what they state by each kind, in the order of `kindsOwnedBy`; `$keys`. */
export const wholeRows = (kind: NodeKind): string => `UNWIND $keys AS key
${seek('n', kind, 'key', 'key')}
RETURN n {.*, ${NOT_SENT.map((name) => `${name}: null`).join(', ')}} AS properties, [
  ${kindsOwnedBy(kind).map(statedBy).join(',\n  ')}
] AS stated`;
