import type { QueryResult } from 'neo4j-driver';

import { LOCK_DATA_SOURCE } from '../../translate/records/data-source-statements';
import { LOCK_LARGE_PUSH } from '../../translate/push/chunked-push-statements';
import type { Graph } from '../connection/driver';
import { runTransaction, type Runner, type TransactionOptions } from '../connection/transaction';
import { type EventRecord, writeEvent } from '../records/event-record';
import { type PushRecord, writePush } from '../records/push-record';
import { DataSourceGone, readState } from './data-source-state';
import { Held, type HeldDataSource, type HeldChunkedPush } from './held-data-source';

/** Another push holds the data source for longer than this one may wait (docs/rules.md: Full pushes). */
export class DataSourceBusy extends Error {}

/** The data source is being deleted. */
export class DataSourceDeleting extends Error {}

/** A large push to the data source is not finished: until it is, or another whole one takes its place, nobody knows what the data source holds. */
export class PushUnfinished extends Error {}

/** A large push failed, and some of it is in the graph: what stands is not what is recorded until the next full push. */
export class HalfWritten extends Error {}

/** How long a push may wait and last. */
export interface PushLimits {
  readonly waitSeconds: number;
  readonly pushSeconds: number;
}

/** The graph as pushes use it. */
export interface GraphStore {
  /**
   * Runs the work in one transaction that holds the data source's lock; rejects with `DataSourceBusy`, `DataSourceGone`, `DataSourceDeleting` or
   * what the work or the driver rejects with, and then nothing is written. The work may run several times.
   */
  hold<A>(dataSource: string, push: string, work: (held: HeldDataSource) => Promise<A>): Promise<A>;
  /** The same, but nothing that the work does stays. */
  dryRun<A>(
    dataSource: string,
    push: string,
    work: (held: HeldDataSource) => Promise<A>,
  ): Promise<A>;
  /** Records a refused push and its event, which change no row (docs/rules.md: Removal guard). */
  recordRefusal(push: PushRecord, event: EventRecord): Promise<void>;
}

/** The store of the graph. */
export const graphStore = (graph: Graph, limits: PushLimits): GraphStore => ({
  hold: (dataSource, push, work) =>
    holdDataSource(graph, limits, dataSource, push, unlessDeleting(work)),
  dryRun: (dataSource, push, work) =>
    holdDataSource(graph, limits, dataSource, push, unlessDeleting(work), 'rollback'),
  recordRefusal: (push, event) =>
    runTransaction(graph, { mode: 'write' }, async (tx) => {
      await writePush(tx, push);
      await writeEvent(tx, event);
    }),
});

const unlessDeleting =
  <A>(work: (held: HeldDataSource) => Promise<A>) =>
  (held: HeldDataSource): Promise<A> => {
    const { status, provider } = held.state;
    if (status === 'DELETING' || provider.state === 'DELETING') throw new DataSourceDeleting();
    return work(held);
  };

/** Holds a data source in one transaction, also one that is being deleted. */
export const holdDataSource = <A>(
  graph: Graph,
  limits: PushLimits,
  dataSource: string,
  push: string,
  work: (held: HeldDataSource, tx: Runner) => Promise<A>,
  end: TransactionOptions['end'] = 'commit',
): Promise<A> => {
  const options = { mode: 'write', timeoutSeconds: limits.pushSeconds, end } as const;
  return unlessBegun(() =>
    runTransaction(graph, options, async (tx) => {
      // First that of a large push: who waits for one to end holds nothing that it needs.
      const [large, source] = await waitFor(limits, [
        tx.run(LOCK_LARGE_PUSH, { data_source: dataSource, push }),
        tx.run(LOCK_DATA_SOURCE, { data_source: dataSource, push }),
      ]);
      if (source?.records.length === 0) throw new DataSourceGone();
      const state = await readState(tx, dataSource);
      // Under the second lock a chunk that somebody sent who has lost the first is in the graph, or never will be.
      if (state.pending !== null && large?.records.length === 0) throw new BegunMeanwhile();
      return work(new Held(tx, state, push), tx);
    }),
  );
};

/** A large push has begun while its data source was waited for: its own lock comes first. */
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

/** Somebody else goes on with the large push, or it has ended. */
export class ChunkedPushTaken extends Error {}

/**
 * Holds a data source while a large push is applied to it, as long as that takes; not the lock of its node, which each
 * chunk takes. The work may run several times.
 */
export const holdChunkedPush = <A>(
  graph: Graph,
  limits: PushLimits,
  dataSource: string,
  runner: string,
  work: (held: HeldChunkedPush) => Promise<A>,
): Promise<A> =>
  // It lasts as long as there are parts to write, each of which has a limit of its own.
  runTransaction(
    graph,
    { mode: 'write', timeoutSeconds: 0, atMostSeconds: Infinity },
    async (tx) => {
      await waitFor(limits, [tx.run(LOCK_LARGE_PUSH, { data_source: dataSource, push: runner })]);
      const state = await readState(tx, dataSource);
      if (state.pending?.runner !== runner) throw new ChunkedPushTaken();
      return work(new Held(tx, state, state.pending.push));
    },
  );

/** Waits for locks; leaving the transaction ends the wait in the database too. */
export const waitFor = async (
  { waitSeconds }: PushLimits,
  statements: readonly Promise<QueryResult>[],
): Promise<readonly QueryResult[]> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DataSourceBusy()), waitSeconds * 1000);
  });
  const locked = Promise.all(statements);
  locked.catch(() => undefined);
  try {
    return await Promise.race([locked, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};
