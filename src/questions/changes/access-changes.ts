import { byCodeUnits } from '../../model/fold';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { WalkTooLong } from '../instant/walk';
import { affectedIn, type ChangeBounds, TooManyChanges } from './affected';
import { compare } from './compare';
import type { ChangedAccess } from './find-changes';
import type { Period } from './period';

/** How many changed pairs of a principal and a resource one answer has at most. */
const MOST_CHANGES = 100_000;
/** How many pairs one transaction compares. */
const PAIRS_AT_ONCE = 200_000;

/** Runs work in a transaction that is rolled back. */
export type Within = <A>(work: (tx: Runner) => Promise<A>) => Promise<A>;

/** Runs each piece of work in a transaction of its own. */
export const within =
  (graph: Graph, timeoutSeconds: number): Within =>
  (work) =>
    runTransaction(graph, { mode: 'write', end: 'rollback', timeoutSeconds }, work);

const byKeys = (a: ChangedAccess, b: ChangedAccess): number =>
  byCodeUnits(a.principal.id, b.principal.id) || byCodeUnits(a.resource.id, b.resource.id);

/**
 * Finds who gained or lost what between two instants, by the keys of principals and resources
 * (docs/rules.md: Changes of access). Rejects with `TooManyChanges` or `WalkTooLong`.
 */
export const changesIn = async (
  run: Within,
  period: Period,
  bounds: ChangeBounds,
): Promise<readonly ChangedAccess[]> => {
  const { principals, places, targets } = await run((tx) => affectedIn(tx, period, bounds));
  if (principals.length * targets.length > bounds.pairs) throw new TooManyChanges();
  const atOnce = Math.max(1, Math.floor(PAIRS_AT_ONCE / Math.max(1, targets.length)));
  const changes: ChangedAccess[] = [];
  for (let at = 0; at < principals.length && targets.length > 0; at += atOnce) {
    const some = principals.slice(at, at + atOnce);
    changes.push(...(await run((tx) => compare(tx, period, some, places, bounds))));
    if (changes.length > MOST_CHANGES) throw new TooManyChanges();
  }
  return changes.sort(byKeys);
};

const isTooMany = (error: unknown): boolean =>
  error instanceof TooManyChanges || error instanceof WalkTooLong;

/** The changes, or `null` if too much changed to be compared. */
export const unlessTooMany = async <A>(changes: Promise<A>): Promise<A | null> => {
  try {
    return await changes;
  } catch (error) {
    if (isTooMany(error)) return null;
    throw error;
  }
};
