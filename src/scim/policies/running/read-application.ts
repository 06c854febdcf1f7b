import { grouped } from '../../../model/grouped';
import type { ManagedAccount } from '../graph/records';
import { fold } from '../../../model/fold';
import { readAccount } from '../../client/accounts';
import type { Application } from '../../client/application';
import { idsIn, noteMembers, readGroup } from '../../client/groups';
import { type Json, textOf } from '../../client/json';
import { listResources } from '../../client/paging';
import { usableId } from '../../client/resource-path';
import { ScimFault } from '../../client/scim-fault';
import type { ExistingApplication } from '../planning/drift';

/** The people who show that they are in a group, if accounts show their groups; or else null. */
const membersByAccounts = (
  accounts: ReadonlyMap<string, Json>,
  group: string,
): ReadonlySet<string> | null => {
  const groupsOf = [...accounts].map(([id, account]) => [id, idsIn(account, 'groups')] as const);
  if (!groupsOf.some(([, groups]) => groups !== null && groups.size > 0)) return null;
  return new Set(groupsOf.filter(([, groups]) => groups?.has(group) === true).map(([id]) => id));
};

/** How many accounts that the list leaves out a reading requests by their ids. */
const MOST_LOOKS = 200;

/**
 * Requests accounts by their ids that the list left out: somebody may have deleted another one
 * while it was read. Returns those that are gone; adds those that exist. Of many it requests some,
 * at random; about the others nobody knows.
 */
const lookFor = async (
  application: Application,
  missing: readonly string[],
  accounts: Map<string, Json>,
  random: () => number,
): Promise<ReadonlySet<string>> => {
  const gone = new Set<string>();
  const first = Math.floor(random() * missing.length);
  const turned = [...missing.slice(first), ...missing.slice(0, first)];
  for (const id of turned.slice(0, MOST_LOOKS)) {
    try {
      const account = await readAccount(application, id);
      if (account === null) gone.add(id);
      else accounts.set(id, account.resource);
    } catch (error) {
      if (!(error instanceof ScimFault)) throw error;
      // Nobody knows about this one. A busy application gets no further requests.
      if (error.mayPass) break;
    }
  }
  return gone;
};

/** The groups that policies name, with the members that they show. */
const readGroups = async (
  application: Application,
  accounts: ReadonlyMap<string, Json>,
  groups: readonly string[],
): Promise<ExistingApplication['groups']> => {
  const { exchange, can } = application;
  const byName = grouped(groups, fold);
  const shown: { id: string; names: readonly string[]; members: ReadonlySet<string> | null }[] = [];
  let showsLists = exchange.profile.shows_all_members === true;
  for await (const resource of listResources(exchange, can, { endpoint: '/Groups' })) {
    const id = usableId(resource);
    if (id === null) continue;
    const members = noteMembers(application, resource);
    showsLists ||= members !== null && members.size > 0;
    const named = byName.get(fold(textOf(resource, 'displayName') ?? '')) ?? [];
    const names = new Set([...named, ...groups.filter((each) => each === id)]);
    if (names.size === 0) continue;
    const letters = [...(members ?? [])].reduce((sum, { length }) => sum + length, 0);
    exchange.hold(1 + (members?.size ?? 0), letters);
    shown.push({ id, names: [...names], members });
  }
  const membersOf = async ({
    id,
    members,
  }: (typeof shown)[number]): Promise<ReadonlySet<string> | null> => {
    // A list that may be cut does not show who is missing.
    if (exchange.profile.shows_all_members === false) return null;
    // A list that is present shows it, if the application has shown a member of any group.
    if (members !== null && (members.size > 0 || application.members.any)) return members;
    // Servers leave out the list of a group that nobody is in.
    if (members === null && showsLists) return new Set();
    const alone = members === null ? ((await readGroup(application, id))?.members ?? null) : null;
    if (alone !== null && (alone.size > 0 || application.members.any)) return alone;
    return exchange.profile.shows_all_members === true
      ? new Set()
      : membersByAccounts(accounts, id);
  };
  const found = new Map<string, ReadonlySet<string> | null>();
  for (const group of shown) {
    const members = await membersOf(group);
    for (const name of group.names) found.set(name, members);
  }
  return found;
};

/** Whether a record says that its account exists in the application. */
const isExpected = ({ state }: ManagedAccount): boolean =>
  state !== 'DELETED' && state !== 'RELEASED';

/**
 * Reads the accounts and groups of an application, page by page. It stores those accounts that are
 * recorded, and the members of groups that policies name. It requests a recorded account that no
 * page shows by its id, because only the application itself can say that it is gone.
 */
export const readApplication = async (
  application: Application,
  managed: readonly ManagedAccount[],
  groups: readonly string[],
  random: () => number,
): Promise<ExistingApplication> => {
  const { exchange, can } = application;
  const known = new Set(managed.flatMap(({ account }) => account ?? []));
  const accounts = new Map<string, Json>();
  for await (const resource of listResources(exchange, can, { endpoint: '/Users' })) {
    const id = usableId(resource);
    if (id === null || !known.has(id)) continue;
    exchange.holdAccount(resource);
    accounts.set(id, resource);
  }
  const missing = managed.flatMap((each) =>
    each.account !== null && isExpected(each) && !accounts.has(each.account) ? [each.account] : [],
  );
  const gone = await lookFor(application, missing, accounts, random);
  return {
    accounts,
    gone,
    groups: groups.length === 0 ? new Map() : await readGroups(application, accounts, groups),
  };
};
