import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { TaskEither } from 'fp-ts/TaskEither';
import { tryCatch } from 'fp-ts/TaskEither';
import neo4j, {
  type BookmarkManager,
  type NotificationFilter,
  type QueryResult,
  type RecordShape,
  type Result,
  type Transaction,
} from 'neo4j-driver';

import type { Failure } from '../../problem';
import type { Graph } from './driver';
import { isConnectivity, isOutage, isTransient, NoAnswer, toFailure } from './failure';
import { gather } from './gather';
import { socketOf, writeAtOnce } from './socket';

/** What statements run in, whoever commits. */
export interface Runner {
  /** Sends a statement, and resolves with all that it answers. */
  run<R extends RecordShape = RecordShape>(
    statement: string,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<QueryResult<R>>;
  /** Sends a statement whose rows are read one by one. */
  readonly stream: (statement: string, parameters?: Readonly<Record<string, unknown>>) => Result;
  /** Over which they go; `null` where the driver keeps it elsewhere. */
  readonly socket: Socket | null;
}

/** What runs in a transaction; `hasWritten` is called once for each statement that has changed something. */
const runnerIn = async (tx: Transaction, hasWritten: () => void): Promise<Runner> => {
  // Without a connection there is no socket: that tells why, while a statement would only say that it cannot run.
  const socket = await socketOf(tx);
  const send = <R extends RecordShape>(...statement: Parameters<Runner['run']>): Result<R> => {
    writeAtOnce(socket);
    return tx.run<R>(...statement);
  };
  return {
    run: <R extends RecordShape>(...statement: Parameters<Runner['run']>) => {
      const answer = gather(send<R>(...statement));
      answer.then(
        ({ summary }) => summary.counters.containsUpdates() && hasWritten(),
        () => undefined,
      );
      return answer;
    },
    stream: send,
    socket,
  };
};

/** How a transaction runs. */
export interface TransactionOptions {
  /** `read` may be answered by a follower of a cluster, which can lag behind; `write` by its leader. */
  readonly mode: 'read' | 'write';
  /** After which the server ends it. */
  readonly timeoutSeconds?: number;
  /** After which nobody waits for it any longer; by default somewhat after the server should have ended it. */
  readonly atMostSeconds?: number;
  /** Whether what was done stays: `rollback` tells what it would be. */
  readonly end?: 'commit' | 'rollback';
  /** Whether Neo4j shall say what it remarks on statements; it takes longer then. */
  readonly asksForNotices?: boolean;
}

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 20;

type Outcome<A> =
  | { readonly done: true; readonly value: A }
  | { readonly done: false; readonly error: unknown; readonly isUndone: boolean };

/**
 * What others must see of a session: what it wrote. A transaction that only read would pass on whatever was being committed meanwhile, and all that
 * begin after it would wait for that.
 */
const bookmarksOf = (shared: BookmarkManager, hasWritten: () => boolean): BookmarkManager => ({
  getBookmarks: () => shared.getBookmarks(),
  updateBookmarks: async (previous, next) => {
    if (hasWritten()) await shared.updateBookmarks(previous, next);
  },
});

const ALL_NOTICES: NotificationFilter = { minimumSeverityLevel: 'INFORMATION' };

const attempt = async <A>(
  { driver, database, bookmarks, liveness }: Graph,
  {
    mode,
    timeoutSeconds,
    atMostSeconds,
    end = 'commit',
    asksForNotices = false,
  }: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): Promise<Outcome<A>> => {
  let hasWritten = false;
  const session = driver.session({
    database,
    bookmarkManager: bookmarksOf(bookmarks, () => hasWritten),
    defaultAccessMode: mode === 'read' ? neo4j.session.READ : neo4j.session.WRITE,
    ...(asksForNotices ? { notificationFilter: ALL_NOTICES } : {}),
  });
  let isCommitting = false;
  let isGivenUp = false;
  let ending: Promise<unknown> | undefined;
  const run = async (given: AbortSignal): Promise<A> => {
    const begun = session.beginTransaction(
      timeoutSeconds === undefined ? {} : { timeout: Math.ceil(timeoutSeconds * 1000) },
    );
    // What only reads follows at once: should there be no beginning, its statements say so.
    const tx: Transaction = mode === 'read' ? begun : await begun;
    const value = await work(await runnerIn(tx, () => (hasWritten = true)));
    // Its caller has been told that it failed.
    given.throwIfAborted();
    isCommitting = end === 'commit';
    const ended = end === 'commit' ? tx.commit() : tx.rollback();
    // What was read is known by then: nobody waits for the word that nothing had to be kept.
    if (mode === 'read') ending = ended.catch(() => undefined);
    else await ended;
    return value;
  };
  // The server should have ended it by then: its word of that has been lost.
  const most = atMostSeconds ?? (timeoutSeconds ?? Infinity) + liveness.silenceSeconds;
  try {
    return { done: true, value: await liveness.guard(most, run) };
  } catch (error) {
    isGivenUp = error instanceof NoAnswer;
    // An answer to the commit that was lost may have been a success: what was written is never written twice.
    const isUndone = !(isCommitting && hasWritten && isConnectivity(error));
    return { done: false, error, isUndone };
  } finally {
    // Rolls back what is open; when the connection is gone there is nothing left to close.
    const closed = Promise.resolve(ending)
      .then(() => session.close())
      .catch(() => undefined);
    if (!isGivenUp && ending === undefined) await closed;
  }
};

/**
 * Runs `work` in one transaction, and resolves when it is durable. After a transient error it runs
 * the transaction again with short pauses, after a lost connection once. So `work` may run several
 * times.
 */
export const runTransaction = async <A>(
  graph: Graph,
  options: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): Promise<A> => {
  for (let tried = 1, lost = 0; ; tried += 1) {
    const outcome = await attempt(graph, options, work);
    if (outcome.done) return outcome.value;
    const { error, isUndone } = outcome;
    if (isConnectivity(error)) lost += 1;
    const isWorthwhile = isTransient(error) || (isConnectivity(error) && lost === 1);
    if (!isUndone || !isWorthwhile || tried === ATTEMPTS) {
      if (isOutage(error)) graph.onOutage(error);
      throw error;
    }
    // Random, so that two that met once do not meet again.
    await sleep(FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random()));
  }
};

/** The same as a step of a use case: what the driver rejects becomes a failure. */
export const inTransaction = <A>(
  graph: Graph,
  options: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): TaskEither<Failure, A> => tryCatch(() => runTransaction(graph, options, work), toFailure);

/** Whether the graph answers, from the member of a cluster that pushes need (docs/rules.md: Lists). */
export const verifyGraph = (graph: Graph): TaskEither<Failure, void> =>
  inTransaction(graph, { mode: 'write', timeoutSeconds: 5, atMostSeconds: 5 }, async (tx) => {
    await tx.run('RETURN 1');
  });
