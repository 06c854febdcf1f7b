import neo4j from 'neo4j-driver';

import {
  OLD_PUSHES,
  REMOVE_OLD_EVENTS,
  REMOVE_OLD_PUSHES,
} from '../../translate/records/retention-statements';
import type { Graph } from '../connection/driver';
import { runTransaction } from '../connection/transaction';

/** Removes what is older than so many days, some at a time. */
export interface Retention {
  /** Whether there may be more. */
  removeSomeEvents(days: number): Promise<boolean>;
  /** Whether there may be more; pushes that date facts stay. */
  removeSomePushes(days: number): Promise<boolean>;
}

const REMOVED_AT_ONCE = 1_000;
// A push may hold its data source for minutes: then the next round removes what is old there.
const PATIENCE_SECONDS = 10;

/** The retention of the graph. Several processes may run it: what one has removed the other no longer finds. */
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
      // One data source in a transaction: whoever waits for a busy one keeps no other from its pushes.
      for (const keys of found) {
        await runTransaction(graph, write, async (tx) => {
          await tx.run(REMOVE_OLD_PUSHES, { keys });
        });
      }
      return found.reduce((sum, { length }) => sum + length, 0) === atOnce;
    },
  };
};
