import { join } from 'node:path';

import type * as TE from 'fp-ts/TaskEither';

import type { TakenPart } from '../endpoints';
import type { Graph, GraphAddress } from '../../neo4j/driver';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import { partHeapBytes } from '../../memory/memory-plan';
import { type ThreadPool, threadPool } from '../threads/thread-pool';
import type { PartBody, PartSizes } from './store-part';

/** A thread that reads and stores large parts, one after the other. It never waits for a push. */
export interface UploadThread extends Pick<ThreadPool, 'stop'> {
  /** Stores the part that a body holds. The thread takes over the bytes of the body. */
  store(part: PartBody): TE.TaskEither<Failure, TakenPart>;
}

/** What the thread needs to store parts. */
export interface UploadThreadSettings {
  readonly graph: GraphAddress;
  readonly sizes: PartSizes;
}

/** How many parts may wait for the thread, half of them of one key. The body of each is in memory. */
const MOST_WAITING = 16;

const FULL: Failure = {
  _tag: 'Exhausted',
  message: 'Too many large parts are waiting; try again later.',
};

const KEY_FULL: Failure = {
  _tag: 'Exhausted',
  message: 'The key has as many large parts waiting as one key may have; try again later.',
};

/** Starts the thread for large parts. */
export const uploadThread = (
  graph: Graph,
  settings: UploadThreadSettings,
  seconds: number,
  log: Log,
): UploadThread => {
  const options = {
    threads: 1,
    memoryBytes: partHeapBytes(settings.sizes.bodyBytes),
    waiting: MOST_WAITING,
    seconds,
  };
  const { run, stop } = threadPool(
    graph,
    join(__dirname, 'upload-worker.js'),
    settings,
    options,
    log,
    { kind: 'upload', full: FULL, keyFull: KEY_FULL },
  );
  return {
    store: (part) => {
      const buffers = part.sent.body.map(({ buffer }) => buffer);
      return run(part.key, 'store', part, buffers, { data_source_id: part.dataSource });
    },
    stop,
  };
};
