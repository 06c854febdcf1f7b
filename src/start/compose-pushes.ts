import type { Config } from '../config';
import { graphDeletions } from '../graph/push/deletion';
import type { TakenOver } from '../graph/push/chunked-pushes';
import { graphUploads } from '../graph/records/uploads';
import type { Log, LogFields } from '../log';
import { uploadThread } from '../service/multipart/upload-thread';
import { doublingRetries } from '../service/push/retries';
import { finishPush } from '../service/push/unfinished-pushes';
import { inUnits } from '../service/receive/memory-plan';
import { composePush } from '../service/threads/compose-push';
import { pushThreads } from '../service/threads/push-threads';
import { dryRunTurns, pushTurns } from '../service/threads/push-turns';
import { plannedMemory } from './memory-at-hand';
import type { OpenGraph } from './open-graph';
import type { Stopper } from './stopper';
import { transactionRows } from './transaction-rows';

/**
 * A small full push to a data source with more rows than this runs in a push thread, and so does an
 * increment with more elements. The thread that answers works on so many for some 20 ms.
 */
const ELEMENTS_HERE = 5_000;

/** The sizes that the service plans with, once it has told them. */
const toldMemory = (config: Config, log: Log): ReturnType<typeof plannedMemory> => {
  const planned = plannedMemory(config);
  const { threadMemory, bodyBytes, bodiesBytes, jsonBytes } = planned.sizes;
  if (planned.warning !== null) log.warn(planned.warning.message, planned.warning.fields);
  log.info('memory', {
    memory: inUnits(planned.memory),
    push_thread_memory: inUnits(threadMemory),
    body_bytes: bodyBytes,
    bodies_bytes: bodiesBytes,
    json_bytes: jsonBytes,
  });
  return planned;
};

/** So many providers together may have all open uploads. */
const PROVIDERS_WITH_ALL = 4;

/** How many uploads may be open, and how large they may be. */
const uploadQuota = ({ limits }: Config) => ({
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
});

/** Puts together what takes pushes, uploads and deletions, and starts the threads. */
export const composePushes = (
  config: Config,
  { address, graph }: Pick<OpenGraph, 'address' | 'graph'>,
  log: Log,
) => {
  const { limits, retention } = config;
  const { sizes: planned, threads: threadCount, memory } = toldMemory(config, log);
  const { threadMemory, bodyBytes, bodiesBytes, jsonBytes } = planned;
  const sizes = { bodyBytes, jsonBytes, heapBytes: threadMemory, threads: threadCount };
  const partSizes = { ...sizes, quota: uploadQuota(config), smallBytes: config.push.threadBytes };
  const pushLimits = {
    waitSeconds: limits.pushWaitSeconds,
    pushSeconds: limits.pushSeconds,
    keepsHistory: retention.historyDays !== 0,
  };
  const settings = {
    limits: pushLimits,
    resourceDepth: limits.resourceDepth,
    names: {
      ofDataSource: limits.propertyNames,
      ofProvider: limits.providerPropertyNames,
      inAll: limits.allPropertyNames,
    },
    removalGuard: { rows: limits.removalRows, share: limits.removalShare },
    listedChanges: limits.listedChanges,
    chunks: { transactionRows: transactionRows(config) },
    sizes,
    mostElements: limits.payloadElements,
  };
  // Without push threads, all pushes run in the thread that answers.
  const hasThreads = config.push.threads > 0;
  const threads = pushThreads(
    graph,
    { ...settings, graph: address },
    {
      threads: Math.max(1, config.push.threads),
      memoryBytes: threadMemory,
      seconds: limits.pushThreadSeconds,
      waiting: limits.pushesWaiting,
    },
    log,
  );
  const thread = hasThreads
    ? uploadThread(graph, { graph: address, sizes: partSizes }, limits.pushThreadSeconds, log)
    : null;
  const pushHere = composePush(graph, settings, {
    elementsHere: hasThreads ? ELEMENTS_HERE : Infinity,
    note: (message: string, fields: LogFields): void => log.info(message, fields),
  });
  const { resumeSeconds, resumeTries } = config.parts;
  const uploads = graphUploads(graph);
  return {
    threads,
    uploads,
    deletions: graphDeletions(graph, pushLimits),
    limits: pushLimits,
    bodies: { bodyBytes, bodiesBytes },
    /** The memory that the service plans with. */
    memory,
    /** What takes a push. */
    taking: {
      push: pushHere,
      sizes,
      uploads,
      turns: pushTurns(limits.pushesAtOnce, limits.pushWaitSeconds),
      dryRuns: dryRunTurns(limits.pushesAtOnce, limits.pushWaitSeconds),
      large: hasThreads ? { threads, fromBytes: config.push.threadBytes } : null,
    },
    /** What takes the parts of a multipart upload. */
    parts: { uploads, sizes: partSizes, thread },
    /** What resumes interrupted chunked pushes. */
    unfinished: {
      // A process that has just begun a chunked push continues the push by itself.
      ...{ chunkedPushes: pushHere.chunkedPushes, log, afterSeconds: resumeSeconds },
      retries: doublingRetries(resumeSeconds, resumeTries),
      finish: hasThreads
        ? (taken: TakenOver) => threads.finish(taken)
        : finishPush(pushHere, sizes),
    },
    stopThreads: (started: Stopper): void => {
      started.add(threads.stop);
      if (thread !== null) started.add(thread.stop);
    },
  };
};

/** What takes pushes, uploads and deletions. */
export type Pushes = ReturnType<typeof composePushes>;
