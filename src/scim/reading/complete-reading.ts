import type { ImportedAccounts, ExistingIds } from './imported-accounts';
import type { Application } from '../client/application';
import { isMissing } from '../client/requests/exchange';
import { GROUP_ATTRIBUTES, noteMembers, readGroup } from '../client/groups';
import { fieldOf, type Json } from '../client/json';
import { listResources } from '../client/paging';
import { idOf } from '../client/resource-path';
import { ScimFault } from '../client/scim-fault';
import {
  accountEntry,
  definition,
  groupEntry,
  holdings,
  mentionedGroup,
  setFields,
  type Entry,
} from './entries';
import type { LeavesOut } from './leave-out';
import { withMissing } from './missing';
import { addTo, membershipsOf } from './memberships';
import { PayloadText } from './payload-text';
import {
  modifiedOf,
  type ReadAccount,
  readAccountOf,
  type ReadGroup,
  readGroupOf,
} from './read-resource';
import type { LeftOut } from './resource-text';
import { changedAfter, type Proof, proofsOf } from './since';

/** What an import needs of an application. */
export interface ImportOf {
  readonly application: Application;
  /** The name of the application in the payload, and its type. */
  readonly name: string;
  readonly type: string;
  readonly leavesOut: LeavesOut;
  /** Whether the settings may leave accounts out. */
  readonly leavesSomeOut: boolean;
  /** What earlier imports brought. */
  readonly existing: Pick<ImportedAccounts, 'all'>;
  readonly left: LeftOut;
  /** The largest payload that a push accepts. */
  readonly payloadBytes: number;
  /** Throws if the import must stop. */
  readonly goOn: () => void;
}

/** When resources were changed, by their ids. */
export type Times = Map<string, number | null>;

/** How many of each were read. */
export interface ReadCounts {
  readonly accounts: number;
  readonly groups: number;
  /** Null if the application shows no members, so that nobody knows. */
  readonly memberships: number | null;
  /** Accounts that the settings leave out. */
  readonly left_out: number;
  /** Members that are no account or group of the application. */
  readonly unknown_members: number;
}

/** A payload, as gzip, and what is known in addition. */
export interface WholeReading extends ReadCounts {
  readonly payload: Buffer;
  readonly accountTimes: Times;
  readonly groupTimes: Times;
}

/**
 * Lists resources, and looks after each whether the import must stop. A list that counts more than it
 * shows has a remark.
 */
async function* listed(
  { application, goOn, left }: Pick<ImportOf, 'application' | 'goOn' | 'left'>,
  endpoint: '/Users' | '/Groups',
  more: { readonly filter?: string; readonly without?: string; readonly only?: string } = {},
): AsyncGenerator<Json> {
  const { exchange, can } = application;
  const onShort = (counted: number, shown: number): void =>
    left.tellShort(endpoint, counted, shown);
  for await (const resource of listResources(exchange, can, { endpoint, onShort, ...more })) {
    goOn();
    yield resource;
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof ScimFault && error.code === 'TOO_LARGE';

/** Whether the application has no groups at all. */
const hasNone = (error: unknown): boolean =>
  isMissing(error) || (error instanceof ScimFault && error.code === 'NOT_OFFERED');

/** A group by itself, with its members; as the list had it, if it is gone by then. */
const readAlone = async (of: ImportOf, resource: Json): Promise<Json> => {
  of.goOn();
  return (await readGroup(of.application, idOf(resource)))?.resource ?? resource;
};

/** A group with its members. If a list leaves them out, the group itself is read. */
const withMembers = (of: ImportOf, resource: Json): Promise<Json> =>
  of.application.exchange.profile.shows_all_members === true ||
  Array.isArray(fieldOf(resource, 'members'))
    ? Promise.resolve(resource)
    : readAlone(of, resource);

/** Lists groups with their members; where a page with members is too large, each group by itself. */
async function* listedGroups(of: ImportOf, filter?: string): AsyncGenerator<Json> {
  const more = filter === undefined ? {} : { filter };
  let isFirst = true;
  try {
    for await (const resource of listed(of, '/Groups', more)) {
      isFirst = false;
      yield await withMembers(of, resource);
      const { onRequest } = of.application.members;
      if (!onRequest || Array.isArray(fieldOf(resource, 'members'))) continue;
      // From here on they come with the list.
      yield* listed(of, '/Groups', { ...more, only: GROUP_ATTRIBUTES });
      return;
    }
  } catch (error) {
    if (!isTooLarge(error) || !isFirst) throw error;
    for await (const resource of listed(of, '/Groups', { ...more, without: 'members' })) {
      yield await readAlone(of, resource);
    }
  }
}

/** Nothing where the application has no groups at all. */
async function* unlessNone(groups: AsyncGenerator<Json>): AsyncGenerator<Json> {
  let isFirst = true;
  try {
    for await (const group of groups) {
      isFirst = false;
      yield group;
    }
  } catch (error) {
    if (!isFirst || !hasNone(error)) throw error;
  }
}

const lettersOf = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0);

/** Counts what is held of a group. A member has an entry there, and one among its own groups. */
const holdGroup = ({ application }: ImportOf, { id, name, members }: ReadGroup): void => {
  const ids = (members ?? []).map((member) => member.id);
  application.exchange.hold(1 + 2 * ids.length, id.length + name.length + lettersOf(ids));
};

/** Counts what is held of an account: its roles and entitlements, until all are written. */
const holdHoldings = (
  { application }: ImportOf,
  { id, roles, entitlements }: Pick<ReadAccount, 'id' | 'roles' | 'entitlements'>,
): void => {
  const texts = [id, ...roles.flatMap((role) => [role.id, role.name]), ...entitlements];
  application.exchange.hold(2 * texts.length, lettersOf(texts));
};

/** The groups of an application, or those that changed. `existing` are those of earlier imports. */
export const readGroups = async (
  of: ImportOf,
  times: Times,
  filter?: string,
  existing: readonly string[] = [],
): Promise<ReadonlyMap<string, ReadGroup>> => {
  const groups = new Map<string, ReadGroup>();
  const all = (): AsyncGenerator<Json> => unlessNone(listedGroups(of, filter));
  for await (const resource of withMissing(of, '/Groups', all, existing)) {
    noteMembers(of.application, resource);
    const group = readGroupOf(resource, of.left);
    if (group === null) continue;
    groups.set(group.id, group);
    holdGroup(of, group);
    times.set(group.id, modifiedOf(resource));
  }
  return groups;
};

/** The accounts of an application, or those that changed, one after the other. */
export const accountsOf = (of: ImportOf, filter?: string): AsyncGenerator<Json> =>
  listed(of, '/Users', filter === undefined ? {} : { filter });

/** The accounts of a list. Fails if it shows none: an import would remove all. */
async function* unlessEmpty(accounts: AsyncGenerator<Json>): AsyncGenerator<Json> {
  let isEmpty = true;
  for await (const account of accounts) {
    isEmpty = false;
    yield account;
  }
  if (!isEmpty) return;
  throw new ScimFault(
    'EMPTY',
    'The application shows no account. An import would remove all, so nothing was changed.',
  );
}

/**
 * No group and no account shows who is in a group. The import reports that. If earlier imports have
 * seen members, and no group has a list any more, nobody knows what happened to them.
 */
const judgeUnseen = (
  { left }: Pick<ImportOf, 'left'>,
  { areMembers }: ExistingIds,
  groups: ReadonlyMap<string, ReadGroup>,
): void => {
  const hasLists = [...groups.values()].some(({ members }) => members !== null);
  if (areMembers && !hasLists) {
    throw new ScimFault(
      'MEMBERS_UNKNOWN',
      'The application shows the members of no group any more, so nothing was changed.',
    );
  }
  left.tell('The application shows no member of any group, so nobody knows who is in which.');
};

/**
 * Reads all groups and accounts of an application, and writes the payload of a full push. Accounts
 * come page by page, and none stays in memory.
 */
export const readWhole = async (of: ImportOf): Promise<WholeReading> => {
  const { name, type, left } = of;
  const groupTimes: Times = new Map();
  const accountTimes: Times = new Map();
  const existing = await of.existing.all();
  const groups = await readGroups(of, groupTimes, undefined, existing.groups);
  const { ofAccounts, ofGroups } = membershipsOf(groups, left);
  const mentioned = new Map<string, string | null>();
  const roles = new Map<string, string>();
  const permissions = new Set<string>();
  const held: Entry[] = [];
  let memberships = 0;
  let leftOut = 0;

  const text = new PayloadText(of.payloadBytes);
  await text.write(`{"custom_property_definition":${JSON.stringify(definition(type))},`);
  const head = JSON.stringify({ name, application_type: type }).slice(0, -1);
  await text.list(`"applications":[${head},"local_users":[`);
  let showsMembers = of.application.members.any;
  const all = (): AsyncGenerator<Json> => unlessEmpty(accountsOf(of));
  for await (const resource of withMissing(of, '/Users', all, existing.accounts)) {
    const isOut = of.leavesOut(resource);
    const account = readAccountOf(resource, left);
    if (account === null) continue;
    accountTimes.set(account.id, modifiedOf(resource));
    showsMembers ||= (account.groups ?? []).length > 0;
    for (const group of isOut ? [] : (account.groups ?? [])) {
      addTo(ofAccounts, account.id, group.id);
      if (groups.has(group.id) || mentioned.has(group.id)) continue;
      of.application.exchange.hold(1, group.id.length + (group.name ?? '').length);
      mentioned.set(group.id, group.name);
    }
    const inGroups = [...(ofAccounts.get(account.id) ?? [])];
    ofAccounts.delete(account.id);
    if (isOut) {
      leftOut += 1;
      continue;
    }
    memberships += inGroups.length;
    await text.entry(setFields({ ...accountEntry(account), groups: inGroups }));
    for (const role of account.roles) if (!roles.has(role.id)) roles.set(role.id, role.name);
    for (const entitlement of account.entitlements) permissions.add(entitlement);
    const statement = holdings(name, account);
    if (statement === null) continue;
    holdHoldings(of, account);
    held.push(statement);
  }
  await text.list('],"local_groups":[');
  const others = [...mentioned].map(([id, display]) => mentionedGroup(id, display));
  for (const group of [...groups.values(), ...others]) {
    const inGroups = [...(ofGroups.get(group.id) ?? [])];
    memberships += inGroups.length;
    await text.entry(setFields({ ...groupEntry(group), groups: inGroups }));
  }
  await text.list('],"local_roles":[');
  for (const [unique_id, role] of roles) await text.entry({ unique_id, name: role });
  await text.list(']}],"permissions":[');
  for (const permission of permissions) await text.entry({ name: permission });
  await text.list('],"identity_to_permissions":[');
  for (const statement of held) await text.entry(statement);
  await text.write(']}');
  const areSeen = groups.size === 0 || showsMembers;
  if (!areSeen) judgeUnseen(of, existing, groups);
  return {
    payload: await text.end(),
    accountTimes,
    groupTimes,
    accounts: accountTimes.size - leftOut,
    groups: groups.size + others.length,
    memberships: areSeen ? memberships : null,
    left_out: leftOut,
    unknown_members: ofAccounts.size,
  };
};

/** Whether a filter by time finds what it must find, and nothing older. */
const isProven = async (
  of: ImportOf,
  endpoint: '/Users' | '/Groups',
  { moment, changed }: Proof,
): Promise<boolean> => {
  const missing = new Set(changed);
  const more = { filter: changedAfter(moment), without: 'members' };
  for await (const resource of listed(of, endpoint, more)) {
    if ((modifiedOf(resource) ?? -Infinity) < moment) return false;
    missing.delete(idOf(resource));
    if (changed.length > 0 && missing.size === 0) return true;
  }
  return missing.size === 0;
};

/**
 * Whether the application finds by `meta.lastModified` what was changed. The service proves it,
 * because some applications ignore the filter, others refuse it, and others compare texts.
 */
export const findsChanges = async (
  of: ImportOf,
  endpoint: '/Users' | '/Groups',
  times: Times,
): Promise<boolean> => {
  const proofs = of.application.can.filter ? proofsOf(times) : null;
  if (proofs === null) return false;
  try {
    for (const proof of proofs) if (!(await isProven(of, endpoint, proof))) return false;
    return true;
  } catch (error) {
    if (error instanceof ScimFault && !error.mayPass) return false;
    throw error;
  }
};
