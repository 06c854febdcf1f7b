import type { NodeKind } from '../../model/table';

/**
 * Finds a node by an indexed property, and forces Neo4j to use that index. Neo4j keeps plans
 * (`Pipeline`). A plan that it makes before it has sampled the indexes of a first push would
 * otherwise read a whole label, or walk along a dense node.
 */
export const seek = (node: string, kind: NodeKind, property: string, value: string): string =>
  `MATCH (${node}:${kind.label} {${property}: ${value}})
${bySeek(node, kind, indexOn(kind, property))}`;

/** Finds the nodes whose key begins with `$prefix`, also by the index. */
export const seekPrefix = (node: string, kind: NodeKind): string =>
  `MATCH (${node}:${kind.label})
${bySeek(node, kind, ['key'])}
WHERE ${node}.key STARTS WITH $prefix`;

// In a composite index the last property is the most selective. The statement itself has conditions
// on the other ones.
const indexOn = ({ indexes }: NodeKind, property: string): readonly string[] =>
  indexes.map((index) => [index].flat()).find((index) => index.at(-1) === property) ?? [property];

const bySeek = (node: string, { label }: NodeKind, properties: readonly string[]): string =>
  `USING INDEX SEEK ${node}:${label}(${properties.join(', ')})`;
