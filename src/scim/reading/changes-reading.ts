import type { ImportedAccounts } from './imported-accounts';
import { readAccount } from '../client/accounts';
import type { Json } from '../client/json';
import {
  type Changes,
  incrementPayload,
  type IncrementPayload,
  type Existing,
} from './increment-payload';
import { isGroup } from './memberships';
import { modifiedOf, readAccountOf, type ReadAccount } from './read-resource';
import { changedAfter } from './since';
import {
  accountsOf,
  type ImportOf,
  readGroups,
  type ReadCounts,
  type Times,
} from './complete-reading';

/** What a reading of changes found. */
export interface ChangesReading extends ReadCounts, Pick<IncrementPayload, 'payload'> {
  readonly accountTimes: Times;
  readonly groupTimes: Times;
}

/** How many members that nobody knows are looked up in the application. */
const LOOKED_UP = 100;

/** Reads what changed after these moments; null: everything. */
export const readChanges = async (
  of: ImportOf,
  after: { readonly accounts: number; readonly groups: number | null },
  ask: ImportedAccounts,
): Promise<ChangesReading> => {
  const accountTimes: Times = new Map();
  const groupTimes: Times = new Map();
  const since = after.groups === null ? undefined : changedAfter(after.groups);
  const changed = await readGroups(of, groupTimes, since);
  const accounts = new Map<string, ReadAccount>();
  const leftOut = new Set<string>();
  const take = (resource: Json): void => {
    const account = readAccountOf(resource, of.left);
    if (account === null) return;
    accountTimes.set(account.id, modifiedOf(resource));
    if (of.leavesOut(resource)) leftOut.add(account.id);
    else {
      of.application.exchange.holdAccount(account);
      accounts.set(account.id, account);
    }
  };
  for await (const resource of accountsOf(of, changedAfter(after.accounts))) take(resource);

  // Who was left out until now may be in groups that have not changed since.
  const existing = await ask.accounts([...accounts.keys()]);
  const isBack = ({ id, created_at, groups: own }: ReadAccount): boolean =>
    own === null &&
    !existing.has(id) &&
    (created_at === null || Date.parse(created_at) <= after.accounts);
  const groups =
    of.leavesSomeOut && [...accounts.values()].some(isBack)
      ? await readGroups(of, groupTimes)
      : changed;

  const members = [...groups.values()].flatMap((group) => group.members ?? []);
  const named = [...accounts.values()].flatMap((account) => account.groups ?? []);
  const first = await ask.groups([
    ...new Set([...groups.keys(), ...members.map(({ id }) => id), ...named.map(({ id }) => id)]),
  ]);
  const below = [...groups.keys()].flatMap((id) => [...(first.get(id)?.members ?? [])]);
  const existingGroups = new Map([
    ...first,
    ...(await ask.groups(below.filter((id) => !first.has(id)))),
  ]);
  const isKnownGroup = (id: string): boolean => groups.has(id) || existingGroups.has(id);
  const inGroups = members.filter((member) => !isGroup(member, isKnownGroup)).map(({ id }) => id);
  const before = [...groups.keys()].flatMap((id) => [...(first.get(id)?.accounts ?? [])]);
  const existingAccounts = new Map(
    await ask.accounts([...new Set([...accounts.keys(), ...leftOut, ...inGroups, ...before])]),
  );
  // An account may have come between the two lists.
  const unknown = new Set(
    inGroups.filter((id) => !existingAccounts.has(id) && !accounts.has(id) && !leftOut.has(id)),
  );
  for (const id of [...unknown].slice(0, LOOKED_UP)) {
    of.goOn();
    const found = await readAccount(of.application, id);
    if (found !== null) take(found.resource);
  }
  const changes: Changes = {
    accounts: [...accounts.values()],
    groups,
    leftOut: [...leftOut],
    mayBeCut: of.application.exchange.profile.shows_all_members === false,
  };
  const held: Existing = { accounts: existingAccounts, groups: existingGroups };
  const { payload, memberships, unknown_members } = incrementPayload(
    of.name,
    changes,
    held,
    of.left,
  );
  return {
    payload,
    memberships,
    unknown_members,
    accountTimes,
    groupTimes,
    accounts: accounts.size,
    groups: groups.size,
    left_out: leftOut.size,
  };
};
