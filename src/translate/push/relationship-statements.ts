import { hasProperties, type NodeKind, type RelationshipKind } from '../../model/table';
import { derivedTypesAt } from '../../templates/graph/derivations';
import { derivedLabelOf, keepDerived, keepStated } from '../clauses/past';
import { seek } from '../clauses/seek';

/**
 * The condition on the properties that tell relationships apart. Their values stand in the pair
 * from the third place on.
 */
const apart = ({ toldApartBy }: RelationshipKind): string =>
  toldApartBy
    .map(
      (name, index) =>
        `(r.${name} = pair[${index + 2}] OR (r.${name} IS NULL AND pair[${index + 2}] IS NULL))`,
    )
    .join(' AND ');

// Leaves out derived TAGGED relationships, which belong to the service (docs/rules.md: Derived
// relationships).
const statedOnly = ({ type }: RelationshipKind): string =>
  type === 'TAGGED' ? 'r.derived IS NULL' : '';

const where = (...conditions: readonly string[]): string => {
  const said = conditions.filter((condition) => condition !== '');
  return said.length === 0 ? '' : `\nWHERE ${said.join(' AND ')}`;
};

const ends = ({ from, to }: RelationshipKind): string =>
  `${seek('a', from, 'key', 'pair[0]')}
${seek('b', to, 'key', 'pair[1]')}`;

// Finds both ends first, and looks between them in a subquery. So no plan walks along a dense node,
// whatever the graph was when Neo4j made the plan.
const between = (kind: RelationshipKind): string =>
  `UNWIND $pairs[0] AS pair
${ends(kind)}
CALL (pair, a, b) {
  MATCH (a)-[r:${kind.type}]->(b)${where(apart(kind), statedOnly(kind)).replace('\n', '\n  ')}
  RETURN r
}`;

/**
 * Creates relationships. `$pairs[0]`: `[from, to]`, and the properties as third place if the kind
 * has any.
 */
export const createRelationships = (kind: RelationshipKind): string =>
  `UNWIND $pairs[0] AS pair
${ends(kind)}
CREATE (a)-[r:${kind.type} {since: $at}]->(b)${hasProperties(kind) ? '\nSET r += pair[2]' : ''}`;

/**
 * Sets changed properties of relationships, and keeps the version that ends. `$pairs[0]`: `[from,
 * to, what tells them apart …, changes]`. `$data_source`, `$until`.
 */
export const updateRelationships = (kind: RelationshipKind): string =>
  `${between(kind)}
${keepStated(kind)}
SET r += pair[${kind.toldApartBy.length + 2}]`;

/**
 * Removes relationships, and keeps them as past ones. `$pairs[0]`: `[from, to, what tells them apart
 * …]`. `$data_source`, `$until`.
 */
export const removeRelationships = (kind: RelationshipKind): string => `${between(kind)}
${keepStated(kind)}
DELETE r`;

/**
 * Removes the relationships by which rows refer to nodes that are about to be removed, and keeps
 * them as past ones. Those rows will be removed later. `$keys[0]`, `$data_source`, `$until`.
 */
export const removeMentions = (kind: RelationshipKind): string => {
  const { from, type, to, owner } = kind;
  const [n, other] = owner === 'from' ? (['b', 'a'] as const) : (['a', 'b'] as const);
  const [removed, referring] = owner === 'from' ? [to, from] : [from, to];
  return `UNWIND $keys[0] AS key
${seek(n, removed, 'key', 'key')}
MATCH (a)-[r:${type}]->(b)
WHERE ${other}:${referring.label}
WITH r, [a.key, b.key] AS pair
${keepStated(kind)}
DELETE r`;
};

/** Those of these relationships that stand. `$pairs[0]`: `[from, to, what tells them apart …]`. */
export const standingRelationships = (kind: RelationshipKind): string => `${between(kind)}
RETURN collect(pair) AS found`;

/**
 * The condition that no relationship states the shared node `n` any more (docs/rules.md: Shared
 * nodes).
 */
const isOrphan = (mentions: readonly RelationshipKind[]): string => {
  const types = (owner: 'from' | 'to'): string =>
    [...new Set(mentions.filter((kind) => kind.owner === owner).map(({ type }) => type))].join('|');
  const [into, out] = [types('from'), types('to')];
  return where(
    into === '' ? '' : `NOT EXISTS { (n)<-[:${into}]-() }`,
    out === '' ? '' : `NOT EXISTS { (n)-[:${out}]->() }`,
  );
};

/**
 * Keeps the derived relationships at a shared node `n`, which is about to be removed. Relationships
 * that somebody drew by hand are not among them.
 */
const keepAt = (kind: NodeKind): string => {
  const types = derivedTypesAt(kind);
  if (types.length === 0) return '';
  const [start, end] = ['startNode(r)', 'endNode(r)'];
  const kept = keepDerived({
    type: 'type(r)',
    ...{ start: `${start}.key`, startLabel: derivedLabelOf(start) },
    ...{ end: `${end}.key`, endLabel: derivedLabelOf(end) },
  });
  return `FOREACH (r IN [(n)-[r:${types.join('|')}]-() | r] |
${kept})
`;
};

/**
 * Removes shared nodes that no relationship states any more, with the derived relationships at them
 * (docs/rules.md: Shared nodes). `$keys[0]`, `$until`.
 */
export const removeOrphans = (
  kind: NodeKind,
  mentions: readonly RelationshipKind[],
): string => `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}${isOrphan(mentions)}
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
${keepAt(kind)}DETACH DELETE n
RETURN key, gone`;

/** The keys of all shared nodes of a label that no relationship states. Reads the whole label. */
export const orphansOf = (
  { label }: NodeKind,
  mentions: readonly RelationshipKind[],
): string => `MATCH (n:${label})${isOrphan(mentions)}
RETURN n.key AS key`;
