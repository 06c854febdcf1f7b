import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { counted } from '../../codec/quote';
import type { SetTrustsRequest, TrustList, TrustsChanged } from './endpoints';
import { FailedStep, toFailure } from '../../neo4j/failure';
import { DataSourceBusy } from '../../push/graph/contract';
import { NO_PROVIDER } from '../../graph/records/of-provider';
import type { TrustedProvider, TrustRecords, TrustsSet } from './trust-records';
import { fold } from '../../model/fold';
import { plainDomain, type Trust } from '../../templates/graph/trusts';
import { badField, type Failure } from '../../problem';
import { providerEvent } from '../../graph/records/event';
import type { KeyAct } from '../../graph/records/event-record';
import { events } from './events';

/** What trusts depend on. */
export interface TrustDependencies {
  readonly trusts: TrustRecords;
  /** How many relationships an answer lists. */
  readonly listed: number;
}

/** A request to set what a provider may claim. */
export interface SetTrusts extends KeyAct {
  readonly provider: { readonly id: string; readonly name: string };
  readonly wanted: SetTrustsRequest;
  readonly isDryRun: boolean;
}

const trustAnswer = ({ id, trust }: TrustedProvider): TrustList['values'][number] => ({
  provider_id: id,
  provider: trust.provider,
  ...shownTrust(trust),
});

const shownTrust = ({ emailDomains, isOnlyThese, identityProviders }: Trust) => ({
  email_domains: emailDomains,
  only_these_domains: isOnlyThese,
  identity_providers: identityProviders,
});

/** Lists what administrators say about claims of providers. */
export const listTrusts =
  ({ trusts }: TrustDependencies) =>
  (): TE.TaskEither<Failure, TrustList> =>
    pipe(
      TE.tryCatch(() => trusts.list(), toFailure),
      TE.map((all) => ({ values: all.filter(({ hasTrusts }) => hasTrusts).map(trustAnswer) })),
    );

const refuse = (failure: Failure): never => {
  throw new FailedStep(failure);
};

/** The name of an identity provider that an administrator names by its id or name. */
const identityProviderOf = (all: readonly TrustedProvider[], text: string, at: number): string => {
  const pointer = `/identity_providers/${at}`;
  const found =
    all.find(({ id, trust }) => id === text || trust.provider === text) ??
    all.find(({ trust }) => fold(trust.provider) === fold(text));
  if (found === undefined) {
    return refuse(badField(pointer, 'UNKNOWN_REFERENCE', 'names no provider'));
  }
  if (found.template !== 'identity_provider') {
    return refuse(
      badField(pointer, 'UNKNOWN_VALUE', 'names a provider that is no identity provider'),
    );
  }
  if (found.state === 'DELETING') {
    return refuse(badField(pointer, 'UNKNOWN_VALUE', 'names a provider that is being deleted'));
  }
  return found.trust.provider;
};

const decided =
  ({ provider, wanted }: SetTrusts) =>
  (all: readonly TrustedProvider[]): Trust | null => {
    const own = all.find(({ id }) => id === provider.id) ?? refuse(NO_PROVIDER);
    if (own.state === 'DELETING') {
      refuse({ _tag: 'Conflict', message: 'The provider is being deleted.' });
    }
    const emailDomains = [...new Set((wanted.email_domains ?? []).map(plainDomain))].sort();
    const isOnlyThese = wanted.only_these_domains === true;
    const named = wanted.identity_providers ?? null;
    if (own.template === 'application' && (emailDomains.length > 0 || isOnlyThese)) {
      const pointer = emailDomains.length > 0 ? '/email_domains' : '/only_these_domains';
      const message = 'is for directories and HR systems: applications have no people of their own';
      refuse(badField(pointer, 'UNKNOWN_VALUE', message));
    }
    if (emailDomains.length === 0 && !isOnlyThese && named === null) return null;
    const identityProviders =
      named === null
        ? null
        : [...new Set(named.map((text, at) => identityProviderOf(all, text, at)))].sort();
    return { provider: own.trust.provider, emailDomains, isOnlyThese, identityProviders };
  };

const countsOf = ({ changes }: TrustsSet): { created: number; removed: number } => {
  const created = changes.filter(({ change }) => change === 'created').length;
  return { created, removed: changes.length - created };
};

const trustsSet =
  ({ provider, requestId, by }: SetTrusts) =>
  (set: TrustsSet) => {
    const { created, removed } = countsOf(set);
    return providerEvent(
      provider,
      { at: set.at.utc, requestId, by },
      {
        severity: 'WARNING',
        name: 'Trusts set',
        message: `What provider ${JSON.stringify(provider.name)} may claim was set: ${counted(removed, 'derived relationship')} removed, ${created} drawn.`,
        event_type: events.TRUSTS_SET,
        metadata: {
          trusts: shownTrust(set.after),
          before: shownTrust(set.before),
          created,
          removed,
        },
      },
    );
  };

/**
 * Sets what a provider may claim, and derives again what that concerns (docs/rules.md: Trusts). One
 * transaction does it all, under the derivation lock and within the time of a push: a request that is
 * killed leaves nothing, and one that is sent twice changes nothing more.
 */
export const setTrusts =
  ({ trusts, listed }: TrustDependencies) =>
  (request: SetTrusts): TE.TaskEither<Failure, TrustsChanged> =>
    pipe(
      TE.tryCatch(
        () =>
          trusts.set({
            provider: request.provider.id,
            holder: request.requestId,
            decide: decided(request),
            tell: trustsSet(request),
            isDryRun: request.isDryRun,
          }),
        (error): Failure =>
          error instanceof DataSourceBusy
            ? { _tag: 'Conflict', message: 'A push is running; try again later.' }
            : toFailure(error),
      ),
      TE.map((set) => ({
        provider_id: request.provider.id,
        provider: request.provider.name,
        ...shownTrust(set.after),
        dry_run: request.isDryRun,
        at: set.at.utc,
        changes: {
          ...countsOf(set),
          truncated: set.changes.length > listed,
          values: set.changes
            .toSorted((a, b) => (a.change === b.change ? 0 : a.change === 'removed' ? -1 : 1))
            .slice(0, listed)
            .map(({ change, type, from, to }) => ({ change, type, from, to })),
        },
      })),
    );
