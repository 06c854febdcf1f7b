import type { QueryResult } from 'neo4j-driver';

import { LOCK_DATA_SOURCE } from '../../graph/statements/data-source-statements';
import { LOCK_LARGE_PUSH } from '../statements/chunked-push-statements';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner, type TransactionOptions } from '../../neo4j/transaction';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { type PushRecord, writePush } from '../../graph/records/push-record';
import { DataSourceGone, readState } from './data-source-state';
import { Held, type HeldDataSource, type HeldChunkedPush } from './held-data-source';

/**
 * Another push holds the data source for longer than this push may wait (docs/rules.md: Full
 * pushes).
 */
export class DataSourceBusy extends Error {}

/** The data source is being deleted. */
export class DataSourceDeleting extends Error {}

/**
 * A chunked push to the data source is unfinished. Until it is finished or another full push
 * replaces it, the rows are incomplete.
 */
export class PushUnfinished extends Error {}

/**
 * A chunked push failed and left some of its rows in the graph. Until the next full push, the
 * current rows differ from the recorded state.
 */
export class HalfWritten extends Error {}

/** How long a push may wait, how long it may run, and whether it stores what it ends. */
export interface PushLimits {
  readonly waitSeconds: number;
  readonly pushSeconds: number;
  /** Whether facts that end are stored, as they are if unset (docs/rules.md: History). */
  readonly keepsHistory?: boolean;
}

/** Whether pushes store the facts that they end. */
export const keepsHistory = ({ keepsHistory: keeps = true }: PushLimits): boolean => keeps;

/** The store of a graph. */
export const graphStore = (graph: Graph, limits: PushLimits) => ({
  /**
   * Runs the work in one transaction that holds the lock of the data source. Rejects with
   * `DataSourceBusy`, `DataSourceGone`, `DataSourceDeleting`, or the error of the work or the
   * driver; nothing is written then. The work may run several times. Calls `begins` before each try
   * to acquire the locks.
   */
  hold: <A>(
    dataSource: string,
    push: string,
    work: (held: HeldDataSource) => Promise<A>,
    begins?: () => void,
  ): Promise<A> =>
    holdDataSource(graph, limits, dataSource, push, unlessDeleting(work), 'commit', begins),
  /** Runs the work in the same way, but rolls the transaction back. */
  dryRun: <A>(
    dataSource: string,
    push: string,
    work: (held: HeldDataSource) => Promise<A>,
    begins?: () => void,
  ): Promise<A> =>
    holdDataSource(graph, limits, dataSource, push, unlessDeleting(work), 'rollback', begins),
  /**
   * Records a refused push and its event. The push changed no row (docs/rules.md: Removal guard).
   */
  recordRefusal: (push: PushRecord, event: EventRecord): Promise<void> =>
    runTransaction(graph, { mode: 'write' }, async (tx) => {
      await writePush(tx, push);
      await writeEvent(tx, event);
    }),
});

/** The graph, as pushes use it. */
export type GraphStore = ReturnType<typeof graphStore>;

const unlessDeleting =
  <A>(work: (held: HeldDataSource) => Promise<A>) =>
  (held: HeldDataSource): Promise<A> => {
    const { status, provider } = held.state;
    if (status === 'DELETING' || provider.state === 'DELETING') throw new DataSourceDeleting();
    return work(held);
  };

/** Holds a data source in one transaction, even if the data source is being deleted. */
export const holdDataSource = <A>(
  graph: Graph,
  limits: PushLimits,
  dataSource: string,
  push: string,
  work: (held: HeldDataSource, tx: Runner) => Promise<A>,
  end: TransactionOptions['end'] = 'commit',
  begins: () => void = () => undefined,
): Promise<A> => {
  const options = { mode: 'write', timeoutSeconds: limits.pushSeconds, end } as const;
  return unlessBegun(() =>
    runTransaction(graph, options, async (tx) => {
      begins();
      // Takes the lock of the chunked push first. A transaction that waits for a chunked push to
      // end holds nothing that the push needs.
      const locking = [
        tx.run(LOCK_LARGE_PUSH, { data_source: dataSource, push }),
        tx.run(LOCK_DATA_SOURCE, { data_source: dataSource, push }),
      ];
      // All three are sent together. Neo4j reads the state when it has acquired the locks.
      const reading = readState(tx, dataSource);
      reading.catch(() => undefined);
      const [large, source] = await waitFor(limits, locking);
      if (source?.records.length === 0) throw new DataSourceGone();
      const state = await reading;
      // A runner that lost the first lock may have sent another chunk. Under the second lock, that
      // chunk is either in the graph or will never be.
      if (state.pending !== null && large?.records.length === 0) throw new BegunMeanwhile();
      // A plan compares access before and after, so it needs what would end.
      const keeps = end === 'rollback' || keepsHistory(limits);
      return work(new Held(tx, state, push, keeps), tx);
    }),
  );
};

/**
 * A chunked push began while this transaction waited for the data source. The lock of the chunked
 * push comes first, so the service starts again.
 */
class BegunMeanwhile extends Error {}

const unlessBegun = async <A>(hold: () => Promise<A>): Promise<A> => {
  for (;;) {
    try {
      return await hold();
    } catch (error) {
      if (!(error instanceof BegunMeanwhile)) throw error;
    }
  }
};

/** Another process has taken over the chunked push, or the push has ended. */
export class ChunkedPushTaken extends Error {}

/**
 * Holds a data source as long as its chunked push lasts. It does not hold the lock of the data
 * source's node, which each chunk acquires. The work may run several times.
 */
export const holdChunkedPush = <A>(
  graph: Graph,
  limits: PushLimits,
  dataSource: string,
  runner: string,
  work: (held: HeldChunkedPush) => Promise<A>,
): Promise<A> =>
  // The transaction has no limit of its own. It lasts as long as there are chunks to write, and
  // each chunk has a limit.
  runTransaction(
    graph,
    { mode: 'write', timeoutSeconds: 0, atMostSeconds: Infinity },
    async (tx) => {
      await waitFor(limits, [tx.run(LOCK_LARGE_PUSH, { data_source: dataSource, push: runner })]);
      const state = await readState(tx, dataSource);
      if (state.pending?.runner !== runner) throw new ChunkedPushTaken();
      return work(new Held(tx, state, state.pending.push, keepsHistory(limits)));
    },
  );

/**
 * Waits for locks. If the wait is too long, the transaction ends, and so does the wait in Neo4j.
 */
export const waitFor = async (
  { waitSeconds }: PushLimits,
  statements: readonly Promise<QueryResult>[],
): Promise<readonly QueryResult[]> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    // After a pause of this process, Neo4j may have answered already.
    const late = (): void => void setImmediate(() => reject(new DataSourceBusy()));
    timer = setTimeout(late, waitSeconds * 1000);
  });
  const locked = Promise.all(statements);
  locked.catch(() => undefined);
  try {
    return await Promise.race([locked, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};
