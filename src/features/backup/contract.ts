import type { Runner } from '../../neo4j/transaction';
import { DataSourceBusy, waitFor } from '../../push/graph/contract';
import { LOCK_BACKUP } from './statements';

/** A backup held the graph longer than somebody waits. */
export class BackupRuns extends Error {}

/**
 * Waits until no backup runs, and lets none begin before the transaction has ended. So no backup holds
 * half of what the transaction writes. It is the last step, so a transaction holds the lock only for its
 * commit. Rejects with `BackupRuns`.
 */
export const outsideBackups = async (tx: Runner, waitSeconds: number): Promise<void> => {
  try {
    await waitFor({ waitSeconds, pushSeconds: 0 }, [tx.run(LOCK_BACKUP)]);
  } catch (error) {
    throw error instanceof DataSourceBusy ? new BackupRuns() : error;
  }
};
