import { DataSource } from '../../model/service-nodes';
import { hasProperties, type NodeKind, type RelationshipKind } from '../../model/table';
import { derivedTypesAt } from '../../templates/graph/derivations';
import type { RelationshipType } from '../../templates/relationship-type';
import { derivedLabelOf, keepDerived, keepStated } from './past';
import { seek, seekEntity } from '../statements/seek';

// A statement is for all kinds of a type, whatever labels its ends have: the keys tell what they are.
// Where relationships are read or removed, the type is in the text. With a type in a parameter,
// Neo4j would walk along all relationships of a dense node, and filter afterwards.

/**
 * The condition on the properties that distinguish relationships. Their values are in the pair from
 * the third place on.
 */
const apart = ({ distinguishedBy }: RelationshipType): string =>
  distinguishedBy
    .map(
      (name, index) =>
        `(r.${name} = pair[${index + 2}] OR (r.${name} IS NULL AND pair[${index + 2}] IS NULL))`,
    )
    .join(' AND ');

// Leaves out derived TAGGED relationships, which belong to the service (docs/rules.md: Derived
// relationships).
const statedOnly = ({ type }: RelationshipType): string =>
  type === 'TAGGED' ? 'r.derived IS NULL' : '';

const where = (...conditions: readonly string[]): string => {
  const given = conditions.filter((condition) => condition !== '');
  return given.length === 0 ? '' : `\nWHERE ${given.join(' AND ')}`;
};

// A relationship of this one type leads to a data source.
const ends = ({ type }: RelationshipType): string =>
  `${seekEntity('a', 'pair[0]')}
${type === 'FROM' ? seek('b', DataSource, 'key', 'pair[1]') : seekEntity('b', 'pair[1]')}`;

// Finds both ends first, and looks between them in a subquery. So no plan walks along a dense node,
// whatever the graph was when Neo4j made the plan.
const between = (type: RelationshipType): string =>
  `UNWIND $pairs[0] AS pair
${ends(type)}
CALL (pair, a, b) {
  MATCH (a)-[r:${type.type}]->(b)${where(apart(type), statedOnly(type)).replace('\n', '\n  ')}
  RETURN r
}`;

/**
 * Creates relationships of a type, `$type[0]`. `$pairs[0]`: `[from, to]`, and the properties as third
 * place if the type has any. The statement is the same for all types with properties, for all without,
 * and for the one that leads to data sources.
 */
export const createRelationships = (type: RelationshipType): string =>
  `UNWIND $pairs[0] AS pair
${ends(type)}
CREATE (a)-[r:$($type[0]) {since: $at}]->(b)${hasProperties(type) ? '\nSET r += pair[2]' : ''}`;

/**
 * Sets changed properties of relationships, and keeps the version that ends. `$pairs[0]`: `[from,
 * to, what distinguishes them …, changes]`. `$data_source`, `$until[0]`, `$start_label[0]`,
 * `$end_label[0]`.
 */
export const updateRelationships = (type: RelationshipType): string =>
  `${between(type)}
${keepStated(type)}
SET r += pair[${type.distinguishedBy.length + 2}]`;

/**
 * Removes relationships, and keeps them as past ones. `$pairs[0]`: `[from, to, what distinguishes them
 * …]`. `$data_source`, `$until[0]`, `$start_label[0]`, `$end_label[0]`.
 */
export const removeRelationships = (type: RelationshipType): string => `${between(type)}
${keepStated(type)}
DELETE r`;

/**
 * Removes the relationships of a type by which rows of one label refer to nodes that are about to be
 * removed, and keeps them as past ones. Those rows will be removed later. `$keys[0]`,
 * `$data_source`, `$until[0]`, `$start_label[0]`, `$end_label[0]`.
 */
export const removeMentions = (kind: RelationshipKind): string => {
  const [n, referring] =
    kind.owner === 'from'
      ? ['b', '$start_label[0] IN labels(a)']
      : ['a', '$end_label[0] IN labels(b)'];
  return `UNWIND $keys[0] AS key
${seekEntity(n, 'key')}
MATCH (a)-[r:${kind.type}]->(b)
WHERE ${referring}
WITH r, [a.key, b.key] AS pair
${keepStated(kind)}
DELETE r`;
};

/**
 * Those of these relationships of a type that exist. `$pairs[0]`: `[from, to, what distinguishes them
 * …]`.
 */
export const existingRelationships = (type: RelationshipType): string => `${between(type)}
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
  const keep = keepDerived({
    type: 'type(r)',
    start: `${start}.key`,
    startLabel: derivedLabelOf(start),
    end: `${end}.key`,
    endLabel: derivedLabelOf(end),
  });
  return `FOREACH (r IN [(n)-[r:${types.join('|')}]-() | r] |
${keep})
`;
};

/**
 * Removes shared nodes that no relationship states any more, with the derived relationships at them
 * (docs/rules.md: Shared nodes). `$keys[0]`, `$until[0]`.
 */
export const removeOrphans = (
  kind: NodeKind,
  mentions: readonly RelationshipKind[],
): string => `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}${isOrphan(mentions)}
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
${keepAt(kind)}DETACH DELETE n
RETURN key, gone`;

/**
 * The keys of all shared nodes of a label that no relationship states. Reads the complete label.
 */
export const orphansOf = (
  { label }: NodeKind,
  mentions: readonly RelationshipKind[],
): string => `MATCH (n:${label})${isOrphan(mentions)}
RETURN n.key AS key`;
