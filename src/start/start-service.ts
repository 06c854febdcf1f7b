import { setTimeout as sleep } from 'node:timers/promises';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { BUILD_FIELDS } from '../build';
import type { Config } from '../config';
import { verifyGraph } from '../neo4j/transaction';
import { STORE_VERSION } from '../graph/migration/migrate';
import { limitsMemory } from '../questions/cypher/memory-limit';
import { features } from '../features';
import { sessionsOf } from '../features/sign-in/contract';
import { createApp, ownerKeysOf } from './app';
import { runningWork } from '../web/exchange/running-work';
import { certificateSource } from '../web/listening/certificate';
import { listen } from '../web/listening/listen';
import { createLog, type Log, logFormat } from '../log';
import { storedSecret } from '../secrets/stored-secret';
import { openContext } from './open-context';
import { openServiceGraph } from './open-graph';
import { type Neo4jOfService, openNeo4j, type StartNeo4j, withNeo4jBrowser } from './open-neo4j';
import { stopper } from './stopper';
import { vaultKeySource } from '../secrets/vault-key';

const SECOND_MS = 1_000;

/** Calls `ask` at most once a second. Other callers get the last answer, or wait for it. */
export const onceASecond = <A>(
  ask: () => Promise<A>,
  now: () => number = () => performance.now(),
): (() => Promise<A>) => {
  let last: { readonly at: number; readonly answer: Promise<A> } | undefined;
  return () => {
    const at = now();
    if (last === undefined || at - last.at >= SECOND_MS) last = { at, answer: ask() };
    return last.answer;
  };
};

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
   * Accepts no more requests, finishes those that run, and stops everything that the service
   * started.
   */
  stop(): Promise<void>;
}

const CERTIFICATE_SECONDS = 5;

/** The log that the settings describe: readable on a terminal, or else JSON. */
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
    // A key that cannot be read must stop the start, and not the first action.
    if (config.secrets.keyFile !== undefined) await vaultKeySource(config)();
    const certificate = await certificateSource(config, CERTIFICATE_SECONDS, log);
    const apiKey = http.apiKey ?? (await storedSecret(config.data.folder, 'api-key'));

    const neo4j = await openNeo4j(config, options.startNeo4j, log, started);
    const { address, graph, asked, schema } = openServiceGraph(config, neo4j, log, started);
    // A Neo4j that the service did not start may come later. Until then `/readyz` answers 503.
    if (config.neo4j.uri === undefined) await schema.done;
    else schema.done.catch((error: unknown) => options.fail?.(error));

    void schema.done.then(
      async () => {
        if ((await limitsMemory(asked)) !== false) return;
        log.warn(
          'Neo4j does not limit the memory of a transaction: set db.memory.transaction.max to two thirds of its heap',
        );
      },
      () => undefined,
    );

    const { context, startRounds, leave, stop } = openContext(features, {
      config: withNeo4jBrowser(config, neo4j),
      log,
      address,
      graph,
      asked,
      checkPrepared: schema.check,
    });
    startRounds(started.add);
    started.add(stop);

    const running = runningWork();
    const askedNow = onceASecond(
      pipe(
        TE.fromIO(schema.check),
        TE.flatMapEither((prepared) => prepared),
        TE.flatMap(() => verifyGraph(graph)),
        TE.map(() => STORE_VERSION),
      ),
    );
    const { nextApiKey } = http;
    // What people had of settings that were changed stays ended if somebody changes them back.
    void schema.done.then(
      sessionsOf(context).endChanged(ownerKeysOf({ apiKey, nextApiKey })),
      () => undefined,
    );
    const app = createApp({
      features,
      context,
      running,
      apiKey,
      nextApiKey,
      // Anybody may call this at any time, so the service queries Neo4j once a second at most.
      checkReady: () => askedNow,
    });

    const listening = await listen(app, { ...http, ...limits, certificate }, log);
    started.add(async () => {
      const finished = Promise.all([listening.close(), leave(), running.settled()]);
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
