import { setTimeout as sleep } from 'node:timers/promises';

import type { TaskEither } from 'fp-ts/TaskEither';
import { tryCatch } from 'fp-ts/TaskEither';
import neo4j, { type Transaction } from 'neo4j-driver';

import type { Failure } from '../problem';
import type { Graph } from './driver';
import { isConnectivity, isTransient, toFailure } from './failure';

/** What statements run in, whoever commits. */
export type Runner = Pick<Transaction, 'run'>;

/** How a transaction runs. */
export interface TransactionOptions {
  /** `read` may be answered by a follower of a cluster, which can lag behind; `write` by its leader. */
  readonly mode: 'read' | 'write';
  /** After which the server ends it. */
  readonly timeoutSeconds?: number;
  /** Whether what was done stays: `rollback` tells what it would be. */
  readonly end?: 'commit' | 'rollback';
}

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 20;

const attempt = async <A>(
  { driver, database, bookmarks }: Graph,
  { mode, timeoutSeconds, end = 'commit' }: TransactionOptions,
  work: (tx: Runner) => Promise<A>,
): Promise<{ done: true; value: A } | { done: false; error: unknown; isUndone: boolean }> => {
  const session = driver.session({
    database,
    bookmarkManager: bookmarks,
    defaultAccessMode: mode === 'read' ? neo4j.session.READ : neo4j.session.WRITE,
  });
  let isCommitting = false;
  try {
    const tx = await session.beginTransaction(
      timeoutSeconds === undefined ? {} : { timeout: Math.ceil(timeoutSeconds * 1000) },
    );
    const value = await work(tx);
    isCommitting = end === 'commit';
    await (end === 'commit' ? tx.commit() : tx.rollback());
    return { done: true, value };
  } catch (error) {
    // An answer to the commit that was lost may have been a success: never do it twice.
    return { done: false, error, isUndone: !(isCommitting && isConnectivity(error)) };
  } finally {
    // Rolls back what is open; when the connection is gone there is nothing left to close.
    await session.close().catch(() => undefined);
  }
};

/**
 * Runs the work in one transaction and resolves when it is durable. Transient errors are tried again with short pauses
 * (neo4j.md 3, rule 5), a lost connection once; `work` may therefore run several times.
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
    if (!isUndone || !isWorthwhile || tried === ATTEMPTS) throw error;
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

/** Whether the graph answers, from the member of a cluster that pushes need (api.md 7: `/readyz`). */
export const verifyGraph = (graph: Graph): TaskEither<Failure, void> =>
  inTransaction(graph, { mode: 'write', timeoutSeconds: 5 }, async (tx) => {
    await tx.run('RETURN 1');
  });
