import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { TeamKey } from '../keys/records';
import { holderOf, type KeyHolder } from '../../web/routing/web';
import type { CodeRecords, MakerOfCode } from './graph/code-records';
import { keySignsIn } from './key-role';
import { hashOf, markOfSetting, newToken, type OwnerKeys } from './sessions';
import { subjectOfHolder } from './subjects';

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

/** What one-time codes depend on. */
export interface CodeDeps {
  readonly records: CodeRecords;
  /** The secret of marks, which all processes have. */
  readonly secret: () => Promise<string>;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** How many codes one key may make within an hour. */
  readonly most: number;
}

/** The key that made a code, if it still admits somebody. */
const makerNow = (
  secret: string,
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
    const mark = markOfSetting(secret, ownerKey);
    return mark !== null && mark === settingMark ? owner : 'expired';
  }
  return key === null || !keySignsIn(key, now) ? 'expired' : holderOf(key);
};

/** Makes and uses one-time codes. A code belongs to its key, and ends with it. */
export const oneTimeCodes = ({ records, secret, now, most }: CodeDeps) => ({
  /** Makes a code with which a browser signs in as a key. */
  make: (
    holder: Pick<KeyHolder, 'keyId' | 'name'>,
    ownerKeys: OwnerKeys,
  ): TaskEither<Failure, MadeCode> => {
    const { keyId, name } = holder;
    const code = newToken();
    const expires = now() + CODE_MINUTES * 60_000;
    return pipe(
      TE.fromTask(secret),
      TE.flatMap((secretText) => {
        const setting = keyId === null ? name : null;
        const settingMark = setting && markOfSetting(secretText, ownerKeys.get(setting));
        const maker = { keyId, setting, settingMark };
        return records.add(
          { hash: hashOf(code), maker, subject: subjectOfHolder(holder), expires },
          (key) => keySignsIn(key, now()),
          most,
          now(),
        );
      }),
      TE.map(() => ({ code, expiresAt: new Date(expires).toISOString() })),
    );
  },

  /** Uses a code, and resolves with the key that made it, or with the reason why it cannot be used. */
  use: (code: string, ownerKeys: OwnerKeys): TaskEither<Failure, KeyHolder | RefusedCode> =>
    pipe(
      TE.Do,
      TE.bind('secretText', () => TE.fromTask(secret)),
      TE.bind('used', () => records.use(hashOf(code), now())),
      TE.map(({ used, secretText }) =>
        used.outcome === 'used'
          ? makerNow(secretText, used.maker, used.key, ownerKeys, now())
          : used.outcome,
      ),
    ),

  removeOld: (): TaskEither<Failure, boolean> => records.removeSome(now() - KEPT_MS),
});
