import neo4j from 'neo4j-driver';

import { OLD_PUSHES, REMOVE_OLD_PUSHES, SHORTEN_HISTORY } from './statements';
import { removeOldRecords } from '../../graph/statements/record-statements';
import type { RetentionDays, NodeKind } from '../../model/table';
import type { Graph } from '../../neo4j/driver';
import { runTransaction } from '../../neo4j/transaction';
import { removeSome } from '../../graph/records/remove-some';

const REMOVED_AT_ONCE = 1_000;
// A push may hold its data source for minutes. Then the next round removes that data source's old
// pushes.
const PATIENCE_SECONDS = 10;

/**
 * The retention of the graph. Several processes may run it at once: each removes only what still
 * exists.
 */
export const graphRetention = (
  graph: Graph,
  records: readonly NodeKind[],
  atOnce = REMOVED_AT_ONCE,
) => {
  const write = { mode: 'write', timeoutSeconds: PATIENCE_SECONDS } as const;
  const most = neo4j.int(atOnce);
  return {
    /**
     * Removes some records that stay for the days of a setting (`holds`). For facts that ended it first
     * notes from when on the history is complete. Resolves with `true` if there may be more.
     */
    removeSomeRecords: async (
      setting: NonNullable<RetentionDays['setting']>,
      days: number,
    ): Promise<boolean> => {
      const old = { days: neo4j.int(days) };
      if (setting === 'historyDays') {
        await runTransaction(graph, write, (tx) => tx.run(SHORTEN_HISTORY, old));
      }
      return runTransaction(graph, write, (tx) =>
        removeSome(tx, removeOldRecords(setting, records), old, atOnce),
      );
    },

    /**
     * Removes some pushes that are older than `days`, but none that dates a fact. Resolves with
     * `true` if there may be more.
     */
    removeSomePushes: async (days: number): Promise<boolean> => {
      const found = await runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ source: string; keys: string[] }>(OLD_PUSHES, {
          days: neo4j.int(days),
          most,
        });
        return records.map((record) => record.get('keys'));
      });
      // One transaction for each data source: a wait for a busy one delays no push to another.
      for (const keys of found) {
        await runTransaction(graph, write, async (tx) => {
          await tx.run(REMOVE_OLD_PUSHES, { keys });
        });
      }
      return found.reduce((sum, { length }) => sum + length, 0) === atOnce;
    },
  };
};

/** Removes old records, some at a time. */
export type Retention = ReturnType<typeof graphRetention>;

/** For how many days the graph stores events and pushes; 0 means for ever. */
interface Keeping {
  readonly eventDays: number;
  readonly pushDays: number;
  /** For how many days it stores facts that ended; 0 means not at all, unset for ever. */
  readonly historyDays?: number | undefined;
}

/** Removes events, records of pushes and ended facts that are too old, in small steps. */
export const removeWhatIsOld = async (
  retention: Retention,
  { eventDays, pushDays, historyDays }: Keeping,
  isStopping: () => boolean,
): Promise<void> => {
  const until = async (remove: () => Promise<boolean>): Promise<void> => {
    while (!isStopping() && (await remove()));
  };
  if (eventDays > 0) await until(() => retention.removeSomeRecords('eventDays', eventDays));
  if (pushDays > 0) await until(() => retention.removeSomePushes(pushDays));
  if (pushDays > 0) await until(() => retention.removeSomeRecords('pushDays', pushDays));
  if (historyDays === undefined) return;
  await until(() => retention.removeSomeRecords('historyDays', historyDays));
};
