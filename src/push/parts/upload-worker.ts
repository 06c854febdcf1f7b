import { workerData } from 'node:worker_threads';

import { worker } from 'workerpool';

import { openGraph } from '../../neo4j/driver';
import { graphUploads } from '../graph/uploads';
import { answering } from '../threads/thread-worker';
import { storeSentPart } from './store-part';
import type { UploadThreadSettings } from './upload-thread';

// The upload thread runs this file (`upload-thread.ts`).

const { graph: address, sizes } = workerData as UploadThreadSettings;
const graph = openGraph(address);

worker({ store: answering(graph)(storeSentPart(graphUploads(graph), sizes)) });
