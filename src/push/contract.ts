import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { TakenOver } from './graph/chunked-pushes';
import { graphUploads, type UploadQuota } from './graph/uploads';
import { type Context, oncePerContext } from '../context';
import { errorFields, type LogFields } from '../log';
import { accessMemoryOf } from '../questions/contract';
import { completeUpload, readParts, startUpload, takePart } from './parts/multipart-upload';
import { uploadThread } from './parts/upload-thread';
import { doublingRetries } from '../background';
import { finishPush } from './run/unfinished-pushes';
import { plannedMemoryOf } from '../memory/memory-at-hand';
import type { PushSizes } from './receive/push-sizes';
import type { SentPlan } from './receive/sent-push';
import { composePush, type PushSettings } from './threads/compose-push';
import { pushThreads } from './threads/push-threads';
import { dryRunTurns, pushTurns, takingTurns } from './threads/push-turns';
import { takePlan, takePush } from './threads/take-push';
import { countedPush } from './counted-push';
import type { Config } from '../config';
import { bytes } from '../settings/setting';

/**
 * The Java heap for each row or relationship of a transaction. An ordinary one uses a quarter of
 * it, with what the commit needs. The rest is for long texts and for Neo4j's other work.
 */
const HEAP_PER_ROW = 8 * 1024;

/** The least heap that the service assumes for a Neo4j that it did not start. */
const LEAST_HEAP = '1g';

/**
 * How many rows and relationships one transaction may hold, unless a setting says it
 * (docs/rules.md: Chunked pushes).
 */
const transactionRows = ({
  neo4j,
  embedded,
  parts,
}: Pick<Config, 'neo4j' | 'embedded' | 'parts'>): number => {
  if (parts.transactionRows !== undefined) return parts.transactionRows;
  const heap = bytes(
    1,
    Number.MAX_SAFE_INTEGER,
  )(neo4j.uri === undefined ? embedded.heap : LEAST_HEAP);
  return Math.floor((E.isRight(heap) ? heap.right : 0) / HEAP_PER_ROW);
};

/**
 * A small full push to a data source with more rows than this runs in a push thread, and so does an
 * increment with more elements. The thread that answers needs some 20 ms for this many.
 */
const ELEMENTS_HERE = 5_000;

/** How many providers together may use all the room of open uploads. */
const PROVIDERS_WITH_ALL = 4;

/** How many uploads may be open, and how large they may be. */
export const uploadQuotaOf = oncePerContext(({ config: { limits } }): UploadQuota => ({
  ofDataSource: limits.sourceUploads,
  // A key that is limited to a provider makes data sources as it likes: it must leave most to others.
  ofProvider: Math.max(limits.sourceUploads, Math.ceil(limits.uploads / PROVIDERS_WITH_ALL)),
  inAll: limits.uploads,
  bytesOfDataSource: limits.sourceUploadBytes,
  bytesOfProvider: Math.max(
    limits.sourceUploadBytes,
    Math.ceil(limits.uploadBytes / PROVIDERS_WITH_ALL),
  ),
  bytesInAll: limits.uploadBytes,
}));

/** What limits each push. */
export const pushLimitsOf = ({ config }: Pick<Context, 'config'>) => ({
  waitSeconds: config.limits.pushWaitSeconds,
  pushSeconds: config.limits.pushSeconds,
  keepsHistory: config.retention.historyDays !== 0,
});

/** What every thread needs to run pushes. */
const settingsOf = ({ config }: Context, sizes: PushSizes): PushSettings => {
  const { limits } = config;
  return {
    limits: pushLimitsOf({ config }),
    resourceDepth: limits.resourceDepth,
    names: {
      ofDataSource: limits.propertyNames,
      ofProvider: limits.providerPropertyNames,
      inAll: limits.allPropertyNames,
    },
    removalGuard: { rows: limits.removalRows, share: limits.removalShare },
    listedChanges: limits.listedChanges,
    compareSeconds: limits.answerSeconds,
    chunks: { transactionRows: transactionRows(config) },
    sizes,
    mostElements: limits.payloadElements,
  };
};

/** The sizes of pushes. */
const pushSizesOf = (context: Context): PushSizes => {
  const { sizes, threads } = plannedMemoryOf(context);
  const { threadMemory, bodyBytes, jsonBytes } = sizes;
  return { bodyBytes, jsonBytes, heapBytes: threadMemory, threads };
};

/** Stores multipart uploads. */
export const uploadsOf = oncePerContext(({ graph }) => graphUploads(graph));

/** What plans need of the access graph of the process. A plan goes on without what is not there. */
const accessToPlan = (context: Context) => {
  const memory = accessMemoryOf(context);
  const unlessFailed = async <A>(found: Promise<A>): Promise<A | null> => {
    try {
      return await found;
    } catch (error) {
      context.log.warn('a plan has no graph of access', errorFields(error));
      return null;
    }
  };
  return {
    lendAccess: () => unlessFailed(memory.lend()),
    loaded: async (): Promise<void> => {
      await unlessFailed(memory.loaded());
    },
  };
};

/** The push line: it runs pushes, plans and uploads, and has threads for large ones. */
export const pushLineOf = oncePerContext((context) => {
  const { config, address, graph, log, metrics } = context;
  const { limits } = config;
  const sizes = pushSizesOf(context);
  const settings = settingsOf(context, sizes);
  // Without push threads, all pushes run in the thread that answers.
  const hasThreads = config.push.threads > 0;
  const { lendAccess, loaded } = accessToPlan(context);
  const threads = pushThreads(
    graph,
    { ...settings, graph: address },
    {
      threads: Math.max(1, config.push.threads),
      memoryBytes: sizes.heapBytes,
      seconds: limits.pushThreadSeconds,
      waiting: limits.pushesWaiting,
    },
    log,
    lendAccess,
  );
  const partSizes = {
    ...sizes,
    quota: uploadQuotaOf(context),
    smallBytes: config.push.threadBytes,
  };
  const thread = hasThreads
    ? uploadThread(graph, { graph: address, sizes: partSizes }, limits.pushThreadSeconds, log)
    : null;
  context.onStop(threads.stop);
  if (thread !== null) context.onStop(thread.stop);
  const pushHere = composePush(graph, settings, {
    elementsHere: hasThreads ? ELEMENTS_HERE : Infinity,
    lendAccess,
    note: (message: string, fields: LogFields): void => log.info(message, fields),
  });
  const uploads = uploadsOf(context);
  const taking = {
    push: pushHere,
    sizes,
    uploads,
    turns: pushTurns(limits.pushesAtOnce, limits.pushWaitSeconds),
    large: hasThreads ? { threads, fromBytes: config.push.threadBytes } : null,
  };
  const dryRuns = dryRunTurns(limits.pushesAtOnce, limits.pushWaitSeconds);
  const inTurn = takingTurns(taking.turns);
  const inDryRun = takingTurns(dryRuns);
  const take = takePush(taking);
  const plan = takePlan(taking);
  const parts = { uploads, sizes: partSizes, thread, wake: context.wake, push: take };
  return {
    threads,
    /** Runs a push, and counts it. */
    take: countedPush(metrics, take),
    /** Shows what a push would do, and writes nothing. */
    plan: (sent: SentPlan) =>
      pipe(
        TE.fromTask(sent.seesOthers ? loaded : () => Promise.resolve()),
        TE.flatMap(() => inDryRun({ by: sent.by }, plan(sent))),
      ),
    startUpload: startUpload(parts),
    readParts: readParts(parts),
    takePart: takePart(parts),
    completeUpload: countedPush(metrics, completeUpload(parts)),
    removalGuard: pushHere.removalGuard,
    /** Lets other work take turns of pushes: work that waits for locks of data sources. */
    inTurn,
    /** Lets work take turns of dry runs. */
    inDryRun,
    sizes,
    /** `null` where all pushes run in the thread that answers. */
    large: taking.large,
    /** How many pushes run in this process, or wait for a thread. */
    running: (): number => {
      const { busy, waiting } = threads.load();
      return taking.turns.count + busy + waiting;
    },
    /** What resumes interrupted chunked pushes. */
    unfinished: {
      // A process that has just begun a chunked push continues the push by itself.
      chunkedPushes: pushHere.chunkedPushes,
      log,
      afterSeconds: config.parts.resumeSeconds,
      retries: doublingRetries(config.parts.resumeSeconds, config.parts.resumeTries),
      finish: hasThreads
        ? (taken: TakenOver) => threads.finish(taken)
        : finishPush(pushHere, sizes),
    },
  };
});

export { countsOfPushes } from './counted-push';
export { logPush, notDeleting } from './routes/push-answer';
