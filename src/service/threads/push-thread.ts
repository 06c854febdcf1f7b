import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

import { worker } from 'workerpool';

import { openGraph } from '../../graph/connection/driver';
import { graphLargePushes } from '../../graph/push/chunked-pushes';
import { graphStore } from '../../graph/push/store';
import { graphUploads } from '../../graph/records/uploads';
import { errorFields, type LogFields } from '../../log';
import { heldBytes, neededBytes } from './needed-bytes';
import { finishPush } from '../push/unfinished-pushes';
import type { ThreadSettings } from './push-threads';
import { takePlanHere, takePushHere } from './take-push';
import { answering, note } from './thread-worker';

const LATER = 10;

// This file is what a push thread runs (`push-threads.ts`): one push after the other.

// Where processors are few, the thread that answers all else goes first. On Linux alone this is about one thread, not the process.
if (process.platform === 'linux') setPriority(LATER);

const { graph: address, limits, sizes, ...judging } = workerData as ThreadSettings;
const graph = openGraph(address);
const push = {
  store: graphStore(graph, limits),
  large: graphLargePushes(graph, limits),
  ...judging,
  heap: { ...sizes, heldBytes, usedBytes: neededBytes },
  note: (message: string, fields: LogFields): void => note({ level: 'info', message, fields }),
};
const here = { push, sizes, uploads: graphUploads(graph) };
const answer = answering(graph);

// A bug in one push must not end the next.
process.on('unhandledRejection', (error) => {
  const message = 'unhandled rejection in a push thread';
  note({ level: 'error', message, fields: errorFields(error) });
});

worker({
  take: answer(takePushHere(here), ({ warnings }) => warnings.json),
  plan: answer(takePlanHere(here), ({ json }) => json),
  finish: answer(finishPush(push, sizes)),
});
