import { patchOf, replacementOf } from './account-body';
import { type Account, readAccount } from './accounts';
import type { Application } from './application';
import { idIn, type Json, objectsOf, spelled, textOf } from './json';
import { findGroup, type Group, groupPath, idsIn, readGroup, showsMembers } from './groups';
import { listResources, quoted } from './paging';
import { ScimFault } from './scim-fault';

/** What happened to one membership. */
export type MemberResult =
  | {
      readonly account: string;
      readonly outcome: 'added' | 'removed' | 'unchanged';
      /** Whether the application shows it; false in a dry run, and if it shows no members. */
      readonly confirmed: boolean;
    }
  | { readonly account: string; readonly fault: ScimFault };

/** A change of the members of a group. */
export type MemberChange = 'add' | 'remove';

// This way to remove members was found with django-scim2. Standard applications would remove all
// members, so it is used only if the profile says so.
const BY_VALUE =
  'It accepts no removal by path. If it removes members by value, say so in the profile of the ' +
  'connection (member_removal).';
const DONE = { add: 'added', remove: 'removed' } as const;
const LOOKS = 4;

/** Whether a filter finds this group. */
const finds = async (
  { exchange, can }: Application,
  group: string,
  member: string,
): Promise<boolean> => {
  const filter = `id eq ${quoted(group)} and members.value eq ${quoted(member)}`;
  const listing = { endpoint: '/Groups', filter, without: 'members' };
  for await (const found of listResources(exchange, can, listing)) {
    if (idIn(found, 'id') === group) return true;
  }
  return false;
};

/** No account has this id. If a filter finds it as a member, the server ignores the filter. */
const NOBODY = 'grantgraph-nobody';

/** Finds out by filter whether an account is a member; null if the application does not show it. */
const askedMember = async (
  application: Application,
  group: string,
  account: string,
): Promise<boolean | null> => {
  if (!application.can.filter) return null;
  try {
    if (!(await finds(application, group, account))) return null;
    return (await finds(application, group, NOBODY)) ? null : true;
  } catch (error) {
    if (error instanceof ScimFault && !error.mayPass) return null;
    throw error;
  }
};

/** The groups of which an account shows itself as a direct member; null if it shows none. */
const groupsOf = (account: Json): ReadonlySet<string> | null => {
  const entries = objectsOf(account, 'groups');
  if (entries === null) return null;
  const direct = entries.filter((entry) => textOf(entry, 'type')?.toLowerCase() !== 'indirect');
  return idsIn({ groups: direct }, 'groups');
};

/**
 * Whether a group shows all its members. An empty list proves that only if other groups show some.
 */
const isWhole = async (application: Application, { members }: Group): Promise<boolean> => {
  const { shows_all_members } = application.exchange.profile;
  if (shows_all_members !== null) return shows_all_members;
  if (members === null) return false;
  return members.size > 0 || showsMembers(application);
};

/**
 * Whether an account is a member of a group; null if the application does not show it. Some servers
 * cut groups of thousands, and others show no members at all, so the account and the filter are
 * used too.
 */
export const isMember = async (
  application: Application,
  group: Group,
  { id, resource }: Pick<Account, 'id' | 'resource'>,
): Promise<boolean | null> => {
  if (group.members?.has(id) === true) return true;
  const groups = groupsOf(resource);
  if (groups?.has(group.id) === true) return true;
  if (groups !== null && groups.size > 0) return false;
  if (await isWhole(application, group)) return false;
  return askedMember(application, group.id, id);
};

/**
 * Does something for all accounts at once. If that is refused, it does it for each half, down to
 * single accounts.
 */
const inHalves = async (
  accounts: readonly Account[],
  work: (some: readonly Account[]) => Promise<void>,
): Promise<ReadonlyMap<string, ScimFault>> => {
  try {
    await work(accounts);
    return new Map();
  } catch (error) {
    if (!(error instanceof ScimFault)) throw error;
    const isAboutMembers = error.code === 'REFUSED' && error.details.status !== 403;
    if (!isAboutMembers || accounts.length === 1) {
      return new Map(accounts.map(({ id }) => [id, error]));
    }
    const middle = Math.ceil(accounts.length / 2);
    const first = await inHalves(accounts.slice(0, middle), work);
    return new Map([...first, ...(await inHalves(accounts.slice(middle), work))]);
  }
};

const patchBody = (
  application: Application,
  change: MemberChange,
  ids: readonly string[],
): Json => {
  const value = ids.map((id) => ({ value: id }));
  if (change === 'add') return patchOf([{ op: 'add', path: 'members', value }]);
  return application.exchange.profile.member_removal === 'value'
    ? patchOf([{ op: 'remove', path: 'members', value }])
    : patchOf(ids.map((id) => ({ op: 'remove', path: `members[value eq ${quoted(id)}]` })));
};

/** The complete list after a change. Fails if the group does not show its complete list. */
const wholeList = async (
  application: Application,
  group: Group,
  change: MemberChange,
  ids: readonly string[],
): Promise<readonly Json[]> => {
  const { name, resource } = group;
  if (!(await isWhole(application, group))) {
    throw new ScimFault(
      'MEMBERS_UNKNOWN',
      `The group ${JSON.stringify(name)} accepts no PATCH and does not show all its members, ` +
        'so its list cannot be written without losing some. If it shows all, say so in the profile ' +
        'of the connection (shows_all_members).',
    );
  }
  const entries = objectsOf(resource, 'members') ?? [];
  // An earlier request whose answer was lost may have added some already.
  const there = new Set(entries.map((entry) => idIn(entry, 'value')));
  return change === 'add'
    ? [...entries, ...ids.filter((id) => !there.has(id)).map((id) => ({ value: id }))]
    : entries.filter((entry) => !ids.includes(idIn(entry, 'value') ?? ''));
};

/**
 * Writes the complete list of a group that accepts no PATCH. Somebody may change the list in
 * between.
 */
const replaceMembers = async (
  application: Application,
  group: string,
  change: MemberChange,
  ids: readonly string[],
): Promise<void> => {
  await application.exchange.persist(async () => {
    const now = await needGroup(application, group);
    const { resource, etag } = now;
    const list = await wholeList(application, now, change, ids);
    const body = {
      ...replacementOf(resource, new Map()),
      [spelled(resource, 'members')]: list,
    };
    await application.exchange.write(
      'PUT',
      groupPath(group),
      body,
      application.can.etag ? etag : null,
    );
  });
};

const needGroup = async (application: Application, id: string): Promise<Group> => {
  const group = await readGroup(application, id);
  if (group !== null) return group;
  throw new ScimFault('NO_GROUP', `The group ${id} is gone.`);
};

const changeSome =
  (application: Application, group: Group, change: MemberChange, refused: Set<MemberChange>) =>
  async (accounts: readonly Account[]): Promise<void> => {
    const { exchange, can } = application;
    const ids = accounts.map(({ id }) => id);
    if (!can.patch) return replaceMembers(application, group.id, change, ids);
    try {
      // To add a member twice, or to remove one that is gone, changes nothing, so the request may
      // be sent again.
      await exchange.persist(() =>
        exchange.write('PATCH', groupPath(group.id), patchBody(application, change, ids)),
      );
    } catch (error) {
      if (!(error instanceof ScimFault) || error.code !== 'NOT_OFFERED') throw error;
      refused.add(change);
      await replaceMembers(application, group.id, change, ids);
    }
  };

/** Cuts a list into pieces of a size. */
export const batches = <A>(all: readonly A[], size: number): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );

/** Other members that a group showed before and no longer shows. */
const lostOf = (before: Group, after: Group, changed: ReadonlySet<string>): readonly string[] =>
  before.members === null || after.members === null
    ? []
    : [...before.members].filter((id) => !changed.has(id) && after.members?.has(id) === false);

/** A group that showed members, and now shows no list, has none left. */
const shownAfter = (before: Group, after: Group): Group =>
  before.members !== null && after.members === null ? { ...after, members: new Set() } : after;

/** Looks whether the memberships are as wanted, until they are. */
const confirmMembers = async (
  application: Application,
  before: Group,
  change: MemberChange,
  accounts: readonly Account[],
  hint: string,
): Promise<readonly MemberResult[]> => {
  const changed = new Set(accounts.map(({ id }) => id));
  const results = new Map<string, MemberResult>();
  for (let look = 1; look <= LOOKS && results.size < accounts.length; look += 1) {
    if (look > 1) await application.exchange.wait(look - 1);
    const after = shownAfter(before, await needGroup(application, before.id));
    const lost = lostOf(before, after, changed);
    for (const account of accounts.filter(({ id }) => !results.has(id))) {
      const { id } = account;
      // Usually the list of the group shows it. Only if it does not, the account is read again.
      const isListed = after.members?.has(id) === true;
      const fresh = isListed && change === 'add' ? account : await readAccount(application, id);
      const is = await isMember(application, after, fresh ?? { id, resource: {} });
      if (is !== null && is !== (change === 'add')) continue;
      results.set(id, { account: id, outcome: DONE[change], confirmed: is !== null });
    }
    if (lost.length > 0) {
      const named = lost.slice(0, 5).join(', ');
      const fault = new ScimFault(
        'MEMBERS_LOST',
        `The group has lost ${lost.length} other members with the change: ${named}.`,
      );
      return accounts.map(({ id }) => ({ account: id, fault }));
    }
  }
  return accounts.map(
    ({ id }) =>
      results.get(id) ?? {
        account: id,
        fault: new ScimFault(
          'NO_EFFECT',
          `The change of the group was answered with success, but account ${id} was not ${DONE[change]}.${hint}`,
        ),
      },
  );
};

/**
 * Adds accounts to a group, or removes them. If the application refuses one, it goes on with the
 * others. The other members of the group do not change.
 */
export const changeMembers = async (
  application: Application,
  name: string,
  change: MemberChange,
  accounts: readonly Account[],
): Promise<readonly MemberResult[]> =>
  changeMembersOf(application, await findGroup(application, name), change, accounts);

/** Changes the members of a group that the caller has found. */
export const changeMembersOf = async (
  application: Application,
  group: Group,
  change: MemberChange,
  accounts: readonly Account[],
): Promise<readonly MemberResult[]> => {
  const { exchange } = application;
  const distinct = [...new Map(accounts.map((account) => [account.id, account])).values()];
  const results = new Map<string, MemberResult>();
  const due: Account[] = [];
  for (const account of distinct) {
    const is = await isMember(application, group, account);
    if (is === (change === 'add')) {
      const { id } = account;
      results.set(id, { account: id, outcome: 'unchanged', confirmed: !exchange.isDryRun });
    } else due.push(account);
  }
  const sent: Account[] = [];
  const refused = new Set<MemberChange>();
  for (const some of batches(due, exchange.profile.members_at_once)) {
    const faults = await inHalves(some, changeSome(application, group, change, refused));
    for (const [account, fault] of faults) results.set(account, { account, fault });
    sent.push(...some.filter(({ id }) => !faults.has(id)));
  }
  const changed: readonly MemberResult[] = exchange.isDryRun
    ? sent.map(({ id }) => ({ account: id, outcome: DONE[change], confirmed: false }))
    : sent.length === 0
      ? []
      : await confirmMembers(
          application,
          group,
          change,
          sent,
          refused.has('remove') && exchange.profile.member_removal === 'path' ? BY_VALUE : '',
        );
  for (const each of changed) results.set(each.account, each);
  return distinct.map(({ id }) => results.get(id) as MemberResult);
};
