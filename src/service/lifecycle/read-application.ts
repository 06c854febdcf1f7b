import { grouped } from '../../difference/grouped';
import { fold } from '../../model/fold';
import type { Application } from '../../scim/application';
import { idsIn } from '../../scim/groups';
import { type Json, textOf } from '../../scim/json';
import { idOf, listResources } from '../../scim/paging';
import type { StandingApplication } from './planning/drift';

/** Who shows to be in a group, where accounts show their groups; else null. */
const membersByAccounts = (
  accounts: ReadonlyMap<string, Json>,
  group: string,
): ReadonlySet<string> | null => {
  const groupsOf = [...accounts].map(([id, account]) => [id, idsIn(account, 'groups')] as const);
  if (!groupsOf.some(([, groups]) => groups !== null && groups.size > 0)) return null;
  return new Set(groupsOf.filter(([, groups]) => groups?.has(group) === true).map(([id]) => id));
};

/**
 * Reads the accounts and groups of an application, page by page. It keeps those accounts whose ids
 * are `known`, and the members of groups that policies name.
 */
export const readApplication = async (
  { exchange, can }: Application,
  known: ReadonlySet<string>,
  groups: readonly string[],
): Promise<StandingApplication> => {
  const accounts = new Map<string, Json>();
  for await (const resource of listResources(exchange, can, { endpoint: '/Users' })) {
    const id = idOf(resource);
    if (known.has(id)) accounts.set(id, resource);
  }
  if (groups.length === 0) return { accounts, groups: new Map() };
  const byName = grouped(groups, fold);
  const shown: { id: string; names: readonly string[]; members: ReadonlySet<string> | null }[] = [];
  let showsLists = exchange.profile.shows_all_members === true;
  for await (const resource of listResources(exchange, can, { endpoint: '/Groups' })) {
    const id = idOf(resource);
    const members = idsIn(resource, 'members');
    showsLists ||= members !== null;
    const named = byName.get(fold(textOf(resource, 'displayName') ?? '')) ?? [];
    const names = new Set([...named, ...groups.filter((each) => each === id)]);
    if (names.size > 0) shown.push({ id, names: [...names], members });
  }
  const membersOf = ({ id, members }: (typeof shown)[number]): ReadonlySet<string> | null => {
    // A list that may be cut does not tell who is missing.
    if (exchange.profile.shows_all_members === false) return null;
    // Servers leave out the list of a group that nobody is in.
    return members ?? (showsLists ? new Set() : membersByAccounts(accounts, id));
  };
  return {
    accounts,
    groups: new Map(
      shown.flatMap((group) => group.names.map((name) => [name, membersOf(group)] as const)),
    ),
  };
};
