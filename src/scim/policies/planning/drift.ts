import type { Drift } from '../endpoints';
import type { ManagedAccount } from '../graph/records';
import { type Attributes, differing } from '../../client/attribute';
import type { Json } from '../../client/json';
import { idsOf } from '../../actions/known-account';
import type { DesiredAccount } from './policy';

/** An application, read completely. */
export interface ExistingApplication {
  /** Accounts by id. */
  readonly accounts: ReadonlyMap<string, Json>;
  /** Ids of which the application said that there is no such account (any more). */
  readonly gone: ReadonlySet<string>;
  /** Members by the name that policies use; null if the application does not show them. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/**
 * The differences, and the records of accounts as they would be if they described the present
 * state.
 */
export interface Drifted {
  readonly drift: readonly Drift[];
  readonly present: readonly ManagedAccount[];
}

const DISABLED: Attributes = new Map([['active', false]]);

/** Compares what policies last wrote with the present state of the application. */
export const driftOf = (
  managed: readonly ManagedAccount[],
  desired: ReadonlyMap<string, DesiredAccount>,
  { accounts, gone, groups }: ExistingApplication,
): Drifted => {
  const drift: Drift[] = [];
  const present = managed.map((each): ManagedAccount => {
    const { person, account, state, ignored, unsureGroups } = each;
    if (account === null || state === 'DELETED' || state === 'RELEASED') return each;
    const tell = (what: Drift['what'], details: readonly string[] = []): void => {
      drift.push({ person, account, what, details });
    };
    const resource = accounts.get(account);
    if (resource === undefined && !gone.has(account)) {
      // An account that a list leaves out may exist nevertheless.
      tell('not_shown');
      return each;
    }
    if (resource === undefined) {
      tell('account_gone');
      return {
        ...each,
        account: null,
        former: idsOf(each),
        digest: null,
        groups: [],
        unsureGroups: [],
      };
    }
    let changed = each;
    const wanted = desired.get(person);
    if (state === 'DISABLED') {
      if (differing(DISABLED, resource).size > 0) {
        tell('enabled', ['active']);
        changed = { ...changed, state: 'ACTIVE' };
      }
    } else if (wanted?.digest === each.digest) {
      const differences = [...differing(wanted.attributes, resource).keys()].filter(
        (path) => !ignored.includes(path),
      );
      if (differences.length > 0) {
        tell('attributes', differences);
        changed = { ...changed, digest: null };
      }
    }
    const has = new Set(each.groups);
    for (const [group, members] of groups) {
      if (members === null || unsureGroups.includes(group)) continue;
      if (has.has(group) && !members.has(account)) {
        tell('member_missing', [group]);
        has.delete(group);
      } else if (!has.has(group) && members.has(account)) {
        tell('member_added', [group]);
        has.add(group);
      }
    }
    return { ...changed, groups: [...has].sort() };
  });
  return { drift, present };
};
