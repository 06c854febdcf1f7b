import type { Permissions } from '../effective-access';
import { type Pieces, STEPS } from '../pieces';
import { type ListedRows, typesIn } from './lists';
import type { Holders } from './people';

/** The rows of a list that are wanted, in the same order. */
export function* narrowedTo(
  rows: ListedRows,
  isWanted: (node: number) => boolean,
): Pieces<ListedRows> {
  const nodes: number[] = [];
  let humans = 0;
  for (const [place, node] of rows.nodes.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    if (!isWanted(node)) continue;
    nodes.push(node);
    if (place < rows.humans) humans += 1;
  }
  return { ...rows, nodes, humans };
}

/** Whether a holder has a permission of each of some sets of canonical types. */
export const havingEach = (
  holders: Holders,
  sets: readonly (readonly string[])[],
): ((node: number) => boolean) => {
  // Most holders have the same permissions.
  const known = new Map<Permissions, boolean>();
  const hasEach = (permissions: Permissions): boolean => {
    const types = new Set(permissions.flatMap(typesIn));
    return sets.every((set) => set.some((type) => types.has(type)));
  };
  return (node) => {
    const permissions = holders.get(node) ?? [];
    const has = known.get(permissions) ?? hasEach(permissions);
    known.set(permissions, has);
    return has;
  };
};
