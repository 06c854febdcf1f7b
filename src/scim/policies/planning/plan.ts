import type { ActionKind, ManagedAccount, StoredAction } from '../graph/records';
import { batches } from '../../client/members';
import type { Desired } from './desired';
import type { DesiredAccount, Policy } from './policy';
import { listAt } from '../../../model/grouped';

/** A planned action. */
export interface WantedAction {
  readonly kind: ActionKind;
  readonly policy: string;
  readonly people: readonly string[];
  readonly group: string | null;
  /** A text that is the same for actions that want the same. */
  readonly wanted: string;
  readonly why: string;
}

/** Why an action is given up before it begins; null if it may begin. */
export const givenUpCode = ({ wanted }: Pick<WantedAction, 'wanted'>): string | null =>
  /^(INCOMPLETE|TAKEN) /.exec(wanted)?.[1] ?? null;

/** The work of a run. */
export interface Plan {
  readonly actions: readonly WantedAction[];
  /** People who left, and whose policy only reports them. */
  readonly reported: readonly string[];
  /** People who would lose their accounts, by policy. */
  readonly leaving: ReadonlyMap<string, readonly string[]>;
  /** People who would get an account, or have theirs enabled, by policy. */
  readonly joining: ReadonlyMap<string, readonly string[]>;
  /** People who came back before their account was removed. */
  readonly returned: readonly string[];
}

/** The most people of one change of members. */
const MOST_MEMBERS = 100;

/** Whether an account may exist that nobody sees now: it may have been made, or one was known. */
export const mayExist = ({ account, former, isCreating, state }: ManagedAccount): boolean =>
  account === null &&
  (isCreating || former.length > 0) &&
  state !== 'DELETED' &&
  state !== 'RELEASED';

/** Whether an account exists in the application as far as the service knows. */
export const exists = ({ state, account }: ManagedAccount): boolean =>
  account !== null && state !== 'DELETED' && state !== 'RELEASED';

const ensureWhy = (managed: ManagedAccount | undefined, desired: DesiredAccount): string | null => {
  if (managed === undefined) return 'The policy finds the person, who has no account.';
  if (managed.account === null) return 'The account of the person is missing.';
  switch (managed.state) {
    case 'DISABLED':
      return 'A policy finds the person again, and the account is disabled.';
    case 'DELETED':
      return 'A policy finds the person again, and the account was deleted.';
    case 'RELEASED':
      return 'A policy finds the person again.';
    case 'ACTIVE':
    case 'LEAVING':
      return managed.digest === desired.digest ? null : 'What the account should be has changed.';
  }
};

const isEnabled = ({ state }: ManagedAccount): boolean => state === 'ACTIVE' || state === 'LEAVING';

/** How the account of a leaver is removed now; null if it is not. */
const takingOf = (
  account: ManagedAccount,
  { action, after_days }: Policy['leavers'],
  now: string,
): { readonly kind: 'disable' | 'delete'; readonly why: string } | null => {
  // Who is in no policy any more may still be employed.
  const none = 'No policy gives the person an account any more.';
  if (action === 'delete' && after_days === 0) return { kind: 'delete', why: none };
  if (isEnabled(account)) return { kind: 'disable', why: none };
  const { deleteAt } = account;
  return action === 'delete' && deleteAt !== null && deleteAt <= now
    ? {
        kind: 'delete',
        why: `No policy gives the person an account any more, and the ${after_days} days have passed.`,
      }
    : null;
};

/** Changes of members, by what changes, group and policy. */
class Members {
  private readonly people = new Map<string, string[]>();

  add(kind: ActionKind, group: string, policy: string, person: string): void {
    const key = JSON.stringify([kind, group, policy]);
    listAt(this.people, key).push(person);
  }

  of(kind: ActionKind, why: string): readonly WantedAction[] {
    return [...this.people].flatMap(([key, all]) => {
      const [each, group, policy] = JSON.parse(key) as [ActionKind, string, string];
      if (each !== kind) return [];
      return batches(all.sort(), MOST_MEMBERS).map((people) => ({
        kind,
        group,
        policy,
        people,
        wanted: group,
        why,
      }));
    });
  }
}

/**
 * Compares the accounts that people must have with those that policies have made. `policies` are
 * those that count; accounts of other policies do not change. `now` is in RFC 3339. People get into
 * groups when they have accounts; with `isForeseen` the plan includes that too.
 */
export const planOf = (
  policies: readonly Policy[],
  { accounts }: Pick<Desired, 'accounts'>,
  managed: readonly ManagedAccount[],
  now: string,
  incomplete: ReadonlySet<string> = new Set(),
  isForeseen = false,
): Plan => {
  const byId = new Map(policies.map((policy) => [policy.id, policy]));
  const byPerson = new Map(managed.map((each) => [each.person, each]));
  const ensures: WantedAction[] = [];
  const takings: WantedAction[] = [];
  const members = new Members();
  const reported: string[] = [];
  const returned: string[] = [];
  const leaving = new Map<string, string[]>();
  const joining = new Map<string, string[]>();

  for (const desired of accounts.values()) {
    const { person, digest } = desired;
    const [policy] = desired.policies;
    const account = byPerson.get(person);
    const why = ensureWhy(account, desired);
    if (why !== null) {
      ensures.push({ kind: 'ensure', policy, people: [person], group: null, wanted: digest, why });
      const has = account !== undefined && exists(account) && isEnabled(account);
      if (!has) listAt(joining, policy).push(person);
    } else if (account?.state === 'LEAVING') returned.push(person);
    const isThere = account !== undefined && exists(account) && !account.isCreating;
    if (!isThere && !isForeseen) continue;
    const has = new Set(isThere ? account.groups : []);
    const unsure = new Set(isThere ? account.unsureGroups : []);
    for (const group of desired.groups) {
      if (!has.has(group) || unsure.has(group)) members.add('add_members', group, policy, person);
    }
    for (const group of new Set([...has, ...unsure])) {
      if (!desired.groups.includes(group)) members.add('remove_members', group, policy, person);
    }
  }

  for (const account of managed) {
    const { person, groups, unsureGroups } = account;
    const policy = byId.get(account.policy);
    // The directory lacks a value of this person, which does not mean that they left.
    if (policy === undefined || accounts.has(person) || incomplete.has(person)) continue;
    if (!exists(account) && !mayExist(account)) continue;
    if (isEnabled(account) && policy.leavers.action === 'report') {
      reported.push(person);
      continue;
    }
    const taking = takingOf(account, policy.leavers, now);
    if (taking !== null) {
      const { kind, why } = taking;
      takings.push({ kind, policy: policy.id, people: [person], group: null, wanted: kind, why });
      listAt(leaving, policy.id).push(person);
    }
    // A deleted account leaves its groups by itself.
    if (taking?.kind === 'delete') continue;
    for (const group of new Set([...groups, ...unsureGroups])) {
      members.add('remove_members', group, policy.id, person);
    }
  }

  return {
    actions: [
      ...takings,
      ...ensures,
      ...members.of('remove_members', 'The policies do not put the people into this group.'),
      ...members.of('add_members', 'The policies put the people into this group.'),
    ],
    reported,
    leaving,
    joining,
    returned,
  };
};

/** The open actions that are still wanted, and the new ones. */
export interface Matched {
  /** Open actions that go on, with the people that they still are about. */
  readonly continued: readonly {
    readonly action: StoredAction;
    readonly people: readonly string[];
  }[];
  /** Open actions that nobody wants any more. */
  readonly dropped: readonly StoredAction[];
  readonly fresh: readonly WantedAction[];
}

const itemsOf = ({
  kind,
  people,
  group,
  wanted,
}: Pick<WantedAction, 'kind' | 'people' | 'group' | 'wanted'>): readonly (readonly [
  item: string,
  person: string,
])[] => people.map((person) => [JSON.stringify([kind, group, wanted, person]), person] as const);

/**
 * Finds which open actions cover what is wanted, so that an action keeps its count of tries, and
 * one that is given up does not begin again.
 */
export const matched = (
  wanted: readonly WantedAction[],
  open: readonly StoredAction[],
): Matched => {
  const left = new Set(wanted.flatMap((action) => itemsOf(action).map(([item]) => item)));
  const continued: { action: StoredAction; people: readonly string[] }[] = [];
  const dropped: StoredAction[] = [];
  for (const action of open) {
    const people = itemsOf(action).flatMap(([item, person]) => (left.delete(item) ? person : []));
    if (people.length > 0) continued.push({ action, people });
    else dropped.push(action);
  }
  const fresh = wanted.flatMap((action) => {
    const people = itemsOf(action).flatMap(([item, person]) => (left.has(item) ? person : []));
    return people.length === 0 ? [] : [{ ...action, people }];
  });
  return { continued, dropped, fresh };
};
