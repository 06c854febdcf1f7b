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

import type { Failure } from '../problem';
import type { Graph } from './driver';
import {
  isAfterFailure,
  isConnectivity,
  isOutage,
  isTaken,
  isTransient,
  NoAnswer,
  toFailure,
} from './failure';
import { gather } from './gather';
import { socketOf, writeAtOnce } from './socket';
import { Unwanted, unwantedNow } from './unwanted';

/** Runs statements in a transaction. The caller of the work commits it. */
export interface Runner {
  /** Sends a statement, and resolves with its complete answer. */
  run<R extends RecordShape = RecordShape>(
    statement: string,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<QueryResult<R>>;
  /** Sends a statement whose rows the caller reads one by one. */
  readonly stream: (statement: string, parameters?: Readonly<Record<string, unknown>>) => Result;
  /** The socket of the transaction; `null` if the driver holds it elsewhere. */
  readonly socket: Socket | null;
}

/** A runner, and the reason why its statements fail. */
interface Running extends Runner {
  /**
   * The error that ended the transaction. After a statement failed, the driver says of each later
   * one only that it cannot run. That error can even arrive first, so this waits for the others.
   */
  readonly causeOf: (error: unknown) => Promise<unknown>;
}

/**
 * Runs statements in a transaction. Calls `hasWritten` for each statement that changed something.
 */
const runnerIn = async (tx: Transaction, hasWritten: () => void): Promise<Running> => {
  // Without a connection, this rejects with the cause. A statement would only say that it cannot
  // run.
  const socket = await socketOf(tx);
  const send = <R extends RecordShape>(...statement: Parameters<Runner['run']>): Result<R> => {
    writeAtOnce(socket);
    return tx.run<R>(...statement);
  };
  const underWay = new Set<Promise<void>>();
  let cause: unknown;
  return {
    run: <R extends RecordShape>(...statement: Parameters<Runner['run']>) => {
      const answer = gather(send<R>(...statement));
      const heard = answer.then(
        ({ summary }) => {
          if (summary.counters.containsUpdates()) hasWritten();
          underWay.delete(heard);
        },
        (error: unknown) => {
          if (!isAfterFailure(error)) cause ??= error;
          underWay.delete(heard);
        },
      );
      underWay.add(heard);
      return answer;
    },
    stream: send,
    socket,
    causeOf: async (error) => {
      if (!isAfterFailure(error)) return error;
      await Promise.all(underWay);
      return cause ?? error;
    },
  };
};

/** How to run a transaction. */
export interface TransactionOptions {
  /**
   * A follower of a cluster may answer a `read`, and may lag behind. The leader answers a `write`.
   */
  readonly mode: 'read' | 'write';
  /**
   * Neo4j ends the transaction after this many seconds; 0 means never. Unset: after the seconds of
   * the graph (`transactionSeconds`).
   */
  readonly timeoutSeconds?: number;
  /**
   * The service stops waiting after this many seconds. By default it waits a little longer than
   * Neo4j runs the transaction.
   */
  readonly atMostSeconds?: number;
  /**
   * Whether the transaction commits. After a `rollback`, the caller knows what the transaction
   * would have done.
   */
  readonly end?: 'commit' | 'rollback';
  /**
   * Aborted when nobody wants the answer any more. The service then closes the connection, and
   * Neo4j ends the statement that runs.
   */
  readonly unwanted?: AbortSignal | undefined;
  /** Whether the work only reads, although from the leader: nobody waits for its end. */
  readonly isReading?: true;
  /** How many rows Neo4j sends at once; the driver's own number if unset. */
  readonly fetchSize?: number;
  /** The text that `SHOW TRANSACTIONS` shows for the transaction, so that it is found there. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Whether Neo4j returns its notices on statements. The answer needs longer then. */
  readonly asksForNotices?: boolean;
}

/**
 * For transactions that must see the newest state, also if they only read. In a cluster they go to the
 * leader; a follower may lag behind.
 */
export const LATEST = { mode: 'write' } as const;

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 20;

type Outcome<A> =
  | { readonly done: true; readonly value: A }
  | { readonly done: false; readonly error: unknown; readonly isUndone: boolean };

/**
 * Adds the bookmarks of sessions that wrote something. The bookmark of a session that only read
 * would include commits that were under way, and all later transactions would wait for them.
 */
const bookmarksOf = (shared: BookmarkManager, hasWritten: () => boolean): BookmarkManager => ({
  getBookmarks: () => shared.getBookmarks(),
  updateBookmarks: async (previous, next) => {
    if (hasWritten()) await shared.updateBookmarks(previous, next);
  },
});

const ALL_NOTICES: NotificationFilter = { minimumSeverityLevel: 'INFORMATION' };

const attempt = async <A>(
  { driver, database, bookmarks, liveness, transactionSeconds }: Graph,
  {
    mode,
    timeoutSeconds = transactionSeconds,
    atMostSeconds,
    end = 'commit',
    unwanted,
    isReading,
    fetchSize,
    metadata,
    asksForNotices = false,
  }: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): Promise<Outcome<A>> => {
  let hasWritten = false;
  const session = driver.session({
    database,
    bookmarkManager: bookmarksOf(bookmarks, () => hasWritten),
    defaultAccessMode: mode === 'read' ? neo4j.session.READ : neo4j.session.WRITE,
    ...(fetchSize === undefined ? {} : { fetchSize }),
    ...(asksForNotices ? { notificationFilter: ALL_NOTICES } : {}),
  });
  let isCommitting = false;
  let isGivenUp = false;
  let giveUp: (() => void) | undefined;
  let ending: Promise<unknown> | undefined;
  const run = async (given: AbortSignal): Promise<A> => {
    // Statements follow at once. If the transaction cannot begin, the statements report it.
    const tx: Transaction = session.beginTransaction({
      ...(timeoutSeconds === undefined ? {} : { timeout: Math.ceil(timeoutSeconds * 1000) }),
      ...(metadata === undefined ? {} : { metadata }),
    });
    const runner = await runnerIn(tx, () => (hasWritten = true));
    // Neo4j answers nothing more on this connection until it is done, perhaps never.
    giveUp = () => void runner.socket?.destroy(new NoAnswer());
    const value = await untilUnwanted(unwanted, runner, work).catch(async (error: unknown) => {
      throw await runner.causeOf(error);
    });
    // The service has given up this work already, so it must not commit.
    given.throwIfAborted();
    isCommitting = end === 'commit';
    const ended = end === 'commit' ? tx.commit() : tx.rollback();
    // The caller has all rows by then, and need not wait for the end of a reading transaction.
    if (mode === 'read' || isReading === true) ending = ended.catch(() => undefined);
    else await ended;
    return value;
  };
  // By then Neo4j should have ended the transaction; its answer was lost.
  const most = atMostSeconds ?? (timeoutSeconds ?? Infinity) + liveness.silenceSeconds;
  try {
    return { done: true, value: await liveness.guard(most, run) };
  } catch (error) {
    isGivenUp = error instanceof NoAnswer;
    // `guard` has already shown the work that nobody waits.
    if (isGivenUp) giveUp?.();
    // If the answer to a commit was lost, the commit may have succeeded. The service never writes
    // the same thing twice.
    const isUndone = !(isCommitting && hasWritten && isConnectivity(error));
    return { done: false, error, isUndone };
  } finally {
    // Rolls back an open transaction. If the connection is gone, there is nothing to close.
    const closed = Promise.resolve(ending)
      .then(() => session.close())
      .catch(() => undefined);
    if (!isGivenUp && ending === undefined) await closed;
  }
};

const untilUnwanted = async <A>(
  unwanted: AbortSignal | undefined,
  runner: Runner,
  work: (tx: Runner) => Promise<A>,
): Promise<A> => {
  // A reset would wait behind the statement that runs; the end of the connection does not.
  const stop = (): void => void runner.socket?.destroy(new Unwanted());
  if (unwanted?.aborted === true) stop();
  unwanted?.addEventListener('abort', stop, { once: true });
  try {
    return await work(runner);
  } finally {
    unwanted?.removeEventListener('abort', stop);
  }
};

/**
 * Runs `work` in one transaction, and resolves when it is durable. After a transient error it runs
 * the transaction again with short pauses, after a lost connection once. So `work` may run several
 * times.
 */
export const runTransaction = async <A>(
  graph: Graph,
  asked: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): Promise<A> => {
  const unwanted = asked.unwanted ?? (graph.isForQuestions ? unwantedNow() : undefined);
  const options = { ...asked, unwanted };
  if (unwanted?.aborted === true) throw new Unwanted();
  for (let tried = 1, lost = 0; ; tried += 1) {
    const outcome = await attempt(graph, options, work);
    if (outcome.done) return outcome.value;
    const { error, isUndone } = outcome;
    if (options.unwanted?.aborted === true) throw new Unwanted();
    if (isConnectivity(error)) lost += 1;
    const isWorthwhile = isTransient(error) || (isConnectivity(error) && lost === 1);
    if (!isUndone || !isWorthwhile || tried === ATTEMPTS) {
      if (isOutage(error)) graph.onOutage(error);
      throw error;
    }
    // The pause is random, so that two transactions do not deadlock again.
    await sleep(FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random()));
  }
};

/** Runs a transaction as a step of a use case, and turns an error of the driver into a failure. */
export const inTransaction = <A>(
  graph: Graph,
  options: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): TaskEither<Failure, A> =>
  tryCatch(
    () => runTransaction(graph, options, work),
    (error) => toFailure(error, options.mode === 'read' || options.end === 'rollback'),
  );

/**
 * Runs a transaction that adds something, and turns a broken uniqueness constraint into `taken`
 * (docs/rules.md: Requests).
 */
export const addUnlessTaken = <A>(
  graph: Graph,
  taken: Failure,
  work: (tx: Runner) => Promise<A>,
): TaskEither<Failure, A> =>
  tryCatch(
    () => runTransaction(graph, LATEST, work),
    (error) => (isTaken(error) ? taken : toFailure(error)),
  );

/** Checks that Neo4j answers, from the cluster member that pushes need (docs/rules.md: Lists). */
export const verifyGraph = (graph: Graph): TaskEither<Failure, void> =>
  inTransaction(graph, { mode: 'write', timeoutSeconds: 5, atMostSeconds: 5 }, async (tx) => {
    await tx.run('RETURN 1');
  });
