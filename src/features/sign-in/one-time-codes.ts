import { createHmac } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { TeamKey } from '../../contract/records/team-key';
import { holderOf, type KeyHolder } from '../../web/routing/web';
import { admits } from '../keys/contract';
import type { CodeRecords, MakerOfCode } from './code-records';
import { hashOf, newToken, type OwnerKeys } from './sessions';

/** How long a one-time code works. */
const CODE_MINUTES = 10;
/** Used codes stay so long, so that the service notices that somebody tries one again. */
const KEPT_MS = 24 * 3_600_000;

/** A one-time code. Only this value holds it; the graph has a hash. */
export interface MadeCode {
  readonly code: string;
  readonly expiresAt: string;
}

/** Why a code signs nobody in. */
export type RefusedCode = 'unknown' | 'used before' | 'expired';

/** Makes and uses one-time codes. */
export interface OneTimeCodes {
  /** Makes a code with which a browser signs in as a key. */
  readonly make: (
    key: Pick<KeyHolder, 'keyId' | 'name'>,
    ownerKeys: OwnerKeys,
  ) => TaskEither<Failure, MadeCode>;
  /** Uses a code, and resolves with the key that made it, or with the reason why it cannot be used. */
  readonly use: (
    code: string,
    ownerKeys: OwnerKeys,
  ) => TaskEither<Failure, KeyHolder | RefusedCode>;
  /** Notes that an answer of an issuer, by its hash, was used; `false`: not for the first time. */
  readonly useAnswer: (hash: string, requestId: string) => TaskEither<Failure, boolean>;
  readonly removeOld: () => TaskEither<Failure, boolean>;
}

/**
 * Shows whether a setting still has the key with which a code was made. Nobody can compute it without
 * the code, which the graph does not hold.
 */
const markOf = (code: string, key: string): string =>
  createHmac('sha256', code).update(key).digest('base64url');

/** The key that made a code, if it still admits somebody. */
const makerNow = (
  code: string,
  { setting, settingMark }: MakerOfCode,
  key: TeamKey | null,
  ownerKeys: OwnerKeys,
  now: number,
): KeyHolder | RefusedCode => {
  if (setting !== null) {
    const owner: KeyHolder = {
      keyId: null,
      name: setting,
      scopes: ['admin', 'cypher'],
      providers: null,
    };
    const ownerKey = ownerKeys.get(setting);
    return ownerKey !== undefined && markOf(code, ownerKey) === settingMark ? owner : 'expired';
  }
  return key === null || !admits(key, now) ? 'expired' : holderOf(key);
};

/** The one-time codes. A code belongs to its key, and ends with it. */
export const oneTimeCodes = (records: CodeRecords, now: () => number): OneTimeCodes => ({
  make: ({ keyId, name }, ownerKeys) => {
    const code = newToken();
    const expires = now() + CODE_MINUTES * 60_000;
    const key = keyId === null ? ownerKeys.get(name) : undefined;
    const settingMark = key === undefined ? null : markOf(code, key);
    const maker = { keyId, setting: keyId === null ? name : null, settingMark };
    return pipe(
      records.add(hashOf(code), maker, now(), expires),
      TE.map(() => ({ code, expiresAt: new Date(expires).toISOString() })),
    );
  },

  use: (code, ownerKeys) =>
    pipe(
      records.use(hashOf(code), now()),
      TE.map((used) =>
        used.outcome === 'used'
          ? makerNow(code, used.maker, used.key, ownerKeys, now())
          : used.outcome,
      ),
    ),

  useAnswer: (hash, requestId) => records.useAnswer(hash, requestId, now()),

  removeOld: () => records.removeSome(now() - KEPT_MS),
});
