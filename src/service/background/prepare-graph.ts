import { setTimeout as sleep } from 'node:timers/promises';

import * as E from 'fp-ts/Either';

import { isOutage, toFailure } from '../../graph/connection/failure';
import { StoreTooNew } from '../../graph/migration/migrate';
import { errorFields, type Log } from '../../log';
import type { Failure } from '../../problem';

/** The schema on its way into the graph. */
export interface Preparation {
  /** Right once the schema stands; until then, why not. */
  readonly check: () => E.Either<Failure, void>;
  /** Resolves once the schema stands, or the preparation is given up; rejects when no further try can help. */
  readonly done: Promise<void>;
  /** Gives up, and resolves when nothing more is tried. */
  readonly cancel: () => Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

const STARTING: Failure = { _tag: 'Unavailable', message: 'The service is starting.' };

const toUnavailable = (error: unknown): Failure => {
  const failure = toFailure(error);
  return failure._tag === 'Unavailable'
    ? // Logged once here, not again by each request that hears of it.
      { _tag: 'Unavailable', message: failure.message }
    : { _tag: 'Unavailable', message: 'The schema of the graph cannot be made.' };
};

/** Applies the schema, again and again until the graph is there and takes it. */
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
        if (error instanceof StoreTooNew) {
          state = E.left({ _tag: 'Unavailable', message: error.message });
          throw error;
        }
        const failure = toUnavailable(error);
        state = E.left(failure);
        // The log tells of an outage once, for all work.
        if (!isOutage(error)) {
          log.warn('graph not ready, trying again', {
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
  // Whoever waits for it hears of it.
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
