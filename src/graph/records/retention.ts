import neo4j from 'neo4j-driver';

import {
  OLD_PUSHES,
  REMOVE_OLD_EVENTS,
  REMOVE_OLD_PUSHES,
} from '../../translate/records/retention-statements';
import type { Graph } from '../connection/driver';
import { runTransaction } from '../connection/transaction';

/** Removes old records, some at a time. */
export interface Retention {
  /** Removes some events that are older than `days`. Resolves with `true` if there may be more. */
  removeSomeEvents(days: number): Promise<boolean>;
  /**
   * Removes some pushes that are older than `days`, but none that dates a fact. Resolves with
   * `true` if there may be more.
   */
  removeSomePushes(days: number): Promise<boolean>;
}

const REMOVED_AT_ONCE = 1_000;
// A push may hold its data source for minutes. Then the next round removes that data source's old
// pushes.
const PATIENCE_SECONDS = 10;

/**
 * The retention of the graph. Several processes may run it at once: each removes only what is still
 * there.
 */
export const graphRetention = (graph: Graph, atOnce = REMOVED_AT_ONCE): Retention => {
  const write = { mode: 'write', timeoutSeconds: PATIENCE_SECONDS } as const;
  const most = neo4j.int(atOnce);
  return {
    removeSomeEvents: (days) =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ removed: unknown }>(REMOVE_OLD_EVENTS, {
          days: neo4j.int(days),
          most,
        });
        return Number(records[0]?.get('removed') ?? 0) === atOnce;
      }),

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
  };
};
