import type { ExistingGroup } from './imported-accounts';
import {
  accountEntry,
  type Entry,
  groupEntry,
  holdingLists,
  mentionedGroup,
  setFields,
} from './entries';
import { isGroup } from './memberships';
import type { NamedGroup, ReadAccount, ReadGroup } from './read-resource';
import type { LeftOut } from './resource-text';

/** What the graph holds of the accounts and groups that a change touches, by their ids. */
export interface Existing {
  /** For each account the groups that it is in. */
  readonly accounts: ReadonlyMap<string, ReadonlySet<string>>;
  readonly groups: ReadonlyMap<string, ExistingGroup>;
}

/** What changed in the application since the last reading. */
export interface Changes {
  readonly accounts: readonly ReadAccount[];
  readonly groups: ReadonlyMap<string, ReadGroup>;
  /** Ids of changed accounts that the settings leave out. */
  readonly leftOut: readonly string[];
  /** Whether lists of members may be cut, so that who is not in one may be a member. */
  readonly mayBeCut: boolean;
}

/** The payload of an increment, and how many members are unknown. */
export interface IncrementPayload {
  /** Null if nothing is to be done. */
  readonly payload: Entry | null;
  readonly memberships: number;
  readonly unknown_members: number;
}

/** The new groups of accounts and of groups. Those of other accounts and groups do not change. */
class Wanted {
  readonly sets = new Map<string, Set<string>>();

  constructor(private readonly existing: (id: string) => ReadonlySet<string>) {}

  private of(id: string): Set<string> {
    const set = this.sets.get(id) ?? new Set(this.existing(id));
    this.sets.set(id, set);
    return set;
  }

  add(id: string, group: string): void {
    this.of(id).add(group);
  }

  remove(id: string, group: string): void {
    this.of(id).delete(group);
  }

  /** The new groups of one; null if they do not change. */
  changed(id: string): readonly string[] | null {
    const set = this.sets.get(id);
    if (set === undefined) return null;
    const before = this.existing(id);
    const isSame = set.size === before.size && [...set].every((group) => before.has(group));
    return isSame ? null : [...set].sort();
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The entry of an account or group: new ones are added, others modified where groups are known. */
const entryOf = (exists: boolean, fields: Entry, groups: readonly string[] | null): Entry => {
  const withGroups = { ...fields, ...(groups === null ? {} : { groups }) };
  return exists
    ? { operation: 'modify', ...withGroups }
    : { operation: 'add', ...setFields(withGroups) };
};

/**
 * Makes the increment that brings the graph to what changed. Memberships belong to the member in
 * payloads and to the group in SCIM, so it reads what the graph holds.
 */
export const incrementPayload = (
  application: string,
  { accounts, groups, leftOut, mayBeCut }: Changes,
  existing: Existing,
  left: LeftOut,
): IncrementPayload => {
  const changed = new Map(accounts.map((account) => [account.id, account]));
  const isOut = new Set(leftOut);
  const ofAccounts = new Wanted((id) => existing.accounts.get(id) ?? NONE);
  const ofGroups = new Wanted((id) => existing.groups.get(id)?.groups ?? NONE);
  const isKnownGroup = (id: string): boolean => groups.has(id) || existing.groups.has(id);
  const isKnownAccount = (id: string): boolean => changed.has(id) || existing.accounts.has(id);
  const unknown = new Set<string>();

  for (const { id, members } of groups.values()) {
    if (members === null) continue;
    const listed = new Set<string>();
    const below = new Set<string>();
    for (const member of members) {
      if (isGroup(member, isKnownGroup)) {
        if (member.id === id) left.tell(`Group ${id} names itself as its member.`);
        else if (isKnownGroup(member.id)) below.add(member.id);
        else unknown.add(member.id);
      } else if (isKnownAccount(member.id) && !isOut.has(member.id)) listed.add(member.id);
      else if (!isOut.has(member.id)) unknown.add(member.id);
    }
    for (const account of listed) ofAccounts.add(account, id);
    for (const group of below) ofGroups.add(group, id);
    const before = existing.groups.get(id);
    for (const account of before?.accounts ?? []) {
      if (listed.has(account) || isOut.has(account)) continue;
      const own = changed.get(account)?.groups ?? null;
      const isNamed = own?.some((group) => group.id === id) ?? mayBeCut;
      if (!isNamed) ofAccounts.remove(account, id);
    }
    for (const group of before?.members ?? []) {
      if (!below.has(group) && !mayBeCut) ofGroups.remove(group, id);
    }
  }

  const mentioned = new Map<string, NamedGroup>();
  const roles = new Map<string, string>();
  const permissions = new Set<string>();
  for (const account of accounts) {
    for (const group of account.groups ?? []) {
      ofAccounts.add(account.id, group.id);
      if (!isKnownGroup(group.id)) mentioned.set(group.id, group);
    }
    for (const role of account.roles) if (!roles.has(role.id)) roles.set(role.id, role.name);
    for (const entitlement of account.entitlements) permissions.add(entitlement);
  }

  const touched = <A>(wanted: Wanted, read: ReadonlyMap<string, A>): readonly string[] =>
    [...wanted.sets.keys()].filter((id) => !read.has(id) && wanted.changed(id) !== null);
  const local_users = [
    ...accounts.map((account) =>
      entryOf(
        existing.accounts.has(account.id),
        accountEntry(account),
        ofAccounts.changed(account.id),
      ),
    ),
    ...touched(ofAccounts, changed).map((unique_id) => ({
      operation: 'modify',
      unique_id,
      groups: ofAccounts.changed(unique_id),
    })),
    ...leftOut
      .filter((id) => existing.accounts.has(id))
      .map((unique_id) => ({ operation: 'delete', unique_id })),
  ];
  const local_groups = [
    ...[...groups.values()].map((group) =>
      entryOf(existing.groups.has(group.id), groupEntry(group), ofGroups.changed(group.id)),
    ),
    ...[...mentioned.values()].map(({ id, name }) =>
      entryOf(false, groupEntry(mentionedGroup(id, name)), null),
    ),
    ...touched(ofGroups, groups).map((unique_id) => ({
      operation: 'modify',
      unique_id,
      groups: ofGroups.changed(unique_id),
    })),
  ];
  const identity_to_permissions = accounts
    .filter(
      ({ id, roles: held, entitlements }) =>
        existing.accounts.has(id) || held.length + entitlements.length > 0,
    )
    .map((account) => ({
      operation: 'modify',
      identity: account.id,
      identity_type: 'local_user',
      ...holdingLists(application, account.roles, account.entitlements),
    }));
  const memberships = [...ofAccounts.sets.keys()].filter((id) => ofAccounts.changed(id) !== null);
  return {
    payload:
      local_users.length + local_groups.length === 0
        ? null
        : {
            incremental_change: true,
            applications: [
              {
                name: application,
                local_users,
                local_groups,
                local_roles: [...roles].map(([unique_id, name]) => ({
                  operation: 'add',
                  unique_id,
                  name,
                })),
              },
            ],
            permissions: [...permissions].map((name) => ({ operation: 'add', name })),
            identity_to_permissions,
          },
    memberships: memberships.length,
    unknown_members: unknown.size,
  };
};
