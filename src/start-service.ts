import { setTimeout as sleep } from 'node:timers/promises';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { BUILD_FIELDS } from './build';
import type { Config } from './config';
import { graphAccess } from './graph/questions/access';
import { graphAnswers } from './graph/questions/answers';
import { graphDeletions } from './graph/push/deletion';
import { closeGraph, type Graph, openGraph } from './graph/connection/driver';
import { type EmbeddedOptions, type LocalNeo4j, startEmbeddedNeo4j } from './embedded/server';
import { graphEventWriter } from './graph/records/event-record';
import { graphEventFeed } from './graph/records/event-feed';
import { graphFigures } from './graph/records/figures';
import { graphHistory } from './graph/records/history';
import { migrate } from './graph/migration/migrate';
import { graphRegistry } from './graph/records/registry';
import type { TakenOver } from './graph/push/chunked-pushes';
import { graphRetention } from './graph/records/retention';
import { graphTeamKeys } from './graph/records/team-keys';
import { verifyGraph } from './graph/connection/transaction';
import { graphVerifier } from './graph/verification/verification';
import { graphUploads } from './graph/records/uploads';
import { createApp } from './http/app';
import { certificateSource } from './http/listening/certificate';
import { listen } from './http/listening/listen';
import { plannedMemory } from './memory-at-hand';
import { inUnits } from './service/receive/memory-plan';
import { uploadThread } from './service/multipart/upload-thread';
import { runningWork } from './http/exchange/running-work';
import { createLog, errorFields, type Log, logFormat, type LogFields } from './log';
import { createMetrics } from './metrics';
import { keptSecret } from './secret';
import { type Round, runInBackground } from './service/background/background';
import { finishDeletions } from './service/registry/deletion';
import { watchEvents } from './service/events/event-watch';
import { type KeptNeo4j, keepNeo4j } from './service/background/keep-neo4j';
import { outageLog } from './service/background/outage-log';
import { onceASecond } from './service/background/once-a-second';
import { prepareGraph } from './service/background/prepare-graph';
import { removeOldUploads } from './service/multipart/multipart-upload';
import { pushTurns } from './service/threads/push-turns';
import { composePush } from './service/threads/compose-push';
import { pushThreads } from './service/threads/push-threads';
import { removeWhatIsOld } from './service/background/retention';
import { doublingRetries } from './service/push/retries';
import { transactionRows } from './transaction-rows';
import { finishPush, finishUnfinished } from './service/push/unfinished-pushes';
import { useCases } from './service/use-cases';

/** Options of a start, for the demo and the tests. */
export interface StartOptions {
  /** Starts a Neo4j if `NEO4J_URI` is unset. By default the embedded one. */
  readonly startNeo4j?: (
    options: EmbeddedOptions & { readonly dataFolder: string },
  ) => Promise<LocalNeo4j>;
  readonly log?: Log;
  /** Called if a service that listens already can never become ready. */
  readonly fail?: (error: unknown) => void;
}

/** A running service. */
export interface Service {
  /** `http://host:port` or `https://host:port`. */
  readonly address: string;
  readonly apiKey: string;
  readonly neo4j: {
    readonly uri: string;
    /** The address of Neo4j Browser; undefined if the service did not start Neo4j. */
    readonly httpAddress: string | undefined;
    /**
     * The command that deletes Neo4j's data once it is stopped; undefined if the service did not
     * start Neo4j.
     */
    readonly resetCommand: string | undefined;
    readonly user: string;
    readonly password: string | undefined;
    readonly database: string;
  };
  /**
   * Takes no more requests, finishes those that run, and stops everything that the service started.
   */
  stop(): Promise<void>;
}

// How often the service looks for unfinished work of other processes.
const BACKGROUND_SECONDS = 30;
const CERTIFICATE_SECONDS = 5;
// How often the service reports refused sign-ins, in one event.
const REFUSALS_SECONDS = 60;
/**
 * A small full push to a data source with more rows than this runs in a push thread, and so does an
 * increment with more elements. An ordinary payload of 256 KB has about so many.
 */
const ELEMENTS_HERE = 5_000;

const localNeo4j = (
  { data, neo4j, embedded }: Config,
  { startNeo4j = startEmbeddedNeo4j }: StartOptions,
  log: Log,
): Promise<KeptNeo4j> => {
  // A Neo4j that is started again keeps its ports.
  let ports = { boltPort: embedded.boltPort, httpPort: embedded.httpPort };
  return keepNeo4j(async () => {
    const started = await startNeo4j({
      dataFolder: data.folder,
      ...ports,
      heap: embedded.heap,
      line: embedded.line,
      password: neo4j.password,
      progress: (text) => log.info(text),
    });
    ports = {
      boltPort: Number(new URL(started.uri).port),
      httpPort: Number(new URL(started.httpAddress).port),
    };
    return started;
  }, log);
};

/** The log that the settings ask for: readable on a terminal, else JSON. */
export const logOf = ({ log: { level, format } }: Config): Log =>
  createLog({ level, format: logFormat(format) });

// Stops things in the reverse order of their start, even if one of them fails to stop.
const stopper = (log: Log): { add(stop: () => Promise<void>): void; stop(): Promise<void> } => {
  const stops: (() => Promise<void>)[] = [];
  return {
    add: (stop) => stops.unshift(stop),
    stop: async () => {
      for (const stop of stops.splice(0)) {
        await stop().catch((error: unknown) =>
          log.error('the service could not stop one of its parts', errorFields(error)),
        );
      }
    },
  };
};

/**
 * Starts the service: first Neo4j, unless NEO4J_URI names one, then the schema, then the HTTP
 * interface.
 */
export const startService = async (
  config: Config,
  options: StartOptions = {},
): Promise<Service> => {
  const log = options.log ?? logOf(config);
  const started = stopper(log);
  log.info('starting', BUILD_FIELDS);
  try {
    const { http, limits } = config;
    const certificate = await certificateSource(config, CERTIFICATE_SECONDS, log);
    const apiKey = http.apiKey ?? (await keptSecret(config.data.folder, 'api-key'));

    const local =
      config.neo4j.uri === undefined ? await localNeo4j(config, options, log) : undefined;
    if (local !== undefined) started.add(local.stop);
    const neo4j = {
      uri: config.neo4j.uri ?? (local as KeptNeo4j).first.uri,
      httpAddress: local?.first.httpAddress,
      resetCommand: local?.first.resetCommand,
      user: local === undefined ? config.neo4j.user : local.first.user,
      password: local === undefined ? config.neo4j.password : local.first.password,
      database: config.neo4j.database,
    };
    const address = { ...neo4j, silenceSeconds: limits.silenceSeconds };
    const outages = outageLog(log, async () => verifyGraph(graph)());
    const graph: Graph = openGraph(address, { onOutage: outages.noticed });
    started.add(() => closeGraph(graph));
    // Questions have connections of their own, so slow ones hold none that pushes and sign-ins
    // need.
    const asked = openGraph(address, { graph, connections: limits.questionsAtOnce });
    started.add(() => closeGraph(asked));
    // This stops before the connections are closed, since that is no outage.
    started.add(outages.stop);

    const schema = prepareGraph(() => migrate(graph), log);
    started.add(schema.cancel);
    // A Neo4j that the service did not start may come later. Until then `/readyz` answers 503.
    if (local !== undefined) await schema.done;
    else schema.done.catch((error: unknown) => options.fail?.(error));

    const pushLimits = { waitSeconds: limits.pushWaitSeconds, pushSeconds: limits.pushSeconds };
    const deletions = graphDeletions(graph, pushLimits);
    const uploads = graphUploads(graph);
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
    const sizes = { bodyBytes, jsonBytes, heapBytes: threadMemory, threads: planned.threads };
    const quota = {
      ofDataSource: limits.sourceUploads,
      inAll: limits.uploads,
      bytesOfDataSource: limits.sourceUploadBytes,
      bytesInAll: limits.uploadBytes,
    };
    const partSizes = { ...sizes, quota, smallBytes: config.push.threadBytes };
    const settings = {
      limits: pushLimits,
      resourceDepth: limits.resourceDepth,
      names: { ofDataSource: limits.propertyNames, inAll: limits.allPropertyNames },
      removalGuard: { rows: limits.removalRows, share: limits.removalShare },
      listedChanges: limits.listedChanges,
      chunks: { transactionRows: transactionRows(config) },
      sizes,
      mostElements: limits.payloadElements,
    };
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
    const thread =
      config.push.threads === 0
        ? null
        : uploadThread(graph, { graph: address, sizes: partSizes }, limits.pushThreadSeconds, log);
    const pushHere = composePush(graph, settings, {
      elementsHere: config.push.threads === 0 ? Infinity : ELEMENTS_HERE,
      note: (message: string, fields: LogFields): void => log.info(message, fields),
    });
    const { resumeSeconds, resumeTries } = config.parts;
    const unfinished = {
      // A process that has just begun a chunked push continues the push by itself.
      ...{ chunkedPushes: pushHere.chunkedPushes, log, afterSeconds: resumeSeconds },
      retries: doublingRetries(resumeSeconds, resumeTries),
      finish:
        config.push.threads === 0
          ? finishPush(pushHere, sizes)
          : (taken: TakenOver) => threads.finish(taken),
    };
    const onceReady =
      (round: Round): Round =>
      async (isStopping) => {
        if (E.isRight(schema.check())) await round(isStopping);
      };
    const background = runInBackground(
      [
        onceReady((isStopping) => finishDeletions(deletions, isStopping)),
        onceReady((isStopping) => removeOldUploads(uploads, isStopping)),
      ],
      BACKGROUND_SECONDS,
      log,
    );
    started.add(background.stop);
    const finishing = runInBackground(
      [onceReady((isStopping) => finishUnfinished(unfinished, isStopping))],
      resumeSeconds,
      log,
    );
    started.add(finishing.stop);
    const retention = graphRetention(graph);
    const pruning = runInBackground(
      [onceReady((isStopping) => removeWhatIsOld(retention, config.retention, isStopping))],
      config.retention.everySeconds,
      log,
    );
    started.add(pruning.stop);
    started.add(threads.stop);
    if (thread !== null) started.add(thread.stop);

    const feed = graphEventFeed(graph);
    const watch = watchEvents(
      feed,
      { everySeconds: config.events.pollSeconds, most: limits.eventStreams },
      log,
    );
    const metrics = createMetrics({
      threads: threads.load,
      eventStreams: watch.count,
      isGraphUp: async () => E.isRight(await verifyGraph(graph)()),
      figures: graphFigures(graph),
    });
    const running = runningWork();
    const cases = useCases({
      registry: graphRegistry(graph),
      push: {
        push: pushHere,
        sizes,
        uploads,
        turns: pushTurns(limits.pushesAtOnce, limits.pushWaitSeconds),
        large: config.push.threads === 0 ? null : { threads, fromBytes: config.push.threadBytes },
      },
      parts: { uploads, sizes: partSizes, thread, wake: background.wake },
      deletion: { deletions, atOnce: limits.deletionRows, wake: background.wake },
      history: graphHistory(graph),
      events: { feed, watch, heartbeatSeconds: config.events.heartbeatSeconds },
      teamKeys: graphTeamKeys(graph),
      writeEvent: graphEventWriter(graph),
      verify: {
        verifier: graphVerifier(graph, pushLimits),
        listedChanges: limits.listedChanges,
      },
      access: graphAccess(asked, limits.answerSeconds),
      answers: graphAnswers(asked, {
        seconds: limits.answerSeconds,
        rows: limits.queryRows,
        bytes: limits.queryBytes,
      }),
    });
    const tellRefusals = async (): Promise<void> => {
      if (E.isRight(schema.check())) await cases.tellRefusedSignIns()();
    };
    const askedNow = onceASecond(
      pipe(
        TE.fromIO(schema.check),
        TE.flatMapEither((prepared) => prepared),
        TE.flatMap(() => verifyGraph(graph)),
      ),
    );
    const app = createApp({
      log,
      apiKey,
      limits: { ...limits, bodyBytes, bodiesBytes },
      corsOrigins: http.corsOrigins,
      useCases: cases,
      checkPrepared: schema.check,
      // Anybody may ask this at any time, so the service asks Neo4j once a second at most.
      checkReady: () => askedNow,
      running,
      metrics,
    });
    const telling = runInBackground([tellRefusals], REFUSALS_SECONDS, log);
    started.add(async () => {
      await telling.stop();
      await tellRefusals();
    });
    const listening = await listen(app, { ...http, ...limits, certificate }, log);
    started.add(async () => {
      // Streams never end by themselves, so `watch` ends them.
      const finished = Promise.all([listening.close(), watch.stop(), running.settled()]);
      const late = sleep(limits.stopSeconds * 1000, 'late', { ref: false });
      if ((await Promise.race([finished, late])) === 'late') {
        log.warn('the service closes the connections of requests that still run', {
          seconds: limits.stopSeconds,
        });
        listening.closeNow();
      }
    });
    log.info('listening', { address: listening.address, neo4j: neo4j.uri });

    return {
      address: listening.address,
      apiKey,
      neo4j,
      stop: async () => {
        log.info('stopping');
        await started.stop();
        log.info('stopped');
      },
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
};
