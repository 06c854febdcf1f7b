import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Connection } from './endpoints';
import type { Provider } from '../../contract/records/provider';
import type { SetConnectionRequest } from './endpoints';
import type { StoredConnection } from './connection-records';
import type { Failure } from '../../problem';
import { Exchange } from '../client/requests/exchange';
import { signInWith } from '../client/requests/sign-in';
import { seal, SealBroken, unseal } from '../../secrets/vault';
import { providerEvent } from '../../graph/records/event';
import type { KeyAct } from '../../graph/records/event-record';
import {
  connectionOf,
  openSettings,
  type OpenSettings,
  publicAndSecret,
  shownConnection,
  withSecret,
} from './connection-settings';
import type { ProvisioningDependencies } from './reaching';
import { events } from './events';

const noConnection: Failure = {
  _tag: 'NotFound',
  message: 'The provider has no connection to an application.',
};

const now = (): string => new Date().toISOString();

/**
 * Only providers that say so represent an application with SCIM (spec: Register provider request).
 */
const isScim = ({ external_lifecycle_management_type: type }: Provider): boolean =>
  type?.toUpperCase() === 'SCIM';

/** Refuses a provider that does not represent an application with SCIM. */
export const needsScim = (provider: Provider): E.Either<Failure, Provider> =>
  isScim(provider)
    ? E.right(provider)
    : E.left({
        _tag: 'Conflict',
        message:
          'The provider is not registered for SCIM: set its external_lifecycle_management_type to SCIM.',
      });

/**
 * The owner of a sealed secret: the provider, and everything that says where the service sends it.
 * So somebody who writes to the graph cannot have it sent elsewhere (docs/security.md: Secrets of
 * applications).
 */
export const boundTo = (
  provider: string,
  { base_url, authentication }: Pick<StoredConnection, 'base_url' | 'authentication'>,
): string => JSON.stringify(['connection', provider, base_url, authentication]);

const vaultKeyOf = ({ vaultKey }: ProvisioningDependencies) =>
  TE.tryCatch(vaultKey, (cause): Failure => ({
    _tag: 'Internal',
    cause,
    message: 'The key that seals secrets cannot be read.',
  }));

/** Sets the connection of a provider, and writes an event. */
export const setConnection =
  (dependencies: ProvisioningDependencies) =>
  (
    provider: Provider,
    request: SetConnectionRequest,
    act: KeyAct,
  ): TE.TaskEither<Failure, Connection> =>
    pipe(
      TE.fromEither(needsScim(provider)),
      TE.flatMapEither(() => connectionOf(dependencies.allowed, request)),
      TE.bindTo('settings'),
      TE.bind('key', () => vaultKeyOf(dependencies)),
      TE.flatMap(({ settings, key }) => {
        const [open, secret] = publicAndSecret(settings.authentication);
        const sent = { base_url: settings.base, authentication: JSON.stringify(open) };
        return dependencies.connections.set(
          provider.id,
          {
            ...sent,
            secrets: seal(key, boundTo(provider.id, sent), secret),
            attributes: JSON.stringify(Object.fromEntries(settings.mapping)),
            profile: JSON.stringify(settings.profile),
          },
          providerEvent(
            provider,
            { at: now(), ...act },
            {
              severity: 'INFO',
              name: 'Connection set',
              event_type: events.SCIM_CONNECTION_SET,
              message: `Provider ${JSON.stringify(provider.name)} has a connection to its application.`,
              metadata: { base_url: settings.base, authentication: open },
            },
          ),
        );
      }),
      TE.map(shownConnection),
    );

const stored = (
  { connections }: Pick<ProvisioningDependencies, 'connections'>,
  { id }: Pick<Provider, 'id'>,
): TE.TaskEither<Failure, StoredConnection> =>
  pipe(
    connections.find(id),
    TE.flatMap((found) => (found === null ? TE.left(noConnection) : TE.right(found))),
  );

/** Finds the connection of a provider, without secrets. */
export const findConnection =
  (dependencies: Pick<ProvisioningDependencies, 'connections'>) =>
  (provider: Provider): TE.TaskEither<Failure, Connection> =>
    pipe(stored(dependencies, provider), TE.map(shownConnection));

/** Removes the connection of a provider with its secrets, and writes an event. */
export const removeConnection =
  ({ connections }: Pick<ProvisioningDependencies, 'connections'>) =>
  (provider: Provider, act: KeyAct): TE.TaskEither<Failure, void> =>
    pipe(
      connections.remove(
        provider.id,
        providerEvent(
          provider,
          { at: now(), ...act },
          {
            severity: 'INFO',
            name: 'Connection removed',
            event_type: events.SCIM_CONNECTION_REMOVED,
            message: `Provider ${JSON.stringify(provider.name)} has no connection any more.`,
          },
        ),
      ),
      TE.flatMap((isRemoved) => (isRemoved ? TE.right(undefined) : TE.left(noConnection))),
    );

/** A connection that is open for one action. */
export interface OpenConnection {
  readonly settings: OpenSettings;
  readonly exchange: Exchange;
  /** Begins another action with the same sign-in. */
  readonly another: () => Exchange;
}

const unsealed = (
  key: Parameters<typeof unseal>[0],
  provider: Provider,
  connection: StoredConnection,
): E.Either<Failure, string> => {
  try {
    return E.right(unseal(key, boundTo(provider.id, connection), connection.secrets));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return E.left({ _tag: 'Conflict', message: `${error.message} Set the connection again.` });
  }
};

/**
 * Opens the connection of a provider for one action. Secrets that the application repeats are
 * masked in all its answers, unless the caller checks each text itself (`hidesSecrets`).
 */
export const openConnection = (
  dependencies: ProvisioningDependencies,
  provider: Provider,
  {
    isDryRun,
    hidesSecrets = true,
  }: { readonly isDryRun: boolean; readonly hidesSecrets?: boolean },
): TE.TaskEither<Failure, OpenConnection> =>
  pipe(
    TE.fromEither(needsScim(provider)),
    TE.flatMap(() => stored(dependencies, provider)),
    TE.bindTo('connection'),
    TE.bind('key', () => vaultKeyOf(dependencies)),
    TE.flatMapEither(({ connection, key }) =>
      pipe(
        unsealed(key, provider, connection),
        E.map((secret) => {
          const settings = openSettings(connection);
          const { transport, clock, limits } = dependencies;
          const authentication = withSecret(settings.authentication, secret);
          const signIn = signInWith(authentication, transport, () => clock.now());
          const another = (): Exchange =>
            new Exchange({
              base: connection.base_url,
              transport,
              clock,
              limits,
              isDryRun,
              signIn,
              profile: settings.profile,
              hidesSecrets,
            });
          return { settings, exchange: another(), another };
        }),
      ),
    ),
  );
