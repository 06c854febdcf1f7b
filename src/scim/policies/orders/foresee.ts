import type { Provider } from '../../../contract/records/provider';
import { FailedStep } from '../../../neo4j/failure';
import type { Application } from '../../client/application';
import { isMember } from '../../client/members';
import { ScimFault } from '../../client/scim-fault';
import type { LifecycleDependencies } from '../dependencies';
import type { ManagedAccount } from '../graph/records';
import { openForRun } from '../running/prepare';
import { findIn, inWords, keeperOf, type Membership, shownDigest } from './membership';

/** What would become of an order to remove a member. */
export type Foreseen =
  | {
      /** What would be sent, in words. */
      readonly what: string;
      /** The ids of account and group in the application. */
      readonly account: string;
      readonly group: string;
      /** What was shown (`shownDigest`). */
      readonly wanted: string;
    }
  | {
      /** Why nothing would be sent. */
      readonly why: string;
    };

const one = async (
  application: Application,
  managed: readonly ManagedAccount[],
  membership: Membership,
): Promise<Foreseen> => {
  const found = await findIn(application, membership);
  const policy = keeperOf(managed, found);
  if (policy !== null) {
    return { why: `Policy ${policy} puts the account into the group: change the policy.` };
  }
  const is = await isMember(application, found.group, found.account);
  if (is === null) return { why: 'The application does not show whether it is a member.' };
  if (!is) return { why: 'The application shows that it is no member: import or push it.' };
  const { account, group } = { account: found.account.id, group: found.group.id };
  const wanted = shownDigest(application.exchange.base, found);
  return { what: inWords(found), account, group, wanted };
};

const failed = ({ code, message }: ScimFault): Foreseen => ({ why: `${code}: ${message}` });

/** Why nothing can be sent to the application at all; rethrows what is no reason. */
const reasonOf = (error: unknown): Foreseen => {
  if (error instanceof ScimFault) return failed(error);
  if (error instanceof FailedStep && ['NotFound', 'Conflict'].includes(error.failure._tag)) {
    return { why: error.failure.message };
  }
  throw error;
};

/**
 * Looks in an application what the removal of members would do, and changes nothing. What it finds
 * otherwise than the graph says it is nothing would be sent of.
 */
export const foreseeRemovals = async (
  dependencies: Pick<LifecycleDependencies, 'provisioning' | 'records'>,
  provider: Provider,
  memberships: readonly Membership[],
): Promise<readonly Foreseen[]> => {
  if (!provider.provisioning) {
    return memberships.map(() => ({ why: 'Provisioning of the provider is off.' }));
  }
  const { records } = dependencies;
  const { showsMembers } = await records.state(provider.id);
  const managed = await records.accounts(provider.id);
  let application: Application;
  try {
    application = await (await openForRun(dependencies, provider, true, showsMembers)).begin();
  } catch (error) {
    const reason = reasonOf(error);
    return memberships.map(() => reason);
  }
  const found: Foreseen[] = [];
  /** Why all further requests would fail too. */
  let down: Foreseen | null = null;
  for (const membership of memberships) {
    try {
      found.push(down ?? (await one(application, managed, membership)));
    } catch (error) {
      if (!(error instanceof ScimFault)) throw error;
      if (error.mayPass) down = failed(error);
      found.push(failed(error));
    }
  }
  return found;
};
