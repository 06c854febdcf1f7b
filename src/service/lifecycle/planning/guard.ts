import type { GuardedPolicy } from '../../../contract/answers/provisioning/lifecycle';
import type { ManagedAccount, StoredAction } from '../../../graph/lifecycle/records';
import { digestOf } from './digest';
import { mayStand, type Plan, stands } from './plan';
import type { Policy } from './policy';

/** So few people may always leave at once, unless the number of the guard is smaller. */
const FEW = 3;

/** What the guard says of a plan. */
export interface Guarded {
  readonly stopped: readonly GuardedPolicy[];
  /** What a confirmation must name; null if nothing is stopped. */
  readonly token: string | null;
  /** How many people of the stopped policies would lose their accounts. */
  readonly people: number;
}

/** Whether a plan would take away suspiciously many accounts (docs/provisioning.md: The guard). */
export const guardOf = (
  policies: readonly Policy[],
  { leaving }: Pick<Plan, 'leaving'>,
  managed: readonly ManagedAccount[],
  open: readonly Pick<StoredAction, 'kind' | 'people'>[] = [],
): Guarded => {
  // What is recorded already has passed the guard.
  const passed = new Set(
    open
      .filter(({ kind }) => kind === 'disable' || kind === 'delete')
      .flatMap(({ people }) => people),
  );
  const newOf = (id: string): readonly string[] =>
    (leaving.get(id) ?? []).filter((person) => !passed.has(person));
  const stopped = policies.flatMap(({ id, name, guard }) => {
    const people = newOf(id).length;
    const accounts = managed.filter(
      (account) => account.policy === id && (stands(account) || mayStand(account)),
    ).length;
    const isTooMany = people > guard.number || people > Math.max(FEW, guard.share * accounts);
    return isTooMany ? [{ policy: id, name, people, accounts }] : [];
  });
  if (stopped.length === 0) return { stopped, token: null, people: 0 };
  const told = stopped.map(({ policy }) => [policy, [...newOf(policy)].sort()]);
  return {
    stopped,
    token: digestOf(told).slice(0, 32),
    people: stopped.reduce((sum, { people }) => sum + people, 0),
  };
};
