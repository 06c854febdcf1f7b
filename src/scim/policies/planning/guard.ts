import type { GuardedPolicy } from '../endpoints';
import type { ManagedAccount, StoredAction } from '../graph/records';
import { digestOf } from './digest';
import { givenUpCode, mayExist, type Plan, exists } from './plan';
import type { Policy } from './policy';

/** This many people may always leave or join at once, unless the number of the guard is smaller. */
const FEW = 3;

/** The beginning of the token of a plan that a reading of the application made. */
export const OF_READING = 'reading-';

/** What the guard says of a plan. */
export interface Guarded {
  readonly stopped: readonly GuardedPolicy[];
  /** What a confirmation must name; null if nothing is stopped. */
  readonly token: string | null;
  /** How many people of the stopped policies would lose their accounts. */
  readonly people: number;
  /** How many people of the stopped policies would get accounts. */
  readonly joiners: number;
}

/** Actions that are recorded passed the guard earlier. */
type Passed = Pick<StoredAction, 'kind' | 'people' | 'wanted'>;

const peopleOf = (
  open: readonly Passed[],
  kinds: readonly StoredAction['kind'][],
): ReadonlySet<string> =>
  new Set(
    open
      .filter((action) => kinds.includes(action.kind) && givenUpCode(action) === null)
      .flatMap(({ people }) => people),
  );

/**
 * Whether a plan would remove or give suspiciously many accounts (docs/provisioning.md: The guard).
 * As many people as a policy found when somebody set it may have accounts, until the guard has let
 * a plan pass (`passedAt`).
 */
export const guardOf = (
  policies: readonly Policy[],
  { leaving, joining }: Pick<Plan, 'leaving' | 'joining'>,
  managed: readonly ManagedAccount[],
  open: readonly Passed[] = [],
  passedAt: string | null = null,
  lost: ReadonlyMap<string, readonly string[]> = new Map(),
): Guarded => {
  const left = peopleOf(open, ['disable', 'delete']);
  const joined = peopleOf(open, ['ensure']);
  const newIn = (people: readonly string[] | undefined, passed: ReadonlySet<string>) =>
    (people ?? []).filter((person) => !passed.has(person)).sort();
  const judged = policies.map((policy) => {
    const { id, name, guard, changed, found } = policy;
    // Accounts that a reading found gone would be made again. They count like those of leavers.
    const leavers = [...new Set([...newIn(leaving.get(id), left), ...(lost.get(id) ?? [])])].sort();
    const joiners = newIn(joining.get(id), joined);
    const accounts = managed.filter(
      (account) => account.policy === id && (exists(account) || mayExist(account)),
    ).length;
    const isNew = passedAt === null || Date.parse(changed) > Date.parse(passedAt);
    const expected = isNew ? Math.max(0, found - accounts) : 0;
    const isTooMany = (people: number): boolean =>
      people > guard.number || (guard.share < 1 && people > Math.max(FEW, guard.share * accounts));
    const isStopped = isTooMany(leavers.length) || isTooMany(joiners.length - expected);
    return { id, name, leavers, joiners, accounts, isStopped };
  });
  const stopped = judged.filter(({ isStopped }) => isStopped);
  if (stopped.length === 0) return { stopped: [], token: null, people: 0, joiners: 0 };
  const counts = stopped.map(({ id, leavers, joiners }) => [id, leavers, joiners]);
  return {
    stopped: stopped.map(({ id, name, leavers, joiners, accounts }) => ({
      policy: id,
      name,
      people: leavers.length,
      joiners: joiners.length,
      accounts,
    })),
    token: `${lost.size > 0 ? OF_READING : ''}${digestOf(counts).slice(0, 32)}`,
    people: stopped.reduce((sum, { leavers }) => sum + leavers.length, 0),
    joiners: stopped.reduce((sum, { joiners }) => sum + joiners.length, 0),
  };
};
