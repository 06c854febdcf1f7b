import neo4j from 'neo4j-driver';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { TeamKey } from '../../keys/records';
import type { Graph } from '../../../neo4j/driver';
import { inTransaction, LATEST } from '../../../neo4j/transaction';
import { fromGraph, utcOf } from '../../../neo4j/values';
import type { Failure } from '../../../problem';
import { dateTime } from './date-time';
import { inEither } from './in-either';
import { KEY_ENDED, lockedKey, toTeamKey } from './session-records';
import { countOne } from './sign-in-counts';
import { ADD_CODE, LOCK_CODE, REMOVE_OLD_CODES, USE_CODE } from './statements';

/** The key that made a one-time code: a team key, or that of a setting. */
export interface MakerOfCode {
  readonly keyId: string | null;
  readonly setting: string | null;
  /** Shows whether the setting still has that key. */
  readonly settingMark: string | null;
}

/** A code that somebody makes, by its hash. */
export interface NewCode {
  readonly hash: string;
  readonly maker: MakerOfCode;
  /** Whose code it is, in the form in which sessions store it. */
  readonly subject: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/** What became of a one-time code: it was used now, or cannot be used. */
export type UsedCode =
  | { readonly outcome: 'unknown' | 'used before' | 'expired' }
  | { readonly outcome: 'used'; readonly maker: MakerOfCode; readonly key: TeamKey | null };

type Stored = Readonly<Record<string, unknown>>;

const REMOVED_AT_ONCE = 1_000;

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The one-time codes of a graph. */
export const graphCodes = (graph: Graph) => ({
  /** Adds a code, unless its key has ended by then, or has made too many. */
  add: (
    { hash, maker: { keyId, setting, settingMark }, subject, expires }: NewCode,
    signsIn: (key: TeamKey) => boolean,
    most: number,
    now: number,
  ): TaskEither<Failure, void> =>
    inEither(graph, async (tx): Promise<E.Either<Failure, void>> => {
      const counted = await countOne(tx, subject, 'codes', { most, now });
      if (E.isLeft(counted)) return counted;
      if (keyId !== null) {
        const key = await lockedKey(tx, keyId);
        if (key === null || !signsIn(key)) return E.left(KEY_ENDED);
      }
      const properties = {
        key_id: keyId,
        setting,
        setting_mark: settingMark,
        expires_at: dateTime(expires),
      };
      await tx.run(ADD_CODE, { hash, at: dateTime(now), properties });
      return E.right(undefined);
    }),

  /** Uses a code. Of two who try it at once, one succeeds. */
  use: (hash: string, now: number): TaskEither<Failure, UsedCode> =>
    inTransaction(graph, LATEST, async (tx): Promise<UsedCode> => {
      const { records } = await tx.run<{ code: Stored; key: Stored | null }>(LOCK_CODE, { hash });
      const [record] = records;
      if (record === undefined) return { outcome: 'unknown' };
      const { key_id, setting, setting_mark, expires_at, used_at } = fromGraph(record.get('code'));
      if (utcOf(used_at) !== null) return { outcome: 'used before' };
      if (Date.parse(utcOf(expires_at) ?? '') <= now) return { outcome: 'expired' };
      await tx.run(USE_CODE, { hash, now: dateTime(now) });
      return {
        outcome: 'used',
        maker: {
          keyId: textOr(key_id),
          setting: textOr(setting),
          settingMark: textOr(setting_mark),
        },
        key: toTeamKey(record.get('key')),
      };
    }),

  /** Removes codes that expired before a time. Resolves with `true` if there may be more. */
  removeSome: (before: number): TaskEither<Failure, boolean> =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ removed: unknown }>(REMOVE_OLD_CODES, {
        before: dateTime(before),
        most: neo4j.int(REMOVED_AT_ONCE),
      });
      return Number(records[0]?.get('removed') ?? 0) === REMOVED_AT_ONCE;
    }),
});

/** The one-time codes of the graph, which holds only a hash of each. */
export type CodeRecords = ReturnType<typeof graphCodes>;
