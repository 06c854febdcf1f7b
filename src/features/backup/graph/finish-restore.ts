import { writeEvent } from '../../../graph/records/event-record';
import type { Runner } from '../../../neo4j/transaction';
import { END_RESTORE, REVOKE_KEYS, WHAT_WAITS } from '../statements';
import { type AfterRestore, type RevokedKey, restored } from '../restore-events';

/** Finishes a restore in its last transaction. */
export type FinishRestore = (tx: Runner, historySince: string | null) => Promise<AfterRestore>;

/** How a restore finishes. */
export interface RestoreChoice {
  /** The instant at which the backup was made. */
  readonly asOf: string;
  /** Whether the keys of that instant are valid again, though somebody may have revoked them since. */
  readonly keepsKeys: boolean;
}

/**
 * A backup does not know what has ended since. So a restore revokes all team keys, and policies and
 * timed imports wait until somebody starts them (docs/operating.md: Restore). `null`: the graph is no
 * backup, so nobody reports a restore and no key is revoked.
 */
export const finishing =
  (choice: RestoreChoice | null): FinishRestore =>
  async (tx, history_since) => {
    const revokes = choice?.keepsKeys === false;
    const revoked = revokes ? (await tx.run<RevokedKey>(REVOKE_KEYS)).records : [];
    const keys = revoked.map((record) => ({ id: record.get('id'), name: record.get('name') }));
    const [waiting] = (await tx.run(WHAT_WAITS)).records;
    const number = (name: string): number => Number(waiting?.get(name) ?? 0);
    const after = {
      keys,
      keepsKeys: !revokes,
      policies: number('policies'),
      imports: number('imports'),
      trusts: number('trusts'),
    };
    await tx.run(END_RESTORE, { history_since, keys: keys.map(({ id }) => id) });
    if (choice !== null) await writeEvent(tx, restored(choice.asOf, after));
    return after;
  };
