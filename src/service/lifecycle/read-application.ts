import type { Application } from '../../scim/application';
import { isSame } from '../../scim/attribute';
import { idsIn } from '../../scim/groups';
import { type Json, textOf } from '../../scim/json';
import { idOf, listResources } from '../../scim/paging';
import type { StandingApplication } from './planning/drift';

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
  const members = new Map<string, ReadonlySet<string> | null>();
  if (groups.length === 0) return { accounts, groups: members };
  const byName = new Map<string, string[]>();
  for (const name of groups) {
    const folded = name.normalize('NFC').toLowerCase();
    byName.set(folded, [...(byName.get(folded) ?? []), name]);
  }
  const { shows_all_members: showsAll } = exchange.profile;
  for await (const resource of listResources(exchange, can, { endpoint: '/Groups' })) {
    const name = textOf(resource, 'displayName') ?? '';
    const names = [
      ...(byName.get(name.normalize('NFC').toLowerCase()) ?? []).filter((each) =>
        isSame('displayName', name, each),
      ),
      ...groups.filter((each) => each === idOf(resource)),
    ];
    if (names.length === 0) continue;
    const shown = idsIn(resource, 'members');
    // A list that may be cut does not tell who is missing.
    const told = showsAll === false ? null : (shown ?? (showsAll === true ? new Set() : null));
    for (const each of names) members.set(each, told as ReadonlySet<string> | null);
  }
  return { accounts, groups: members };
};
