import { randomUUID } from 'node:crypto';

import type { ReleasedAccount } from './endpoints';
import type { Provider } from '../../contract/records/provider';
import { FailedStep } from '../../neo4j/failure';
import { LeaseLost } from './graph/lease';
import type { ManagedAccount, StoredAction } from './graph/records';
import { badField, type Failure } from '../../problem';
import type { Occasion } from '../../graph/records/event';
import type { LifecycleDependencies } from './dependencies';
import { mayExist, exists } from './planning/plan';
import { releasedEvent } from './policy-events';

/** Whose account to release: the key of the person, or the id of the account. */
export interface WantedRelease {
  readonly person: string | null;
  readonly account: string | null;
}

const conflict = (message: string): Failure => ({ _tag: 'Conflict', message });

const BUSY = conflict('The policies of the provider are running; try again when they are done.');

/**
 * The account that a policy manages. Rejects with `FailedStep` if there is none, or are several.
 */
const managedOf = (
  managed: readonly ManagedAccount[],
  { person, account }: WantedRelease,
): ManagedAccount => {
  const [found, ...others] = managed
    .filter((each) => each.policy !== '' && (exists(each) || mayExist(each)))
    .filter((each) =>
      person === null
        ? account !== null && [each.account, ...each.former].includes(account)
        : each.person === person,
    );
  if (found === undefined) {
    const message = 'No policy of the provider keeps such an account.';
    throw new FailedStep({ _tag: 'NotFound', message });
  }
  if (others.length > 0) {
    const people = [found, ...others].map((each) => JSON.stringify(each.person)).join(', ');
    throw new FailedStep(
      conflict(`A policy manages it for several people: ${people}; name one of them.`),
    );
  }
  return found;
};

/** Open actions without a person: those that go, and those that are left to others. */
const withoutPerson = (open: readonly StoredAction[], person: string) => {
  const about = open.filter(({ people }) => people.includes(person));
  const left = ({ people }: StoredAction): readonly string[] =>
    people.filter((each) => each !== person);
  return {
    dropped: about.filter((action) => left(action).length === 0).map(({ id }) => id),
    narrowed: about
      .filter((action) => left(action).length > 0)
      .map((action) => ({ id: action.id, people: left(action) })),
  };
};

/**
 * Releases the account that a policy manages for a person. It does not change in the application.
 * This happens under the lease, so that no run writes the record at the same time.
 */
export const releaseAccount = async (
  { records }: Pick<LifecycleDependencies, 'records'>,
  provider: Provider,
  wanted: WantedRelease,
  occasion: Occasion,
): Promise<ReleasedAccount> => {
  if (wanted.person !== null && wanted.account !== null) {
    const message = 'is named together with "person": name only one of them';
    throw new FailedStep(badField('/account', 'UNKNOWN_FIELD', message));
  }
  const lease = await records.take(provider.id, `release ${randomUUID()}`);
  if (lease === null) throw new FailedStep(BUSY);
  try {
    const managed = managedOf(await records.accounts(provider.id), wanted);
    const { person, account, policy } = managed;
    await lease.write({
      at: occasion.at,
      ...withoutPerson(await records.openActions(provider.id), person),
      accounts: [{ ...managed, state: 'RELEASED', until: occasion.at }],
      events: [releasedEvent(provider, occasion, managed)],
    });
    await records.ask(provider.id, null);
    return { person, account, policy };
  } catch (error) {
    throw error instanceof LeaseLost ? new FailedStep(BUSY) : error;
  } finally {
    await lease.release();
  }
};
