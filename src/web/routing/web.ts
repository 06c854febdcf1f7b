import type { Request, Response } from 'express';
import type { Either } from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { TeamKeyScope } from '../../contract/team-key';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import type { Handle } from '../exchange/handle';
import type { Respond } from '../exchange/respond';
import type { RunningWork } from '../exchange/running-work';
import type { Route } from './route';

/** Checks whether the service can write to the graph now. Returns the store version. */
export type CheckReady = () => TaskEither<Failure, number>;

/**
 * The ways in. Each has a count of its own, so one that is used up stops none of the others: all
 * clients of a proxy have one address (docs/security.md: One caller does not starve the others).
 */
export const WAYS_IN = ['keys', 'keys of forms', 'codes', 'sessions', 'issuer'] as const;
export type WayIn = (typeof WAYS_IN)[number];

/**
 * Whether the address of a request may still try something unknown on a way in; if not, after how many
 * seconds it may.
 */
export type MayTry = (
  way: WayIn,
  req: Request,
  res: Response,
) => Promise<{ readonly retryAfterSeconds: number } | null>;

/** A key that signed in, and what it may do. */
export interface KeyHolder {
  /** The id of the team key; `null` for a key of the settings. */
  readonly keyId: string | null;
  /** The name of the team key, or of the setting. */
  readonly name: string;
  readonly scopes: readonly TeamKeyScope[];
  /** Ids of the providers that the key is limited to; `null`: no limit. */
  readonly providers: readonly string[] | null;
}

/** What a team key may do. An empty list of providers means all. */
export const holderOf = ({
  id,
  name,
  scopes,
  providers,
}: Pick<KeyHolder, 'name' | 'scopes'> & {
  readonly id: string;
  readonly providers: readonly string[];
}): KeyHolder => ({
  keyId: id,
  name,
  scopes,
  providers: providers.length === 0 ? null : providers,
});

/** What signs people in with keys. */
export interface SignIns {
  readonly mayTry: MayTry;
  /** Signs a request in with a key. It counts what it refuses. */
  readonly signInWithKey: (
    way: 'keys' | 'keys of forms',
    given: string,
    req: Request,
    res: Response,
  ) => Promise<Either<Failure, KeyHolder>>;
  /** The keys of the settings, by the names of their settings. */
  readonly ownerKeys: ReadonlyMap<string, string>;
}

/** What features need to make their routes. */
export interface Web {
  readonly log: Log;
  readonly handle: Handle;
  /** Handles questions to the graph; a key may run a limited number of them at once. */
  readonly question: Handle;
  /** Handles queries in Cypher that callers wrote: one of a key at a time, and few in all. */
  readonly queryInCypher: Handle;
  readonly respond: Respond;
  readonly running: RunningWork;
  readonly signIns: SignIns;
  /** Whether the graph answers now. */
  readonly checkReady: CheckReady;
  /** All routes of the service. */
  readonly routes: () => readonly Route[];
}
