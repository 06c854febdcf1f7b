import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AccountOfPolicy } from '../connections/connection-records';
import { fold } from '../../model/fold';
import type { Failure } from '../../problem';
import type { Who } from '../client/accounts';
import type { Acting, ProvisioningDependencies } from '../connections/reaching';

/**
 * A policy manages the account for somebody else (docs/provisioning.md: Joiners, movers and
 * leavers).
 */
export class ManagedForOther extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Which accounts a call by hand may look at and change for a person. */
interface Mine {
  /** Throws `ManagedForOther` if a policy manages the account for somebody else. */
  readonly isOthers: (account: string) => boolean;
  /** Whether no policy manages the account for somebody else. */
  readonly isFree: (account: string) => boolean;
}

/** The accounts that policies manage for people, as a call by hand sees them. */
export interface ManagedAccounts {
  /**
   * Throws `ManagedForOther` if a policy manages, for somebody else, an account by which the person
   * would be found.
   */
  of(person: string, who: Who): Mine;
  /** Throws `ManagedForOther` if a policy manages the account for anybody. */
  refuseManaged(account: string): void;
}

const FORCED: ManagedAccounts = {
  of: () => ({ isOthers: () => false, isFree: () => true }),
  refuseManaged: () => undefined,
};

const conflict = (message: string): never => {
  throw new ManagedForOther({ _tag: 'Conflict', message });
};

const sameLogin = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && fold(a) === fold(b);

/**
 * Reads which accounts policies manage. A key that is limited to providers does not see for whom.
 * With `isForced` all accounts are free.
 */
export const managedAccountsOf = (
  { connections }: Pick<ProvisioningDependencies, 'connections'>,
  { provider, limitedTo }: Acting,
  isForced: boolean,
): TE.TaskEither<Failure, ManagedAccounts> => {
  if (isForced) return TE.right(FORCED);
  const refused = (what: string, { person, policy }: AccountOfPolicy): never => {
    const whom =
      limitedTo === null ? `${JSON.stringify(person)} (policy ${policy})` : 'somebody else';
    return conflict(
      `A policy manages ${what} for ${whom}; nothing was done. Release it with policies:release, or send "force": true.`,
    );
  };
  return pipe(
    connections.managed(provider.id),
    TE.map((managed): ManagedAccounts => {
      const byId = new Map(managed.flatMap((one) => one.ids.map((id) => [id, one] as const)));
      const keeperOf = (account: string): AccountOfPolicy | undefined => byId.get(account);
      return {
        of: (person, { externalId, userName }) => {
          const isKeeper = managed.some((one) => one.person === person);
          const other = managed.find(
            (one) =>
              one.person !== person &&
              ((externalId !== null && one.externalId === externalId) ||
                sameLogin(one.userName, userName)),
          );
          // Who has an account of their own is found by its id.
          if (other !== undefined && !isKeeper) {
            refused('the account with this external id or login', other);
          }
          const others = (account: string): AccountOfPolicy | undefined => {
            const keeper = keeperOf(account);
            return keeper === undefined || keeper.person === person ? undefined : keeper;
          };
          return {
            isOthers: (account) => {
              const keeper = others(account);
              return keeper === undefined ? false : refused(`account ${account}`, keeper);
            },
            isFree: (account) => others(account) === undefined,
          };
        },
        refuseManaged: (account) => {
          const keeper = keeperOf(account);
          if (keeper !== undefined) refused(`account ${account}`, keeper);
        },
      };
    }),
  );
};
