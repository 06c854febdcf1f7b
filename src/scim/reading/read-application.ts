import { gzip } from 'node:zlib';
import { promisify } from 'node:util';

import type { ImportProgress, StoredImport } from '../import/import-records';
import type { ImportedAccounts } from './imported-accounts';
import { readChanges } from './changes-reading';
import { tooMuchForPush } from './payload-text';
import { newestOf, nextSince, type Since, type Span } from './since';
import {
  findsChanges,
  type ImportOf,
  readWhole,
  type ReadCounts,
  type Times,
} from './complete-reading';

const compress = promisify(gzip);

/** What was read of an application. */
export interface Reading extends ReadCounts {
  readonly reading: 'whole' | 'changes';
  /** The gzip of the payload; null if nothing has changed. */
  readonly payload: Buffer | null;
  /** How far the import is once the payload is in the graph. */
  readonly progress: ImportProgress;
  /**
   * Whether nothing is newer than what the readings of changes have seen. Then this reading must bring
   * nothing new, or they missed something.
   */
  readonly isKnown: boolean;
}

type State = Pick<
  StoredImport,
  'finds_changes' | 'misses_changes' | 'accounts_since' | 'groups_since' | 'whole_at'
>;

const compressed = (payload: object, mostBytes: number): Promise<Buffer> => {
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > mostBytes) throw tooMuchForPush(mostBytes);
  return compress(text);
};

const sinceIn = (json: string | null): Since | null =>
  json === null ? null : (JSON.parse(json) as Since);

const toJson = (since: Since | null): string | null =>
  since === null ? null : JSON.stringify(since);

/**
 * Whether the next reading must be complete: the first one, if the application does not find what
 * changed, and after some time, since only a complete reading shows what is gone.
 */
export const mustReadWhole = (
  state: State & Pick<StoredImport, 'whole_every_seconds'>,
  now: number,
): boolean =>
  !state.finds_changes ||
  state.accounts_since === null ||
  state.whole_at === null ||
  now - Date.parse(state.whole_at) >= state.whole_every_seconds * 1000;

const after = (before: Since | null, times: Times, span: Span): Since | null => {
  const newest = newestOf(times) ?? before?.newest ?? null;
  return newest === null ? null : nextSince(before, newest, span);
};

const hasNothingNewer = (since: string | null, times: Times): boolean => {
  const newest = newestOf(times);
  return newest === null || newest <= (sinceIn(since)?.newest ?? -Infinity);
};

/** Reads the complete application, and tries whether it will find later changes. */
export const readAll = async (of: ImportOf, state: State, now: () => number): Promise<Reading> => {
  const from = now();
  const { accountTimes, groupTimes, payload, ...counts } = await readWhole(of);
  const span = { from, until: now() };
  const { misses_changes } = state;
  const finds_changes =
    !misses_changes &&
    (await findsChanges(of, '/Users', accountTimes)) &&
    // Where there are no groups yet, all that come are read.
    (groupTimes.size === 0 || (await findsChanges(of, '/Groups', groupTimes)));
  const sinceOf = (times: Times): string | null =>
    finds_changes ? toJson(after(null, times, span)) : null;
  return {
    reading: 'whole',
    payload,
    ...counts,
    progress: {
      accounts_since: sinceOf(accountTimes),
      groups_since: sinceOf(groupTimes),
      finds_changes,
      misses_changes,
      whole_at: new Date(from).toISOString(),
    },
    isKnown:
      state.finds_changes &&
      hasNothingNewer(state.accounts_since, accountTimes) &&
      hasNothingNewer(state.groups_since, groupTimes),
  };
};

/** Reads what changed since the last reading. */
export const readSince = async (
  of: ImportOf,
  state: State,
  ask: ImportedAccounts,
  now: () => number,
): Promise<Reading> => {
  const accounts = sinceIn(state.accounts_since);
  const groups = sinceIn(state.groups_since);
  const from = now();
  const markers = { accounts: accounts?.marker ?? 0, groups: groups?.marker ?? null };
  const { accountTimes, groupTimes, payload, ...counts } = await readChanges(of, markers, ask);
  const span = { from, until: now() };
  return {
    reading: 'changes',
    ...counts,
    payload: payload === null ? null : await compressed(payload, of.payloadBytes),
    progress: {
      accounts_since: toJson(after(accounts, accountTimes, span)),
      // Without a mark all groups are read, so a new one makes no mark: the next complete reading
      // does.
      groups_since: groups === null ? null : toJson(after(groups, groupTimes, span)),
      finds_changes: state.finds_changes,
      misses_changes: state.misses_changes,
      whole_at: null,
    },
    isKnown: false,
  };
};
