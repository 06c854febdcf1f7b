import { setTimeout as sleep } from 'node:timers/promises';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { BUILD_FIELDS } from '../build';
import type { Config } from '../config';
import { verifyGraph } from '../graph/connection/transaction';
import { STORE_VERSION } from '../graph/migration/migrate';
import { limitsMemory } from '../graph/query/memory-limit';
import { graphFigures } from '../graph/records/figures';
import { createApp } from '../http/app';
import { runningWork } from '../http/exchange/running-work';
import { certificateSource } from '../http/listening/certificate';
import { listen } from '../http/listening/listen';
import { createLog, type Log, logFormat } from '../log';
import { createMetrics } from '../metrics';
import { keptSecret } from '../secret';
import { runInBackground } from '../service/background/background';
import { onceASecond } from '../service/background/once-a-second';
import { measuredPushes } from '../service/measured-pushes';
import { ImportTimetable } from '../service/scim-import/timetable';
import { composePushes } from './compose-pushes';
import { composeUseCases } from './compose-use-cases';
import { openServiceGraph } from './open-graph';
import { type Neo4jOfService, openNeo4j, type StartNeo4j } from './open-neo4j';
import { onceReady, startRounds } from './start-rounds';
import { stopper } from './stopper';
import { vaultKeySource } from './vault-key';

/** Options of a start, for the demo and the tests. */
export interface StartOptions {
  /** Starts a Neo4j if `NEO4J_URI` is unset. By default the embedded one. */
  readonly startNeo4j?: StartNeo4j;
  readonly log?: Log;
  /** Called if a service that listens already can never become ready. */
  readonly fail?: (error: unknown) => void;
}

/** A running service. */
export interface Service {
  /** `http://host:port` or `https://host:port`. */
  readonly address: string;
  readonly apiKey: string;
  readonly neo4j: Neo4jOfService;
  /**
   * Takes no more requests, finishes those that run, and stops everything that the service started.
   */
  stop(): Promise<void>;
}

const CERTIFICATE_SECONDS = 5;
// How often the service looks for imports of applications that are due.
const IMPORTS_SECONDS = 5;
// How often the service looks whether policies are due.
const POLICY_SECONDS = 1;
// How often the service reports refused sign-ins, in one event.
const REFUSALS_SECONDS = 60;

/** The log that the settings ask for: readable on a terminal, else JSON. */
export const logOf = ({ log: { level, format } }: Config): Log =>
  createLog({ level, format: logFormat(format) });

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
    // A key that cannot be read shall stop the start, not the first action.
    if (config.secrets.keyFile !== undefined) await vaultKeySource(config)();
    const certificate = await certificateSource(config, CERTIFICATE_SECONDS, log);
    const apiKey = http.apiKey ?? (await keptSecret(config.data.folder, 'api-key'));

    const neo4j = await openNeo4j(config, options.startNeo4j, log, started);
    const open = openServiceGraph(config, neo4j, log, started);
    const { graph, schema } = open;
    // A Neo4j that the service did not start may come later. Until then `/readyz` answers 503.
    if (config.neo4j.uri === undefined) await schema.done;
    else schema.done.catch((error: unknown) => options.fail?.(error));

    void schema.done.then(
      async () => {
        if ((await limitsMemory(open.asked)) !== false) return;
        log.warn(
          'Neo4j does not limit the memory of a transaction: set db.memory.transaction.max to two thirds of its heap',
        );
      },
      () => undefined,
    );

    const pushes = composePushes(config, open, log);
    const background = startRounds(config, graph, schema, pushes, log, started);
    pushes.stopThreads(started);
    const metrics = createMetrics({
      threads: pushes.threads.load,
      eventStreams: () => watch.count(),
      isGraphUp: async () => E.isRight(await verifyGraph(graph)()),
      figures: graphFigures(graph),
    });
    const { cases, watch, policies } = composeUseCases(
      config,
      open,
      pushes,
      background,
      log,
      metrics.action,
    );
    const reconciling = runInBackground(
      'policies',
      [onceReady(schema, policies)],
      POLICY_SECONDS,
      log,
    );
    started.add(reconciling.stop);

    const running = runningWork();
    const askedNow = onceASecond(
      pipe(
        TE.fromIO(schema.check),
        TE.flatMapEither((prepared) => prepared),
        TE.flatMap(() => verifyGraph(graph)),
        TE.map(() => STORE_VERSION),
      ),
    );
    const app = createApp({
      log,
      apiKey,
      nextApiKey: http.nextApiKey,
      limits: { ...limits, ...pushes.bodies },
      corsOrigins: http.corsOrigins,
      publicUrl: http.publicUrl,
      useCases: cases,
      checkPrepared: schema.check,
      // Anybody may ask this at any time, so the service asks Neo4j once a second at most.
      checkReady: () => askedNow,
      running,
      metrics,
    });

    const timetable = new ImportTimetable({
      ...{ imports: measuredPushes(cases, metrics).scimImports, log },
      findProvider: cases.findProvider,
    });
    started.add(timetable.stop);
    const importing = runInBackground(
      'imports',
      [onceReady(schema, timetable.round)],
      IMPORTS_SECONDS,
      log,
    );
    started.add(importing.stop);

    const tellRefusals = onceReady(schema, async () => void (await cases.tellRefusedSignIns()()));
    const telling = runInBackground('refused sign-ins', [tellRefusals], REFUSALS_SECONDS, log);
    started.add(async () => {
      await telling.stop();
      await tellRefusals(() => false);
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
