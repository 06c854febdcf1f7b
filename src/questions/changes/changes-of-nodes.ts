import { NONE } from '../../access/access-graph';
import type { Moments } from '../../access/comparison/comparison';
import type { NativePermission } from '../../access/effective-access';
import { Effort, type Pieces } from '../../access/pieces';
import type { HeldThrough } from '../../contract/answers/questions/access';
import { MOST_NAMED, through } from '../humans/named-accounts';
import type { AccessThen } from '../memory/access-memory';
import type { NodesOfHuman } from './human-of-period';
import { listAt } from '../../model/grouped';

/** What somebody gained and lost on a target. */
export interface ChangedTarget {
  readonly target: number;
  readonly gained: readonly HeldThrough[];
  readonly lost: readonly HeldThrough[];
  /** The same permissions as access compares them, in the same order. */
  readonly natives: Readonly<Record<'gained' | 'lost', readonly NativePermission[]>>;
}

type Changed = readonly (readonly [NativePermission, HeldThrough])[];

/** By target, the permissions that some nodes have there, each with those of them that have it. */
type Held = ReadonlyMap<number, ReadonlyMap<NativePermission, readonly number[]>>;

function* heldBy(
  { access, graph }: AccessThen,
  nodes: readonly number[],
  moment: Moments[number],
): Pieces<Held> {
  const held = new Map<number, Map<NativePermission, number[]>>();
  const effort = new Effort();
  for (const node of nodes) {
    if (!graph.exists(node, moment)) continue;
    for (const [target, permissions] of yield* access.reachedInPieces(node, moment)) {
      const known = held.get(target) ?? new Map<NativePermission, number[]>();
      held.set(target, known);
      for (const native of permissions) {
        if (effort.isTired(1)) yield;
        listAt(known, native).push(node);
      }
    }
    yield;
  }
  return held;
}

/**
 * Compares what some nodes can do together at two moments. If they are a human's, each permission
 * names those of them that had it, other than the first of them, which gains what all of them gain.
 */
export function* changesOfNodes(
  asked: AccessThen,
  moments: Moments,
  { nodes, firsts }: Pick<NodesOfHuman, 'nodes' | 'firsts'>,
  isHuman: boolean,
): Pieces<readonly ChangedTarget[]> {
  const { graph } = asked;
  const earlier = yield* heldBy(asked, nodes[0], moments[0]);
  const later = yield* heldBy(asked, nodes[1], moments[1]);
  const effort = new Effort();
  const only = function* (
    some: Held,
    others: Held,
    first: number,
    target: number,
  ): Pieces<Changed> {
    const held = some.get(target);
    if (held === undefined) return [];
    if (effort.isTired(held.size)) yield;
    const share = Math.max(1, Math.floor(MOST_NAMED / held.size));
    const natives = [...held]
      .filter(([native]) => others.get(target)?.has(native) !== true)
      .sort(([a], [b]) => (a.name < b.name || (a.name === b.name && a.types < b.types) ? -1 : 1));
    const changed: (readonly [NativePermission, HeldThrough])[] = [];
    for (const [native, those] of natives) {
      if (effort.isTired(those.length)) yield;
      const { name, types } = native;
      const accounts = those.filter((node) => node !== first).map((node) => graph.key(node));
      const permission = {
        name,
        permission_type: JSON.parse(types) as readonly string[],
        ...(isHuman ? through(accounts.sort().slice(0, share), accounts.length) : {}),
      };
      changed.push([native, permission]);
    }
    return changed;
  };
  const targets: ChangedTarget[] = [];
  for (const target of new Set([...earlier.keys(), ...later.keys()])) {
    if (effort.isTired(1)) yield;
    const gained = yield* only(later, earlier, firsts[1], target);
    const lost = yield* only(earlier, later, firsts[0], target);
    if (gained.length + lost.length === 0) continue;
    targets.push({
      target,
      gained: gained.map(([, held]) => held),
      lost: lost.map(([, held]) => held),
      natives: {
        gained: gained.map(([native]) => native),
        lost: lost.map(([native]) => native),
      },
    });
  }
  return targets;
}

/** One principal at both moments. */
export const onlyThis = (node: number): Pick<NodesOfHuman, 'nodes' | 'firsts'> => ({
  nodes: [[node], [node]],
  firsts: [NONE, NONE],
});
