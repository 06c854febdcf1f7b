import { workerData } from 'node:worker_threads';

import * as E from 'fp-ts/Either';
import { worker } from 'workerpool';

import { metBookmarks, openGraph, shownBookmarks } from '../../graph/connection/driver';
import { graphUploads } from '../../graph/records/uploads';
import { keepSentPart } from './keep-part';
import { told } from '../threads/thread-failure';
import type { KeepAnswer, KeepTask, UploadThreadSettings } from './upload-thread';

// This file is what the thread for parts runs (`upload-thread.ts`).

const { graph: address, sizes } = workerData as UploadThreadSettings;
const graph = openGraph(address);
const keep = keepSentPart(graphUploads(graph), sizes);

worker({
  keep: async ({ dataSource, sent, bookmarks }: KeepTask): Promise<KeepAnswer> => {
    await metBookmarks(graph, bookmarks);
    const outcome = await keep(dataSource, sent)();
    return {
      outcome: E.isLeft(outcome) ? E.left(told(outcome.left)) : outcome,
      bookmarks: await shownBookmarks(graph),
    };
  },
});
