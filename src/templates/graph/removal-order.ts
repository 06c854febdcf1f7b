import { kindsMentioning } from './relationships';
import type { NodeKind } from '../../model/table';

/**
 * Sorts kinds into the order in which to remove their nodes: first those to which the fewest kinds
 * refer. Neo4j removes a node with many relationships slowly, so these nodes lose theirs first.
 */
export const removalOrder = (kinds: readonly NodeKind[]): readonly NodeKind[] => {
  const hanging = (kind: NodeKind): number =>
    kindsMentioning(kind).filter(({ from, to }) => from !== to).length;
  return [...kinds].sort((a, b) => hanging(a) - hanging(b));
};
