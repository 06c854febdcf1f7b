import type { NodeKind } from '../../model/table';

/**
 * Finds a node by a property that has an index, and says that it is to be found by that. Plans are kept (`Pipeline`): one that is made before Neo4j
 * has sampled the indexes that a first push filled would read a whole label, or walk along a dense node.
 */
export const seek = (node: string, kind: NodeKind, property: string, value: string): string =>
  `MATCH (${node}:${kind.label} {${property}: ${value}})
${bySeek(node, kind, indexOn(kind, property))}`;

/** Finds nodes whose key begins with `$prefix`, likewise. */
export const seekPrefix = (node: string, kind: NodeKind): string =>
  `MATCH (${node}:${kind.label})
${bySeek(node, kind, ['key'])}
WHERE ${node}.key STARTS WITH $prefix`;

// Of several properties the last tells most; what the others are, the statement says besides.
const indexOn = ({ indexes }: NodeKind, property: string): readonly string[] =>
  indexes.map((index) => [index].flat()).find((index) => index.at(-1) === property) ?? [property];

const bySeek = (node: string, { label }: NodeKind, properties: readonly string[]): string =>
  `USING INDEX SEEK ${node}:${label}(${properties.join(', ')})`;
