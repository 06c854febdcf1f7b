import { ENTITY, type NodeKind } from '../../model/table';

// Each clause here forces Neo4j to use an index. Neo4j keeps plans (`Pipeline`). A plan that it makes
// before it has sampled the indexes of a first push would otherwise read a whole label, or walk along
// a dense node.

/** Finds the node with a key that a push wrote, of whatever kind: its key contains the label. */
export const seekEntity = (node: string, key: string): string =>
  `MATCH (${node}:${ENTITY} {key: ${key}})
${bySeek(node, ENTITY, ['key'])}`;

/** Finds the nodes that pushes wrote and whose key begins with `$prefix`. */
export const seekPrefix = (node: string): string =>
  `MATCH (${node}:${ENTITY})
${bySeek(node, ENTITY, ['key'])}
WHERE ${node}.key STARTS WITH $prefix`;

/** Finds a node by an indexed property. */
export const seek = (node: string, kind: NodeKind, property: string, value: string): string =>
  `MATCH (${node}:${kind.label} {${property}: ${value}})
${bySeek(node, kind.label, indexOn(kind, property))}`;

// In a composite index the last property is the most selective. The statement itself has conditions
// on the other ones.
const indexOn = ({ indexes }: NodeKind, property: string): readonly string[] =>
  indexes.map((index) => [index].flat()).find((index) => index.at(-1) === property) ?? [property];

const bySeek = (node: string, label: string, properties: readonly string[]): string =>
  `USING INDEX SEEK ${node}:${label}(${properties.join(', ')})`;
