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

const ANY: readonly boolean[] = [true];
const NOTHING: readonly boolean[] = [false];

/** Of which of some sets of canonical types a holder has a permission; without sets, whether it has any. */
export const setsHeld = (
  holders: Holders,
  sets: readonly (readonly string[])[],
): ((node: number) => readonly boolean[]) => {
  if (sets.length === 0) return (node) => (holders.has(node) ? ANY : NOTHING);
  // Most holders have the same permissions.
  const known = new Map<Permissions, readonly boolean[]>();
  const heldIn = (permissions: Permissions): readonly boolean[] => {
    const types = new Set(permissions.flatMap(typesIn));
    return sets.map((set) => set.some((type) => types.has(type)));
  };
  return (node) => {
    const permissions = holders.get(node) ?? [];
    const held = known.get(permissions) ?? heldIn(permissions);
    known.set(permissions, held);
    return held;
  };
};

/** What two holders have together. */
export const together = (one: readonly boolean[], other: readonly boolean[]): readonly boolean[] =>
  one.map((has, at) => has || other[at] === true);

/** Whether a holder has a permission of each of some sets of canonical types. */
export const withEveryType = (
  holders: Holders,
  sets: readonly (readonly string[])[],
): ((node: number) => boolean) => {
  const held = setsHeld(holders, sets);
  return (node) => held(node).every(Boolean);
};
