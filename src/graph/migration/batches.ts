import { randomUUID } from 'node:crypto';

import { Digest } from '../../model/digest';
import { LOCK_BINDING } from '../../translate/records/data-source-statements';
import { COUNTED, RECOUNT } from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import { runTransaction, type Runner } from '../connection/transaction';

const NODES_AT_ONCE = 1_000;

/** A node as a migration reads it. */
export interface Paged {
  readonly key: string;
  readonly [column: string]: unknown;
}

/**
 * Runs a migration in batches. Each batch is a transaction of its own under the derivation lock, so
 * a crash between two of them does no harm.
 */
export class Batches {
  private readonly holder = randomUUID();

  constructor(
    private readonly graph: Graph,
    private readonly stillHolds: () => Promise<void>,
  ) {}

  /**
   * Runs `work` on everything that a statement finds, page by page. Gives the number of nodes
   * found.
   */
  async each<R extends Paged>(
    statement: string,
    work: (tx: Runner, page: readonly R[]) => Promise<void>,
  ): Promise<number> {
    let found = 0;
    for (let after = '', isLast = false; !isLast;) {
      const page = await this.once(async (tx) => {
        const { records } = await tx.run(statement, { after, most: NODES_AT_ONCE });
        const read = records.map((record) => record.toObject() as R);
        if (read.length > 0) await work(tx, read);
        return read;
      });
      found += page.length;
      isLast = page.length < NODES_AT_ONCE;
      after = page.at(-1)?.key ?? '';
    }
    return found;
  }

  /** Runs `work` in one such transaction. */
  async once<A>(work: (tx: Runner) => Promise<A>): Promise<A> {
    // If this process has lost the store lock, another one may be migrating.
    await this.stillHolds();
    return runTransaction(this.graph, { mode: 'write' }, async (tx) => {
      await tx.run(LOCK_BINDING, { push: this.holder });
      return work(tx);
    });
  }
}

/** Changes to what a data source records: hashes of its digest, and rows that are removed. */
export interface Recount {
  readonly added?: readonly string[];
  readonly taken: readonly string[];
  readonly gone?: number;
}

/**
 * Corrects the digest and the row count of a data source. During a chunked push they stay as they
 * were before it; the end of the chunked push sets them anew.
 */
export const recount = async (
  tx: Runner,
  dataSource: string,
  { added = [], taken, gone = 0 }: Recount,
): Promise<void> => {
  const { records } = await tx.run<{ digest: string | null; rows: unknown; pending: unknown }>(
    COUNTED,
    { data_source: dataSource },
  );
  const [record] = records;
  const digest = record?.get('digest') ?? null;
  if (record === undefined || digest === null || record.get('pending') !== null) return;
  await tx.run(RECOUNT, {
    data_source: dataSource,
    digest: Digest.of(digest).with(added, taken).hex,
    rows: Number(record.get('rows')) - gone,
  });
};
