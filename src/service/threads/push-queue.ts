import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import { DataSourceBusy } from '../../graph/push/store';
import type { Failure } from '../../problem';
import { heldFailure } from '../change/push-refusal';

/** Lets some pushes run and the others wait: many at once slow one another down, but none falls over. */
export interface PushQueue {
  /** Runs a push to a data source when it is its turn. */
  run<A>(dataSource: string, push: TaskEither<Failure, A>): TaskEither<Failure, A>;
}

const FULL: Failure = {
  _tag: 'Exhausted',
  message: 'Too many pushes are running; try again later.',
};

interface Waiting {
  readonly dataSource: string;
  readonly begin: () => void;
}

/**
 * A queue in which pushes to one data source run one after the other (the second would only hold a connection while it waits for the data source's
 * lock), and at most so many to different ones. Who has waited too long is told why.
 */
export const pushQueue = (atOnce: number, waitSeconds: number): PushQueue => {
  const running = new Set<string>();
  let waiting: readonly Waiting[] = [];

  const next = (): void => {
    for (const one of waiting) {
      if (running.size >= atOnce) return;
      if (!running.has(one.dataSource)) one.begin();
    }
  };

  /** Resolves when it is its turn; to a failure when that is too late. */
  const turn = (dataSource: string): Promise<Failure | null> =>
    new Promise((resolve) => {
      const leave = (): void => {
        clearTimeout(late);
        waiting = waiting.filter((other) => other !== mine);
      };
      const mine: Waiting = {
        dataSource,
        begin: () => {
          leave();
          running.add(dataSource);
          resolve(null);
        },
      };
      const late = setTimeout(() => {
        leave();
        resolve(running.has(dataSource) ? heldFailure(new DataSourceBusy()) : FULL);
      }, waitSeconds * 1000);
      late.unref();
      waiting = [...waiting, mine];
      next();
    });

  return {
    run: (dataSource, push) => async () => {
      const late = await turn(dataSource);
      if (late !== null) return E.left(late);
      try {
        return await push();
      } finally {
        running.delete(dataSource);
        next();
      }
    },
  };
};
