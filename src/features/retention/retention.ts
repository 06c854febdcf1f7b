import neo4j from 'neo4j-driver';

import { OLD_PUSHES, REMOVE_OLD_PUSHES, SHORTEN_HISTORY } from './statements';
import { removeOldRecords } from '../../translate/records/record-statements';
import type { NodeKind } from '../../model/table';
import type { Graph } from '../../graph/connection/driver';
import { runTransaction } from '../../graph/connection/transaction';
import { removeSome } from '../../graph/records/remove-some';

/** Removes old records, some at a time. */
export interface Retention {
  /** Removes some events that are older than `days`. Resolves with `true` if there may be more. */
  removeSomeEvents(days: number): Promise<boolean>;
  /**
   * Removes some pushes that are older than `days`, but none that dates a fact. Resolves with
   * `true` if there may be more.
   */
  removeSomePushes(days: number): Promise<boolean>;
  /**
   * Removes some actions of policies that were done or dropped before `days`. Resolves with `true` if
   * there may be more.
   */
  removeSomeActions(days: number): Promise<boolean>;
  /**
   * Removes some facts that ended more than `days` ago, and first notes from when on the history is
   * complete. Resolves with `true` if there may be more.
   */
  removeSomeHistory(days: number): Promise<boolean>;
}

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
): Retention => {
  const write = { mode: 'write', timeoutSeconds: PATIENCE_SECONDS } as const;
  const most = neo4j.int(atOnce);
  return {
    removeSomeEvents: (days) =>
      runTransaction(graph, write, (tx) =>
        removeSome(tx, removeOldRecords('eventDays', records), { days: neo4j.int(days) }, atOnce),
      ),

    removeSomePushes: async (days) => {
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

    removeSomeActions: (days) =>
      runTransaction(graph, write, (tx) =>
        removeSome(tx, removeOldRecords('pushDays', records), { days: neo4j.int(days) }, atOnce),
      ),

    removeSomeHistory: async (days) => {
      const since = { days: neo4j.int(days) };
      await runTransaction(graph, write, (tx) => tx.run(SHORTEN_HISTORY, since));
      const removed = await runTransaction(graph, write, (tx) =>
        Promise.all(
          removeOldRecords('historyDays', records).map(async (statement) => {
            const { records } = await tx.run<{ removed: unknown }>(statement, { ...since, most });
            return Number(records[0]?.get('removed') ?? 0);
          }),
        ),
      );
      return removed.includes(atOnce);
    },
  };
};
