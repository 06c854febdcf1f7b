import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Filter } from '../../../contract/filters/filter-grammar';
import type { Directory, MemberResource, StoredResource } from '../directory';
import { byCodeUnits } from '../../../model/fold';
import { badField, type Failure } from '../../../problem';
import { TooMuchWork, type Matches, type Work } from '../../filter/matching';
import { GROUP, named } from '../attributes';
import { type Entry, membership, waitingIn } from './entries';
import { matchesEntry } from '../matching';
import type { Member } from './client-values';

/** One step of what a request does with the members of a group. */
export type MembersStep =
  | { readonly _tag: 'add' | 'remove' | 'set'; readonly members: readonly Member[] }
  | {
      readonly _tag: 'remove fitting';
      readonly fits: (member: Member) => boolean;
      /** The ids of those who may fit; null: everybody. */
      readonly among: readonly string[] | null;
    };

/** What becomes of the members of a group. */
interface MembersChange {
  readonly added: readonly Member[];
  /** Ids. */
  readonly removed: ReadonlySet<string>;
}

/** The ids that a filter names one by one, and whether it says nothing else; null if it names none. */
const idsOf = (
  filter: Filter,
): { readonly ids: readonly string[]; readonly isAll: boolean } | null => {
  if (filter.kind === 'and') {
    const named = filter.parts.map(idsOf).find((ids) => ids !== null);
    return named === undefined ? null : { ids: named.ids, isAll: false };
  }
  if (filter.kind === 'or') {
    const all = filter.parts.map(idsOf);
    if (all.some((ids) => ids === null)) return null;
    const isAll = all.every((each) => each?.isAll === true);
    return { ids: all.flatMap((each) => each?.ids ?? []), isAll };
  }
  const isId =
    filter.kind === 'condition' &&
    filter.operator === 'eq' &&
    filter.property.toLowerCase() === 'value' &&
    filter.value !== null;
  return isId ? { ids: [filter.spelled], isAll: true } : null;
};

const MEMBERS = named(GROUP.attributes, 'members') as (typeof GROUP.attributes)[number];

/** The step that removes the members that fit a filter. Throws `FilterFault` if it is none. */
export const removal = (filter: Filter, work: Work): MembersStep => {
  const matches: Matches = matchesEntry(MEMBERS, filter);
  const named = idsOf(filter);
  if (named?.isAll === true) {
    return { _tag: 'remove', members: named.ids.map((id) => ({ id, kind: null })) };
  }
  const fits = ({ id, kind }: Member): boolean => matches({ value: id, type: kind }, work);
  return { _tag: 'remove fitting', fits, among: named?.ids ?? null };
};

/** Whether the steps depend on who is a member already. */
export const needsMembers = (steps: readonly MembersStep[]): boolean =>
  steps.some(({ _tag }) => _tag === 'set' || _tag === 'remove fitting');

const applied = (step: MembersStep, members: Map<string, Member>): Map<string, Member> => {
  switch (step._tag) {
    case 'set':
      return new Map(step.members.map((member) => [member.id, member]));
    case 'add':
      for (const member of step.members) members.set(member.id, member);
      return members;
    case 'remove':
      for (const { id } of step.members) members.delete(id);
      return members;
    case 'remove fitting': {
      const among = step.among?.flatMap((id) => members.get(id) ?? []) ?? members.values();
      for (const member of among) {
        if (step.fits(member)) members.delete(member.id);
      }
      return members;
    }
  }
};

/**
 * What the steps change, in order. `existing` are the members before; null if the steps do not
 * depend on them.
 */
const membersChange = (
  steps: readonly MembersStep[],
  existing: readonly Member[] | null,
): MembersChange => {
  const before = new Map((existing ?? []).map((member) => [member.id, member]));
  let after = new Map(before);
  const unwanted = new Set<string>();
  for (const step of steps) {
    after = applied(step, after);
    if (step._tag === 'remove') for (const { id } of step.members) unwanted.add(id);
  }
  const gone = existing === null ? unwanted : before.keys();
  return {
    added: [...after.values()].filter(({ id }) => !before.has(id)),
    removed: new Set([...gone].filter((id) => !after.has(id))),
  };
};

const boundedChange = (
  steps: readonly MembersStep[],
  existing: readonly Member[] | null,
): E.Either<Failure, MembersChange> => {
  try {
    return E.right(membersChange(steps, existing));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return E.left(error.failure ?? badField('/Operations', 'TOO_LONG', error.message));
  }
};

/** What a change of members becomes: entries of the members, and who waits at the group from then on. */
export interface Membership {
  readonly entries: readonly Entry[];
  readonly waiting: readonly string[];
}

const asMember = (kind: 'User' | 'Group', stored: StoredResource): MemberResource => ({
  kind,
  id: stored.id,
  identity: stored.identity,
  name: '',
});

/** A resource that gains or loses a group. */
interface Changing {
  readonly member: MemberResource;
  readonly before: ReadonlySet<string>;
  readonly after: Set<string>;
}

const existingOf = (
  directory: Directory,
  group: StoredResource | null,
  steps: readonly MembersStep[],
): TE.TaskEither<Failure, readonly Member[] | null> => {
  if (group === null) return TE.right([]);
  if (!needsMembers(steps)) return TE.right(null);
  return pipe(
    directory.members([group.key]),
    TE.map((members) => [
      ...(members.get(group.key) ?? []).map(({ id, kind }): Member => ({ id, kind })),
      ...waitingIn(group).map((id): Member => ({ id, kind: null })),
    ]),
  );
};

/**
 * Finds what the steps of a request change. Members are users and groups of the directory that name
 * the group among theirs; ids that the directory does not have yet wait at the group.
 */
export const membershipAfter = (
  directory: Directory,
  source: string,
  groupId: string,
  group: StoredResource | null,
  steps: readonly MembersStep[],
): TE.TaskEither<Failure, Membership> =>
  pipe(
    TE.Do,
    TE.bind('existing', () => existingOf(directory, group, steps)),
    TE.bind('change', ({ existing }) => TE.fromEither(boundedChange(steps, existing))),
    TE.let('ids', ({ change }) => [...change.added.map(({ id }) => id), ...change.removed]),
    TE.bind('users', ({ ids }) => found(directory, 'IdpUser', source, ids)),
    TE.bind('groups', ({ ids }) => found(directory, 'IdpGroup', source, ids)),
    TE.flatMapEither(({ change, users, groups }): E.Either<Failure, Membership> => {
      const changing = new Map<string, Changing>();
      const changes = (kind: 'User' | 'Group', stored: StoredResource): Set<string> => {
        const known = changing.get(stored.key);
        if (known !== undefined) return known.after;
        const ids = stored.groups.map(({ id }) => id);
        const [before, after] = [new Set(ids), new Set(ids)];
        changing.set(stored.key, { member: asMember(kind, stored), before, after });
        return after;
      };
      const waiting = new Set(group === null ? [] : waitingIn(group));
      for (const id of change.removed) {
        waiting.delete(id);
        const [user, inner] = [users.get(id), groups.get(id)];
        if (user !== undefined) changes('User', user).delete(groupId);
        if (inner !== undefined) changes('Group', inner).delete(groupId);
      }
      for (const { id, kind } of change.added) {
        const user = kind === 'Group' ? undefined : users.get(id);
        const inner = kind === 'User' ? undefined : groups.get(id);
        if (user !== undefined) changes('User', user).add(groupId);
        else if (id === groupId && kind !== 'User') {
          const message = 'a group cannot be its own member';
          return E.left(badField('/members', 'SELF_REFERENCE', message));
        } else if (inner !== undefined) changes('Group', inner).add(groupId);
        else waiting.add(id);
      }
      const entries = [...changing.values()]
        .filter(
          ({ before, after }) =>
            before.size !== after.size || ![...after].every((id) => before.has(id)),
        )
        .map(({ member, after }) => membership(member, after));
      return E.right({ entries, waiting: [...waiting].sort(byCodeUnits) });
    }),
  );

const found = (
  directory: Directory,
  label: 'IdpUser' | 'IdpGroup',
  source: string,
  ids: readonly string[],
): TE.TaskEither<Failure, ReadonlyMap<string, StoredResource>> =>
  ids.length === 0
    ? TE.right(new Map())
    : pipe(
        directory.byIds(label, source, ids),
        TE.map((all) => new Map(all.map((one) => [one.id, one]))),
      );
