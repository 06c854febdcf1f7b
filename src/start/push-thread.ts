import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

import { worker } from 'workerpool';

import { openGraph } from '../neo4j/driver';
import { graphUploads } from '../push/graph/uploads';
import { graphDirectory } from '../scim/server/directory';
import { errorFields, type LogFields } from '../log';
import { composePush } from '../push/threads/compose-push';
import { finishPush } from '../push/run/unfinished-pushes';
import { takeWriteInThread } from '../scim/server/writing/take-write';
import type { ThreadSettings } from '../push/threads/push-threads';
import { pushTurns } from '../push/threads/push-turns';
import { takePlanHere, takePushHere } from '../push/threads/take-push';
import { answering, lendFromMain, note } from '../push/threads/thread-worker';

const LATER = 10;

// A push thread runs this file (`threads/push-threads.ts`): one push after the other.

// With few processors, the main thread goes first. On Linux this sets only the priority of this
// thread, not of the process.
if (process.platform === 'linux') setPriority(LATER);

const { graph: address, ...settings } = workerData as ThreadSettings;
const graph = openGraph(address);
const push = composePush(graph, settings, {
  lendAccess: lendFromMain,
  note: (message: string, fields: LogFields): void => note({ level: 'info', message, fields }),
});
const { sizes } = settings;
const here = { push, sizes, uploads: graphUploads(graph) };
const answer = answering(graph);
// The main thread orders the turns of data sources: this thread does one thing after the other.
const scim = { directory: graphDirectory(graph), turns: pushTurns(1, 1), newId: randomUUID };

// A bug in one push must not end the next.
process.on('unhandledRejection', (error) => {
  const message = 'unhandled rejection in a push thread';
  note({ level: 'error', message, fields: errorFields(error) });
});

worker({
  take: answer(takePushHere(here), ({ warnings }) => warnings.json),
  plan: answer(takePlanHere(here), ({ json }) => json),
  write: answer(takeWriteInThread(scim, takePushHere(here)), ({ outcome }) =>
    outcome._tag === 'Right' ? outcome.right.json : undefined,
  ),
  finish: answer(finishPush(push, sizes)),
});
