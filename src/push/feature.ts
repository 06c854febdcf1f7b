import { feature } from '../feature';
import { accessCountingOf } from '../questions/contract';
import { partsRoute } from './routes/parts-route';
import { planRoute } from './routes/plan-route';
import { pushRecordRoutes } from './routes/push-record-routes';
import { pushCsvRoute, pushRoute } from './routes/push-route';
import { PastNode, PastRelationship } from '../model/past-facts';
import { KnownPayload, BindingLock, LargePush, Upload, UploadPart, UploadSlice } from './records';
import { Push } from '../model/service-nodes';
import { Store } from '../graph/migration/store-record';
import { removeReadCommits } from '../graph/records/forgotten-commits';
import { removeOldUploads } from './parts/multipart-upload';
import { countingRound } from './counting/count-changes';
import { finishUnfinished } from './run/unfinished-pushes';
import { catalog } from './statements/catalog';
import { uploadCatalog } from './parts/upload-catalog';
import { PUSH_COUNTERS } from './counted-push';
import { pushLineOf, uploadsOf } from './contract';
import { events } from './events';

/** How often the service looks for uploads that have ended. */
const UPLOAD_SECONDS = 30;
/** How often the service removes records of commits that every process has read. */
const COMMITS_SECONDS = 600;
/** How often the service looks for pushes whose changes of access are not counted. */
const COUNTING_SECONDS = 1;

/** The push line: pushes, plans, uploads, checks of what was pushed, and what they leave. */
export const push = feature({
  name: 'push',
  records: [
    PastNode,
    PastRelationship,
    KnownPayload,
    LargePush,
    Push,
    Upload,
    UploadPart,
    UploadSlice,
    BindingLock,
    Store,
  ],
  statements: () => [...catalog(), ...uploadCatalog()],
  events,
  routes: (web, context) => [
    {
      topic: {
        name: 'Pushes',
        about: 'Push, plan and check payloads, and read what pushes did.',
      },
      routes: [
        pushRoute(web, context),
        pushCsvRoute(web, context),
        partsRoute(web, context),
        planRoute(web, context),
        ...pushRecordRoutes(web, context),
      ],
    },
  ],
  rounds: (context) => {
    const { config, graph, log } = context;
    const { unfinished } = pushLineOf(context);
    return [
      {
        name: 'uploads',
        everySeconds: UPLOAD_SECONDS,
        isWoken: true,
        rounds: [(isStopping) => removeOldUploads(uploadsOf(context), isStopping)],
      },
      {
        name: 'unfinished pushes',
        everySeconds: config.parts.resumeSeconds,
        rounds: [(isStopping) => finishUnfinished(unfinished, isStopping)],
      },
      {
        name: 'records of commits',
        everySeconds: COMMITS_SECONDS,
        rounds: [(isStopping) => removeReadCommits(graph, isStopping)],
      },
      {
        name: 'changes of access',
        everySeconds: COUNTING_SECONDS,
        rounds: [countingRound(accessCountingOf(context), log)],
      },
    ];
  },
  counters: PUSH_COUNTERS,
  gauges: (context) => {
    const { threads } = pushLineOf(context);
    return [
      {
        name: 'grantgraph_push_threads_busy',
        help: 'Threads in which a big push runs.',
        read: () => [{ value: threads.load().busy }],
      },
      {
        name: 'grantgraph_pushes_waiting',
        help: 'Big pushes that wait for a thread.',
        read: () => [{ value: threads.load().waiting }],
      },
    ];
  },
});
