import type { KeyAct } from '../../graph/records/event-record';
import { createHash, randomBytes, randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { EventType } from '../../contract/answers/event-types';
import { filtered } from '../../contract/filter';
import { pageOf } from '../../contract/page';
import { ACCESS_KEY_PREFIX, type TeamKeyScope } from '../../contract/team-key';
import type { CreatedTeamKey } from './endpoints';
import type { TeamKey, WantedTeamKey } from './records';
import { admits, isExpired } from './key-rights';
import type { Succession, TeamKeyChanges, TeamKeys, TellOfKey } from './key-records';
import { parseInstant } from '../../model/instant';
import { badField, type Failure } from '../../problem';
import type { EventRecord } from '../../graph/records/event-record';
import { teamKeyEvent } from '../../graph/records/event';
import type { CountedPage, Wanted } from '../../contract/filter';
import { pushInstant } from '../../graph/records/push-instant';
import { events } from './events';

/** What these use cases depend on. */
export interface TeamKeyDependencies {
  readonly teamKeys: TeamKeys;
  /** Called after each change of a key, so that nobody uses remembered keys any more. */
  readonly hasChanged: () => void;
}

/** The scopes of a key for which the request names none. */
const USUAL: readonly TeamKeyScope[] = ['push', 'read'];

/**
 * The hash of an access key, which the graph stores. A fast hash is enough, since access keys are
 * long and random and cannot be guessed.
 */
export const hashOf = (accessKey: string): string =>
  createHash('sha256').update(accessKey).digest('hex');

const noKey: Failure = { _tag: 'NotFound', message: 'There is no team key with this id.' };

const found = <A>(value: A | null): TE.TaskEither<Failure, A> =>
  value === null ? TE.left(noKey) : TE.right(value);

const scopesOf = (scopes: readonly TeamKeyScope[]): readonly TeamKeyScope[] =>
  scopes.length === 0 ? USUAL : [...new Set(scopes)].sort();

const newAccessKey = (): string => `${ACCESS_KEY_PREFIX}${randomBytes(32).toString('base64url')}`;

/**
 * How long the old key stays valid together with its successor, unless the request says otherwise.
 */
const OVERLAP_MS = 24 * 3600 * 1000;

/** Reads the time at which a key expires. Fails if that time has passed. */
const expiryOf = (
  text: string | null,
  pointer = '/expires_at',
): E.Either<Failure, string | null> => {
  const expires_at = text === null ? null : (parseInstant(text)?.utc ?? null);
  return isExpired({ expires_at })
    ? E.left(badField(pointer, 'PAST_TIME', 'has passed: a key expires in the future'))
    : E.right(expires_at);
};

/** Refuses empty lists in a change: they would silently allow everything. */
const notWidened = ({ scopes, providers }: TeamKeyChanges): E.Either<Failure, void> => {
  if (scopes?.length === 0) {
    const message = 'must not be empty: name the scopes, such as ["push", "read"]';
    return E.left(badField('/scopes', 'WIDENS_KEY', message));
  }
  if (providers?.length === 0) {
    const message =
      'must not be empty: name the providers, or leave the field out; create another key for all providers';
    return E.left(badField('/providers', 'WIDENS_KEY', message));
  }
  return E.right(undefined);
};

const tellOf =
  (
    { by, requestId }: KeyAct,
    done: string,
    event_type: EventType,
    more: EventRecord['metadata'] = {},
  ): TellOfKey =>
  (key) =>
    teamKeyEvent(
      key,
      { at: new Date().toISOString(), requestId, by },
      {
        severity: 'INFO',
        name: `Team key ${done}`,
        event_type,
        message: `Team key ${JSON.stringify(key.name)} was ${done} with the key ${JSON.stringify(by.name)}.`,
        metadata: {
          scopes: key.scopes,
          providers: key.providers,
          status: key.status,
          expires_at: key.expires_at,
          ...more,
        },
      },
    );

const tellOfChange = (act: KeyAct, { status }: TeamKeyChanges): TellOfKey => {
  if (status === 'INACTIVE') return tellOf(act, 'revoked', events.TEAM_KEY_REVOKED);
  if (status === 'ACTIVE') return tellOf(act, 'reinstated', events.TEAM_KEY_REINSTATED);
  return tellOf(act, 'changed', events.TEAM_KEY_CHANGED);
};

/** Refuses providers that do not exist. */
const knownProviders = (
  { teamKeys }: Pick<TeamKeyDependencies, 'teamKeys'>,
  ids: readonly string[],
): TE.TaskEither<Failure, void> =>
  pipe(
    ids.length === 0 ? TE.right([]) : teamKeys.unknownProviders(ids),
    TE.flatMap(([unknown]) =>
      unknown === undefined
        ? TE.right(undefined)
        : TE.left(
            badField(
              `/providers/${ids.indexOf(unknown)}`,
              'UNKNOWN_VALUE',
              'is the id of no provider',
            ),
          ),
    ),
  );

/**
 * Creates a team key. Only this answer holds the access key (docs/rules.md: Team keys). A form that is
 * sent twice names the id of the key, so it makes one.
 */
export const createTeamKey =
  (dependencies: Pick<TeamKeyDependencies, 'teamKeys'>) =>
  (
    wanted: WantedTeamKey,
    act: KeyAct,
    id: string = randomUUID(),
  ): TE.TaskEither<Failure, CreatedTeamKey> => {
    const access_key = newAccessKey();
    const keyUntil = (expires_at: string | null): TeamKey => ({
      ...wanted,
      id,
      status: 'ACTIVE',
      scopes: scopesOf(wanted.scopes),
      providers: [...new Set(wanted.providers)],
      // Lists show times in the same spelling.
      created_at: pushInstant(null).utc,
      expires_at,
      last_used_at: null,
    });
    const tell = tellOf(act, 'created', events.TEAM_KEY_CREATED);
    return pipe(
      TE.fromEither(expiryOf(wanted.expires_at)),
      TE.map(keyUntil),
      TE.tap(() => knownProviders(dependencies, wanted.providers)),
      TE.tap((key) => dependencies.teamKeys.add(key, hashOf(access_key), tell)),
      TE.map((key) => ({ ...key, access_key })),
    );
  };

/** Lists the team keys (docs/rules.md: Team keys). */
export const listTeamKeys =
  ({ teamKeys }: Pick<TeamKeyDependencies, 'teamKeys'>) =>
  ({ filter, page }: Wanted): TE.TaskEither<Failure, CountedPage<TeamKey>> =>
    pipe(
      teamKeys.list(),
      TE.map((keys) => pageOf(filtered(keys, filter), page)),
    );

/** The team keys that are limited to providers, this one among them; by their names. */
export const teamKeysOfProvider =
  ({ teamKeys }: Pick<TeamKeyDependencies, 'teamKeys'>) =>
  (provider: string): TE.TaskEither<Failure, readonly TeamKey[]> =>
    pipe(
      teamKeys.list(),
      TE.map((keys) =>
        keys
          .filter(({ providers }) => providers.includes(provider))
          .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
      ),
    );

/** Finds a team key by its id. */
export const findTeamKeyById =
  ({ teamKeys }: Pick<TeamKeyDependencies, 'teamKeys'>) =>
  (id: string): TE.TaskEither<Failure, TeamKey> =>
    pipe(teamKeys.find(id), TE.flatMap(found));

/**
 * Changes, revokes or reinstates a team key. The change holds from the next request on
 * (docs/rules.md: Team keys).
 */
export const changeTeamKey =
  (dependencies: TeamKeyDependencies) =>
  (id: string, changes: TeamKeyChanges, act: KeyAct): TE.TaskEither<Failure, TeamKey> => {
    const { scopes, providers, expires_at } = changes;
    return pipe(
      TE.fromEither(notWidened(changes)),
      TE.flatMapEither(() => expiryOf(expires_at ?? null)),
      TE.tap(() => knownProviders(dependencies, providers ?? [])),
      TE.flatMap((expiry) =>
        dependencies.teamKeys.change(
          id,
          {
            ...changes,
            ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
            ...(providers === undefined ? {} : { providers: [...new Set(providers)] }),
            ...(expiry === null ? {} : { expires_at: expiry }),
          },
          tellOfChange(act, changes),
        ),
      ),
      TE.tapIO(() => dependencies.hasChanged),
      TE.flatMap(found),
    );
  };

/** A request to rotate a team key. Times are RFC 3339; `null` means that the request names none. */
export interface RotateTeamKey {
  /** When the old key ends. Unset, it ends after a day. */
  readonly validUntil: string | null;
  /** When the new key expires. Unset, it expires when the old one does. */
  readonly expiresAt: string | null;
}

const earlier = (one: string, other: string | null): string =>
  other !== null && Date.parse(other) < Date.parse(one) ? other : one;

/**
 * Creates a successor of a team key, with the same name, scopes and providers. The old key stays
 * valid for a time, so that connectors can change over without an outage (docs/rules.md: Team
 * keys).
 */
export const rotateTeamKey =
  ({ teamKeys, hasChanged }: TeamKeyDependencies) =>
  (
    id: string,
    { validUntil, expiresAt }: RotateTeamKey,
    act: KeyAct,
    newId: string = randomUUID(),
  ): TE.TaskEither<Failure, CreatedTeamKey> => {
    const access_key = newAccessKey();
    const usual = new Date(Date.now() + OVERLAP_MS).toISOString();
    const succeed =
      (asked: string, wanted: string | null) =>
      (old: TeamKey): E.Either<Failure, Succession> => {
        if (!admits(old)) {
          const message = 'The key is revoked or has expired: create another one.';
          return E.left({ _tag: 'Conflict', message });
        }
        const expires_at = wanted ?? old.expires_at;
        const until = earlier(asked, old.expires_at);
        const key: TeamKey = {
          ...old,
          id: newId,
          created_at: pushInstant(null).utc,
          expires_at,
          last_used_at: null,
        };
        const successor = { successor_id: key.id };
        const rotated = tellOf(act, 'rotated', events.TEAM_KEY_ROTATED, successor);
        const created = tellOf(act, 'created', events.TEAM_KEY_CREATED, { predecessor_id: old.id });
        const both = [rotated({ ...old, expires_at: until }), created(key)];
        return E.right({ key, hash: hashOf(access_key), until, events: both });
      };
    return pipe(
      TE.Do,
      TE.bind('until', () => TE.fromEither(expiryOf(validUntil ?? usual, '/valid_until'))),
      TE.bind('expires', () => TE.fromEither(expiryOf(expiresAt))),
      TE.flatMap(({ until, expires }) => teamKeys.rotate(id, succeed(until ?? usual, expires))),
      TE.tapIO(() => hasChanged),
      TE.flatMap(found),
      TE.map((key) => ({ ...key, access_key })),
    );
  };

/** Deletes a team key (docs/rules.md: Team keys). */
export const deleteTeamKey =
  ({ teamKeys, hasChanged }: TeamKeyDependencies) =>
  (id: string, act: KeyAct): TE.TaskEither<Failure, void> =>
    pipe(
      teamKeys.remove(id, tellOf(act, 'deleted', events.TEAM_KEY_DELETED)),
      TE.tapIO(() => hasChanged),
      TE.flatMap(found),
      TE.map(() => undefined),
    );
