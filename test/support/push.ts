import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import { records } from '../../src/features';
import { type Answer, ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { migrate } from '../../src/graph/migration/migrate';
import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
import type { TakenOver } from '../../src/push/graph/chunked-pushes';
import { graphRegistry } from '../../src/graph/records/registry';
import { NO_SCHEMA_DEFINITION } from '../../src/contract/records/provider';
import type { PushLimits } from '../../src/push/graph/store';
import { composePush } from '../../src/push/threads/compose-push';
import type { Template } from '../../src/templates/templates';
import type { Failure } from '../../src/problem';
import { createDataSource } from '../../src/registry/create-data-source';
import { runPush } from '../../src/push/run/run-push';
import { registerProvider } from '../../src/registry/register-provider';
import type { AcceptedPush } from '../../src/push/run/accepted-push';
import type { Retries } from '../../src/background';
import { finishPush, finishUnfinished } from '../../src/push/run/unfinished-pushes';
import { memoryLog } from '../http/memory-log';
import { clearGraph, testNeo4j } from './neo4j';

/** The graph on the tests' Neo4j, with the use cases that fill it. */
export interface FilledGraph {
  readonly graph: Graph;
  /** Empties the graph but for the schema and the derivation lock. */
  clear(): Promise<void>;
  /** Registers a provider of that name and creates a data source of the same name under it. */
  register(name: string, template: Template): Promise<DataSourceOfProvider>;
  /** Creates one more data source under a provider. */
  addDataSource(
    of: Pick<DataSourceOfProvider, 'provider'>,
    name: string,
  ): Promise<DataSourceOfProvider>;
  /** Pushes a payload, or its text. */
  push(to: DataSourceOfProvider, payload: unknown): Promise<E.Either<Failure, AcceptedPush>>;
  /** Pushes a payload that must be accepted. */
  accept(to: DataSourceOfProvider, payload: unknown): Promise<AcceptedPush>;
  ask(cypher: string, parameters?: Readonly<Record<string, unknown>>): Promise<readonly Answer[]>;
  /**
   * Goes on with large pushes that were interrupted, as the next start does; gives how many were finished. A try that is spoilt fails with what is
   * given.
   */
  finishUnfinished(retries?: Retries, spoilt?: Failure): Promise<number>;
  close(): Promise<void>;
}

const done = async <A>(task: TaskEither<Failure, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left), { cause: result.left });
  return result.right;
};

/** Limits of pushes under test. */
export const TEST_LIMITS: PushLimits = { waitSeconds: 300, pushSeconds: 300 };

/** Tries again without a pause. */
const AT_ONCE: Retries = { most: 3, pauseSeconds: () => 0 };

interface FilledOptions {
  /** Whether what is there is to be kept. */
  readonly keep?: boolean;
  readonly transactionRows?: number;
  /** What a payload may come to, or be joined with, in the thread that takes pushes. */
  readonly elementsHere?: number;
  /** Heap that a push may take which is applied in chunks, or gone on with. */
  readonly heapBytes?: number;
  /** Spoils the graph that pushes use. */
  readonly spoil?: (graph: Graph) => Graph;
}

/** Opens the tests' Neo4j with the schema in it and nothing else; or with what is there, to be kept. */
export const filledGraph = async (
  limits = TEST_LIMITS,
  {
    keep = false,
    transactionRows = 100_000,
    elementsHere = Infinity,
    heapBytes = Infinity,
    spoil = (graph) => graph,
  }: FilledOptions = {},
): Promise<FilledGraph> => {
  const graph = openGraph(testNeo4j());
  const clear = async (): Promise<void> => {
    await clearGraph(graph.driver);
    await migrate(graph, records);
  };
  if (!keep) await clear();
  const registry = graphRegistry(graph);
  const used = spoil(graph);
  const pushing = composePush(
    used,
    {
      limits,
      resourceDepth: 100,
      // The graph of the tests has seen those of other tests.
      names: { ofDataSource: 500, ofProvider: 500, inAll: 1_000_000 },
      removalGuard: { rows: 1_000, share: 0.5 },
      chunks: { transactionRows },
      mostElements: 10_000_000,
      listedChanges: 10_000,
      compareSeconds: 300,
      sizes: { bodyBytes: Infinity, jsonBytes: Infinity, heapBytes, threads: 1 },
    },
    {
      elementsHere,
      memory: { heldBytes: () => 0, usedBytes: () => 0 },
      lendAccess: () => Promise.resolve(null),
      note: () => undefined,
    },
  );
  const pushTo = runPush(pushing);
  const request = () => ({
    requestId: randomUUID().replace(/-/g, ''),
    by: { keyId: null, name: 'API_KEY', address: '127.0.0.1' },
  });

  const addDataSource: FilledGraph['addDataSource'] = async ({ provider }, name) => ({
    provider,
    dataSource: await done(createDataSource({ registry })({ provider, name, ...request() })),
  });
  const push: FilledGraph['push'] = (source, payload) =>
    pushTo({
      source,
      json: typeof payload === 'string' ? payload : JSON.stringify(payload),
      confirmedRemoval: null,
      seconds: {},
      ...request(),
    })();

  return {
    graph,
    clear,
    register: async (name, template) => {
      const provider = await done(
        registerProvider({ registry })({
          wanted: {
            name,
            custom_template: template,
            provisioning: false,
            external_lifecycle_management_type: null,
            schema_definition_json: NO_SCHEMA_DEFINITION,
          },
          ...request(),
        }),
      );
      return addDataSource({ provider }, name);
    },
    addDataSource,
    push,
    accept: (source, payload) => done(() => push(source, payload)),
    ask: (cypher, parameters) => ask(graph, cypher, parameters),
    finishUnfinished: async (retries = AT_ONCE, spoilt) => {
      let finished = 0;
      const finish = (taken: TakenOver) =>
        spoilt !== undefined
          ? TE.left(spoilt)
          : pipe(
              finishPush(pushing, { heapBytes, threads: 1 })(taken),
              TE.tapIO(() => () => (finished += 1)),
            );
      const { chunkedPushes } = pushing;
      const log = memoryLog([]);
      await finishUnfinished({ chunkedPushes, afterSeconds: 0, finish, retries, log }, () => false);
      return finished;
    },
    close: () => closeGraph(graph),
  };
};
