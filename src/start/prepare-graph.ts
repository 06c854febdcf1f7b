import { setTimeout as sleep } from 'node:timers/promises';

import * as E from 'fp-ts/Either';

import { isOutage, toFailure } from '../neo4j/failure';
import { RestoreUnfinished, UnreadableStore } from '../graph/migration/migrate';
import { errorFields, type Log } from '../log';
import type { Failure } from '../problem';

/** The preparation of the graph at the start of the service. */
export interface Preparation {
  /** Succeeds once the graph is ready. Before, it fails with the reason. */
  readonly check: () => E.Either<Failure, void>;
  /**
   * Resolves once the graph is ready, or the preparation is cancelled. Rejects if another try would
   * not help.
   */
  readonly done: Promise<void>;
  /** Cancels the preparation, and resolves when nothing runs any more. */
  readonly cancel: () => Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

const STARTING: Failure = { _tag: 'Unavailable', message: 'The service is starting.' };

const toUnavailable = (error: unknown): Failure => {
  // The service waits for the end of the restore.
  if (error instanceof RestoreUnfinished) return { _tag: 'Unavailable', message: error.message };
  const failure = toFailure(error);
  return failure._tag === 'Unavailable'
    ? // Without the cause: the log below has it, and each request would log it again.
      { _tag: 'Unavailable', message: failure.message }
    : { _tag: 'Unavailable', message: 'The schema of the graph cannot be made.' };
};

/** Prepares the graph, and tries again until Neo4j is there and accepts it. */
export const prepareGraph = (applySchema: () => Promise<void>, log: Log): Preparation => {
  const cancelled = new AbortController();
  let state: E.Either<Failure, void> = E.left(STARTING);
  const run = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; !cancelled.signal.aborted;) {
      try {
        await applySchema();
        state = E.right(undefined);
        return;
      } catch (error) {
        if (cancelled.signal.aborted) return;
        if (error instanceof UnreadableStore) {
          state = E.left({ _tag: 'Unavailable', message: error.message });
          throw error;
        }
        const failure = toUnavailable(error);
        state = E.left(failure);
        // The outage log reports an outage once for all work.
        if (!isOutage(error)) {
          log.warn('the service could not prepare the graph and tries again', {
            reason: failure.message,
            ...errorFields(error),
          });
        }
      }
      await sleep(pause, undefined, { signal: cancelled.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  };
  const done = run();
  // Without this, Node would end the process before a caller waits for `done`.
  done.catch(() => undefined);
  return {
    check: () => state,
    done,
    cancel: () => {
      cancelled.abort();
      return done.catch(() => undefined);
    },
  };
};
