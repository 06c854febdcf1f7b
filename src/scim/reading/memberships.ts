import type { ReadGroup, ReadMember } from './read-resource';
import type { LeftOut } from './resource-text';

type Sets = Map<string, Set<string>>;

/** Adds a value to the set of a key. */
export const addTo = (sets: Sets, key: string, value: string): void => {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
};

/** Whether a member is a group. If the application does not say so, its id decides. */
export const isGroup = ({ id, kind }: ReadMember, isKnown: (group: string) => boolean): boolean =>
  kind === null ? isKnown(id) : kind === 'group';

/** Who is in which groups, by the lists of the groups. */
export interface Memberships {
  /** For each account its groups. */
  readonly ofAccounts: Sets;
  /** For each group the groups that it is in. */
  readonly ofGroups: Sets;
}

/**
 * Turns the lists of members around. A group that names itself, or an unknown member, is reported.
 */
export const membershipsOf = (
  groups: ReadonlyMap<string, ReadGroup>,
  left: LeftOut,
): Memberships => {
  const ofAccounts: Sets = new Map();
  const ofGroups: Sets = new Map();
  const isKnown = (group: string): boolean => groups.has(group);
  for (const { id, members } of groups.values()) {
    for (const member of members ?? []) {
      if (!isGroup(member, isKnown)) addTo(ofAccounts, member.id, id);
      else if (member.id === id) left.tell(`Group ${id} names itself as its member.`);
      else if (isKnown(member.id)) addTo(ofGroups, member.id, id);
      else
        left.tell(`Group ${id} names the group ${member.id}, which the application does not have.`);
    }
  }
  return { ofAccounts, ofGroups };
};
