import type { NodeKind } from '../../model/table';

/** All labels of a kind, as Cypher writes them. */
export const labelsOf = ({ label, also }: NodeKind): string => [label, ...also].join(':');
