import { setTimeout as sleep } from 'node:timers/promises';

import type { LocalNeo4j } from '../embedded/server';
import { errorFields, type Log } from '../log';

/** Starts a Neo4j, each time at the same address. */
export type StartNeo4j = () => Promise<LocalNeo4j>;

/** A Neo4j that the service starts again when it ends unexpectedly. */
export interface KeptNeo4j {
  readonly first: LocalNeo4j;
  readonly stop: () => Promise<void>;
}

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Starts Neo4j, and starts it again whenever it ends, until `stop`. Meanwhile the service answers
 * 503.
 */
export const keepNeo4j = async (start: StartNeo4j, log: Log): Promise<KeptNeo4j> => {
  const stopping = new AbortController();
  const first = await start();
  let current = first;

  const watch = async (): Promise<void> => {
    for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now();
      await current.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) pause = PAUSE_MS;
      log.error('Neo4j ended unexpectedly; the service starts it again');
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        current = await start();
        if (stopping.signal.aborted) {
          await current.stop();
          return;
        }
        log.info('Neo4j runs again');
      } catch (error) {
        log.error(
          'the service could not start Neo4j again and tries once more',
          errorFields(error),
        );
      }
    }
  };
  const watched = watch();

  return {
    first,
    stop: async () => {
      stopping.abort();
      await current.stop();
      // The watch may just be starting another Neo4j. It stops that one itself, so this waits for
      // the watch.
      await watched;
    },
  };
};
