import { kindsMentioning } from './relationships';
import type { NodeKind } from '../../model/table';

/** Kinds in the order in which their nodes go: those on which few others hang come first, since a node with many relationships leaves slowly (neo4j.md 2). */
export const removalOrder = (kinds: readonly NodeKind[]): readonly NodeKind[] => {
  const hanging = (kind: NodeKind): number =>
    kindsMentioning(kind).filter(({ from, to }) => from !== to).length;
  return [...kinds].sort((a, b) => hanging(a) - hanging(b));
};
