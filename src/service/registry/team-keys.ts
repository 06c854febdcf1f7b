import { createHash, randomBytes, randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { filtered } from '../../contract/filter';
import { pageOf } from '../../contract/page';
import { ACCESS_KEY_PREFIX, type TeamKeyScope } from '../../contract/team-key';
import type { TeamKey, TeamKeyChanges, TeamKeys } from '../../graph/records/team-keys';
import { type Failure, invalid, oneProblem } from '../../problem';
import type { CountedPage, Wanted } from './list-providers';
import { pushInstant } from '../push/push-instant';

/** What team keys need. */
export interface TeamKeyDependencies {
  readonly teamKeys: TeamKeys;
}

/** What a caller says of a new key (api.md 1). */
export interface CreateTeamKey {
  readonly name: string;
  /** Empty: push and read. */
  readonly scopes: readonly TeamKeyScope[];
  /** Empty: all. */
  readonly providers: readonly string[];
}

/** A new key, with the key itself, which nobody is told again. */
export type CreatedTeamKey = TeamKey & { readonly access_key: string };

const USUAL: readonly TeamKeyScope[] = ['push', 'read'];

// The key is random and long: nobody finds it from its hash, so that a fast one will do.
const hashOf = (accessKey: string): string => createHash('sha256').update(accessKey).digest('hex');

const noKey: Failure = { _tag: 'NotFound', message: 'There is no team key with this id.' };

const found = <A>(value: A | null): TE.TaskEither<Failure, A> =>
  value === null ? TE.left(noKey) : TE.right(value);

const scopesOf = (scopes: readonly TeamKeyScope[]): readonly TeamKeyScope[] =>
  scopes.length === 0 ? USUAL : [...new Set(scopes)].sort();

/** Refuses providers that are not there: the key would open nothing. */
const knownProviders = (
  { teamKeys }: TeamKeyDependencies,
  ids: readonly string[],
): TE.TaskEither<Failure, void> =>
  pipe(
    ids.length === 0 ? TE.right([]) : teamKeys.unknownProviders(ids),
    TE.flatMap(([unknown]) =>
      unknown === undefined
        ? TE.right(undefined)
        : TE.left(
            invalid(
              'The request is not valid.',
              oneProblem(
                `/providers/${ids.indexOf(unknown)}`,
                'UNKNOWN_VALUE',
                'is the id of no provider',
              ),
            ),
          ),
    ),
  );

/** Creates a team key; the key itself is told this once (api.md 1). */
export const createTeamKey =
  (dependencies: TeamKeyDependencies) =>
  ({ name, scopes, providers }: CreateTeamKey): TE.TaskEither<Failure, CreatedTeamKey> => {
    const access_key = `${ACCESS_KEY_PREFIX}${randomBytes(32).toString('base64url')}`;
    const key: TeamKey = {
      id: randomUUID(),
      name,
      status: 'ACTIVE',
      scopes: scopesOf(scopes),
      providers: [...new Set(providers)],
      // In the one spelling of a moment, in which lists tell it too.
      created_at: pushInstant(null).utc,
    };
    return pipe(
      knownProviders(dependencies, providers),
      TE.flatMap(() => dependencies.teamKeys.add(key, hashOf(access_key))),
      TE.map(() => ({ ...key, access_key })),
    );
  };

/** Lists the team keys (api.md 1). */
export const listTeamKeys =
  ({ teamKeys }: TeamKeyDependencies) =>
  ({ filter, page }: Wanted): TE.TaskEither<Failure, CountedPage<TeamKey>> =>
    pipe(
      teamKeys.list(),
      TE.map((keys) => pageOf(filtered(keys, filter), page)),
    );

/** The team key of this id. */
export const findTeamKeyById =
  ({ teamKeys }: TeamKeyDependencies) =>
  (id: string): TE.TaskEither<Failure, TeamKey> =>
    pipe(teamKeys.find(id), TE.flatMap(found));

/** Changes, revokes or reinstates a team key: the next request with it is judged by what it then is (api.md 1). */
export const changeTeamKey =
  (dependencies: TeamKeyDependencies) =>
  (id: string, changes: TeamKeyChanges): TE.TaskEither<Failure, TeamKey> => {
    const { scopes, providers } = changes;
    return pipe(
      knownProviders(dependencies, providers ?? []),
      TE.flatMap(() =>
        dependencies.teamKeys.change(id, {
          ...changes,
          ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
          ...(providers === undefined ? {} : { providers: [...new Set(providers)] }),
        }),
      ),
      TE.flatMap(found),
    );
  };

/** Deletes a team key (api.md 1). */
export const deleteTeamKey =
  ({ teamKeys }: TeamKeyDependencies) =>
  (id: string): TE.TaskEither<Failure, void> =>
    pipe(
      teamKeys.remove(id),
      TE.flatMap((isRemoved) => found(isRemoved ? true : null)),
      TE.map(() => undefined),
    );

/** The team key that a caller signs in with; `null` of what is none, or revoked. */
export const findTeamKey =
  ({ teamKeys }: TeamKeyDependencies) =>
  (accessKey: string): TE.TaskEither<Failure, TeamKey | null> =>
    pipe(
      teamKeys.findByHash(hashOf(accessKey)),
      TE.map((key) => (key?.status === 'ACTIVE' ? key : null)),
    );
