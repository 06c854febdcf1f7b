import { kindsMentioning } from './relationships';
import type { NodeKind } from '../../model/table';

/**
 * Sorts kinds into the order in which to remove their nodes: first the kinds to which the fewest
 * other kinds refer. Neo4j removes a node with many relationships slowly. In this order such nodes
 * lose their relationships before they are removed.
 */
export const removalOrder = (kinds: readonly NodeKind[]): readonly NodeKind[] => {
  const hanging = (kind: NodeKind): number =>
    kindsMentioning(kind).filter(({ from, to }) => from !== to).length;
  return [...kinds].sort((a, b) => hanging(a) - hanging(b));
};
