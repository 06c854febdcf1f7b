import type { NodeKind, RelationshipKind } from '../../model/table';
import { seek } from '../clauses/seek';

/** The value that tells relationships apart stands in the pair from the third place on. */
const apart = ({ toldApartBy }: RelationshipKind): string =>
  toldApartBy
    .map(
      (name, index) =>
        `(r.${name} = pair[${index + 2}] OR (r.${name} IS NULL AND pair[${index + 2}] IS NULL))`,
    )
    .join(' AND ');

// Of TAGGED only the stated ones: the derived one belongs to the service (docs/rules.md: Derived relationships).
const statedOnly = ({ type }: RelationshipKind): string =>
  type === 'TAGGED' ? 'r.derived IS NULL' : '';

const where = (...conditions: readonly string[]): string => {
  const said = conditions.filter((condition) => condition !== '');
  return said.length === 0 ? '' : `\nWHERE ${said.join(' AND ')}`;
};

const ends = ({ from, to }: RelationshipKind): string =>
  `${seek('a', from, 'key', 'pair[0]')}
${seek('b', to, 'key', 'pair[1]')}`;

// Both ends are found before what is between them is looked at, in a subquery: whatever graph a plan was made on, it walks along no dense node.
const between = (kind: RelationshipKind): string =>
  `UNWIND $pairs[0] AS pair
${ends(kind)}
CALL (pair, a, b) {
  MATCH (a)-[r:${kind.type}]->(b)${where(apart(kind), statedOnly(kind)).replace('\n', '\n  ')}
  RETURN r
}`;

/** Creates relationships; `$pairs[0]`: `[from, to]`, with a third place for own properties where the kind has any. */
export const createRelationships = (kind: RelationshipKind): string =>
  `UNWIND $pairs[0] AS pair
${ends(kind)}
CREATE (a)-[r:${kind.type} {since: $at}]->(b)${hasProperties(kind) ? '\nSET r += pair[2]' : ''}`;

/** Whether relationships of a kind carry more than `since`. */
export const hasProperties = ({ properties, custom }: RelationshipKind): boolean =>
  custom || Object.keys(properties).length > 0;

/** Sets what differs; `$pairs[0]`: `[from, to, what tells them apart …, changes]`. */
export const updateRelationships = (kind: RelationshipKind): string =>
  `${between(kind)}
SET r += pair[${kind.toldApartBy.length + 2}]`;

/** Removes relationships; `$pairs[0]`: `[from, to, what tells them apart …]`. */
export const removeRelationships = (kind: RelationshipKind): string => `${between(kind)}
DELETE r`;

/** What holds of a shared node `n` that nothing states (docs/rules.md: Shared nodes). */
const isOrphan = (mentions: readonly RelationshipKind[]): string => {
  const types = (owner: 'from' | 'to'): string =>
    [...new Set(mentions.filter((kind) => kind.owner === owner).map(({ type }) => type))].join('|');
  const [into, out] = [types('from'), types('to')];
  return where(
    into === '' ? '' : `NOT EXISTS { (n)<-[:${into}]-() }`,
    out === '' ? '' : `NOT EXISTS { (n)-[:${out}]->() }`,
  );
};

/** Removes shared nodes that nothing states any more, with what is derived at them (docs/rules.md: Shared nodes); `$keys[0]`. */
export const removeOrphans = (
  kind: NodeKind,
  mentions: readonly RelationshipKind[],
): string => `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}${isOrphan(mentions)}
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
DETACH DELETE n
RETURN key, gone`;

/** Shared nodes that nothing states, wherever they are: reads all of a label. */
export const orphansOf = (
  { label }: NodeKind,
  mentions: readonly RelationshipKind[],
): string => `MATCH (n:${label})${isOrphan(mentions)}
RETURN n.key AS key`;
