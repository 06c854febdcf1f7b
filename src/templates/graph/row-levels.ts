import { relationshipKinds } from './relationships';
import { type NodeKind, otherEnd } from '../../model/table';

const levels = new Map<NodeKind, number>();

/**
 * The level of a kind of row. Relationships that its rows state lead to rows of lower levels, to
 * rows of its own kind, or to nodes that no data source owns.
 */
export const rowLevel = (kind: NodeKind): number => {
  const known = levels.get(kind);
  if (known !== undefined) return known;
  const others = relationshipKinds
    .filter((stated) => stated[stated.owner] === kind && stated.from !== stated.to)
    .map(otherEnd)
    .filter(({ keeper }) => keeper === 'row');
  const level = others.reduce((most, other) => Math.max(most, 1 + rowLevel(other)), 0);
  levels.set(kind, level);
  return level;
};
