import { fold } from '../../../model/fold';
import type { ManagedAccount } from '../graph/records';
import type { Desired } from './desired';
import { mayExist, exists } from './plan';
import type { DesiredAccount, IncompletePerson } from './policy';

/** Values by which an application may confuse two people. */
const claimsOf = ({
  externalId,
  userName,
}: Pick<ManagedAccount, 'externalId' | 'userName'>): readonly (readonly [
  field: 'externalId' | 'userName',
  claim: string,
])[] => [
  ...(externalId === null ? [] : [['externalId', `externalId ${externalId}`] as const]),
  ...(userName === null ? [] : [['userName', `userName ${fold(userName)}`] as const]),
];

/** People by what they claim. */
const byClaim = (
  all: Iterable<readonly [string, Pick<ManagedAccount, 'externalId' | 'userName'>]>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const people = new Map<string, Set<string>>();
  for (const [person, who] of all) {
    for (const [, claim] of claimsOf(who)) {
      const set = people.get(claim);
      if (set === undefined) people.set(claim, new Set([person]));
      else set.add(person);
    }
  }
  return people;
};

/** Why a person may not have their account now; null if nobody else has a claim to it. */
const contestOf = (
  { person, who, policies }: DesiredAccount,
  managed: ReadonlyMap<string, ReadonlySet<string>>,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): IncompletePerson | null => {
  for (const [field, claim] of claimsOf(who)) {
    const keepers = managed.get(claim);
    if (keepers?.has(person) === true) continue;
    const others = keepers ?? wanted.get(claim);
    const other = [...(others ?? [])].find((each) => each !== person);
    if (other === undefined) continue;
    const why =
      keepers === undefined
        ? `${other} would have the same ${field}, and nobody can say which of the two it means`
        : `the account with this ${field} is managed for ${other}`;
    const policy = policies[0];
    return { person, policy, code: 'TAKEN', message: `Nothing is done for ${person}: ${why}.` };
  }
  return null;
};

/**
 * Leaves out people who claim an account that is managed for somebody else, or that somebody else
 * claims too. The same external id or login in two directories is not the same person
 * (docs/security.md: Who may say what about others).
 */
export const withoutContested = (
  { accounts, incomplete }: Desired,
  managed: readonly ManagedAccount[],
): Desired => {
  const managedByClaim = byClaim(
    managed
      .filter((account) => exists(account) || mayExist(account))
      .map((account) => [account.person, account]),
  );
  const wanted = byClaim([...accounts.values()].map(({ person, who }) => [person, who]));
  const contested = [...accounts.values()].flatMap(
    (account) => contestOf(account, managedByClaim, wanted) ?? [],
  );
  if (contested.length === 0) return { accounts, incomplete };
  const left = new Map(accounts);
  for (const { person } of contested) left.delete(person);
  return { accounts: left, incomplete: [...incomplete, ...contested] };
};
