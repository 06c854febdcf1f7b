import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import supertest from 'supertest';

import type { Config } from '../../src/config';
import type { Context } from '../../src/context';
import { features, records } from '../../src/features';
import { eventWatchOf } from '../../src/features/events/contract';
import { figuresOf } from '../../src/graph/records/figures';
import { refusedSignInsOf } from '../../src/features/keys/contract';
import { deletionsOf } from '../../src/registry/contract';
import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { verifyGraph } from '../../src/neo4j/transaction';
import { migrate, STORE_VERSION } from '../../src/graph/migration/migrate';
import { type Deletions, graphDeletions } from '../../src/push/graph/deletion';
import { queryPieces } from '../../src/questions/cypher/query-pieces';
import { readingQuery } from '../../src/questions/cypher/reading-query';
import { graphFigures } from '../../src/graph/records/figures';
import type { UploadQuota, Uploads } from '../../src/push/graph/uploads';
import { type AppDeps, createApp } from '../../src/start/app';
import { runningWork } from '../../src/web/exchange/running-work';
import { pushLimitsOf, uploadQuotaOf, uploadsOf } from '../../src/push/contract';
import { plannedMemoryOf } from '../../src/memory/memory-at-hand';
import {
  exportSizesOf,
  exportWriterOf,
  graphAnswersOf,
  queryWriterOf,
} from '../../src/questions/in-context';
import { reachingOf } from '../../src/scim/connections/contract';
import { reconcilingOf } from '../../src/scim/policies/contract';
import { LIMITS } from '../../src/scim/client/requests/exchange';
import { vaultKeyOf, type VaultKey } from '../../src/secrets/vault';
import { sealingKeyOf } from '../../src/secrets/vault-key';
import { outageLog } from '../../src/start/outage-log';
import type { EventWatch } from '../../src/features/events/event-watch';
import type { LifecycleDependencies } from '../../src/scim/policies/dependencies';
import type { ProvisioningDependencies } from '../../src/scim/connections/reaching';
import type { ExportSizes } from '../../src/questions/export/export-access';
import { exportedPieces } from '../../src/questions/export/exported-rows';
import type { MemorySizes } from '../../src/memory/memory-plan';
import { openContext } from '../../src/start/open-context';
import { AnswerCheck, FOREIGN_HOST } from '../support/answer-check';
import { clearGraph, testNeo4j } from '../support/neo4j';
import { quickClock } from '../support/quick-clock';
import { type SomeSettings, testConfig } from '../support/test-config';
import { type LoggedLine, memoryLog } from './memory-log';

/** The key of the service under test. */
export const API_KEY = 'test-key-of-the-service';
/** Its second key, as during a rotation. */
export const NEXT_API_KEY = 'next-key-of-the-service';

/** The HTTP interface on the tests' Neo4j, and what is behind it. */
export interface ServiceUnderTest {
  readonly app: RequestListener;
  /** What features work with. */
  readonly context: Context;
  readonly graph: Graph;
  readonly logged: readonly LoggedLine[];
  readonly running: AppDeps['running'];
  /** Posts JSON, or a body as it is, with the key. */
  post(path: string, body: unknown): supertest.Test;
  /** Sends any request with the key; a body as JSON. */
  send(method: Method, path: string, body?: unknown): supertest.Test;
  /** What the background works with; no background runs. */
  readonly deletions: Deletions;
  readonly uploads: Uploads;
  /** What the background does every minute. */
  reportRefusedSignIns(): void;
  /** The newest line of the log that is not about a request. */
  newestLine(): LoggedLine | undefined;
  /** What policies run with. */
  readonly lifecycle: LifecycleDependencies;
  /** What streams of events look out with. */
  readonly watch: EventWatch;
  /** How often something was left to the background. */
  backgroundWoken(): number;
  /** All labels with the number of nodes, but those of the service's own keeping that starting makes. */
  counts(): Promise<Readonly<Record<string, unknown>>>;
  /** Registers a provider and a data source; gives their ids and the push's path. */
  register(template?: string): Promise<RegisteredIds>;
  close(): Promise<void>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Limits = Config['limits'];

/** What tests vary. */
type TestLimits = Pick<
  Limits,
  | 'keyBodies'
  | 'keyRequests'
  | 'problems'
  | 'signIns'
  | 'questionsAtOnce'
  | 'questionsOfKey'
  | 'questionWaitSeconds'
  | 'pushWaitSeconds'
  | 'pushSeconds'
  | 'listedChanges'
  | 'eventStreams'
  | 'streamsOfKey'
  | 'propertyNames'
  | 'dataSources'
  | 'providerPropertyNames'
  | 'allPropertyNames'
> &
  Omit<MemorySizes, 'threadMemory'> & {
    readonly guardRows: number;
    readonly transactionRows: number;
    readonly quota: UploadQuota;
    readonly exports: ExportSizes;
    /** After how many seconds a query in Cypher is ended. */
    readonly querySeconds: number;
  };

/** Where to push. */
export interface RegisteredIds {
  readonly id: string;
  readonly data_source_id: string;
  readonly path: string;
}

/** What holds more is left to the background. */
const DELETED_AT_ONCE = 500;
/** Few, so that tests see where answers end. */
const QUERIES = { rows: 200, bytes: 1_000_000 };
/**
 * Longer than any machine needs. What is asked first has no plan yet, and others may use the machine. A
 * test that needs the end of a wait says how long it lasts.
 */
const ANSWER_SECONDS = 300;
const PATIENCE_SECONDS = 300;
/** More than the tests upload. */
const QUOTA: UploadQuota = {
  ofDataSource: 1000,
  ofProvider: 1000,
  inAll: 1000,
  bytesOfDataSource: 1e9,
  bytesOfProvider: 1e9,
  bytesInAll: 1e9,
};
const PUSH_LIMITS = { pushWaitSeconds: PATIENCE_SECONDS, pushSeconds: ANSWER_SECONDS };

/** Looks at every answer that a service under test gives (docs/recipes.md: Add an endpoint). */
export const answerCheck = new AnswerCheck();

const expectRightAnswers = (): void => expect(answerCheck.takeWrong()).toEqual([]);
afterEach(expectRightAnswers);
afterAll(expectRightAnswers);

/** The key that seals secrets in the tests. */
export const VAULT_KEY = vaultKeyOf('07'.repeat(32)) as VaultKey;

let names = 0;
let woken = 0;

/** Where to start, and on what. */
export interface ServiceOptions {
  /** Another address of the graph. */
  readonly uri?: string;
  /** Another one for questions alone. */
  readonly askedUri?: string;
  /** Whether what stands in the graph stays, as for a second process. */
  readonly keep?: boolean;
  /** Where provisioning may connect to, and with which key it seals. */
  readonly provisioning?: Partial<ProvisioningDependencies>;
  readonly lifecycle?: Partial<LifecycleDependencies>;
  /** Further settings. */
  readonly settings?: SomeSettings;
  /** Puts other things in the place of usual ones. */
  readonly replace?: (context: Context) => void;
}

/** Starts the HTTP interface, on an empty graph unless told otherwise. */
export const serviceUnderTest = async (
  limits: Partial<TestLimits> = {},
  {
    uri = testNeo4j().uri,
    askedUri = uri,
    keep = false,
    provisioning = {},
    lifecycle = {},
    settings = {},
    replace,
  }: ServiceOptions = {},
): Promise<ServiceUnderTest> => {
  const direct = openGraph(testNeo4j());
  if (!keep) await clearGraph(direct.driver);
  await migrate(direct, records);
  const logged: LoggedLine[] = [];
  const outages = outageLog(memoryLog(logged), async () => verifyGraph(graph)(), {
    lookSeconds: 0.02,
    tellSeconds: 60,
  });
  const graph: Graph = openGraph({ ...testNeo4j(), uri }, { onOutage: outages.noticed });
  const asked = openGraph(
    { ...testNeo4j(), uri: askedUri, silenceSeconds: 600 },
    { graph, isForQuestions: true, transactionSeconds: ANSWER_SECONDS },
  );
  const running = runningWork();
  const {
    guardRows,
    transactionRows,
    quota,
    exports: exportSizes,
    querySeconds,
    bodyBytes,
    bodiesBytes,
    jsonBytes,
    ...limitsOfTest
  } = {
    bodyBytes: 64 * 1024,
    bodiesBytes: 16 * 1024 * 1024,
    jsonBytes: 128 * 1024,
    keyBodies: 256,
    keyRequests: 1000,
    quota: QUOTA,
    exports: { cursorEvery: 1_000, memoryBytes: 64 * 1024 * 1024 },
    querySeconds: ANSWER_SECONDS,
    problems: 5,
    guardRows: 1_000,
    listedChanges: 10_000,
    eventStreams: 10,
    streamsOfKey: Infinity,
    signIns: 10_000,
    transactionRows: 100_000,
    questionsAtOnce: 24,
    questionsOfKey: 8,
    questionWaitSeconds: PATIENCE_SECONDS,
    ...PUSH_LIMITS,
    propertyNames: 500,
    dataSources: 500,
    providerPropertyNames: 1000,
    // The graph of the tests has seen those of other tests.
    allPropertyNames: 1_000_000,
    ...limits,
  };
  const config = testConfig({
    ...settings,
    // Forms count from pages there.
    http: { host: FOREIGN_HOST, ...settings.http },
    limits: {
      ...limitsOfTest,
      removalRows: guardRows,
      removalShare: 0.5,
      // Few at once, so that tests see the steps.
      deletionRows: DELETED_AT_ONCE,
      payloadElements: 10_000_000,
      answerSeconds: ANSWER_SECONDS,
      queryRows: QUERIES.rows,
      queryBytes: QUERIES.bytes,
    },
    push: { threads: 0, threadBytes: 1024 },
    parts: { ...testConfig().parts, transactionRows },
    events: { ...testConfig().events, pollSeconds: 0.02, heartbeatSeconds: 0.2 },
    scim: { ...testConfig().scim, readHours: 24 },
  });
  const { context, leave, stop } = openContext(
    features,
    {
      config,
      log: memoryLog(logged),
      graph,
      asked,
      address: testNeo4j(),
      checkPrepared: () => ({ _tag: 'Right', right: undefined }),
    },
    {
      ofProcess: false,
      onWake: () => {
        woken += 1;
      },
      replace: (made) => {
        replace?.(made);
        plannedMemoryOf.replace(made, () => ({
          memory: 1024 ** 3,
          threads: 1,
          warning: null,
          sizes: { bodyBytes, bodiesBytes, jsonBytes, threadMemory: Infinity },
        }));
        uploadQuotaOf.replace(made, () => quota);
        exportSizesOf.replace(made, () => exportSizes);
        // Threads run compiled code; tests of the process itself use them.
        exportWriterOf.replace(made, () => (wanted) => exportedPieces(asked, wanted));
        figuresOf.replace(made, () => graphFigures(graph, 0));
        deletionsOf.replace(made, () => graphDeletions(graph, pushLimitsOf(made), records, 25));
        sealingKeyOf.replace(made, () => () => Promise.resolve(VAULT_KEY));
        reachingOf.replace(made, (usual) => ({
          ...usual(),
          transport: () => Promise.reject(new Error('this test calls no application')),
          allowed: { hosts: [], networks: [] },
          clock: quickClock(),
          limits: LIMITS,
          ...provisioning,
        }));
        reconcilingOf.replace(made, (usual) => ({
          ...usual(),
          waitSeconds: PATIENCE_SECONDS,
          ...lifecycle,
        }));
        queryWriterOf.replace(
          made,
          () => (wanted, left) =>
            queryPieces(asked, { ...wanted, limits: { ...QUERIES, seconds: querySeconds } }, left),
        );
        graphAnswersOf.replace(made, (usual) => ({
          ...usual(),
          query: (query) => readingQuery(asked, { ...QUERIES, seconds: querySeconds }, query),
        }));
      },
    },
  );
  const app = answerCheck.watching(
    createApp({
      features,
      context,
      running,
      apiKey: API_KEY,
      nextApiKey: NEXT_API_KEY,
      checkReady: () =>
        pipe(
          verifyGraph(graph),
          TE.map(() => STORE_VERSION),
        ),
    }),
  );
  const send = (method: Method, path: string, body?: unknown): supertest.Test => {
    const request = supertest(app)[method](path).set('authorization', `Bearer ${API_KEY}`);
    return body === undefined
      ? request
      : request.set('content-type', 'application/json').send(body as object);
  };
  const post = (path: string, body: unknown): supertest.Test => send('post', path, body);
  return {
    app,
    context,
    graph,
    logged,
    running,
    post,
    send,
    deletions: deletionsOf(context),
    uploads: uploadsOf(context),
    watch: eventWatchOf(context),
    lifecycle: reconcilingOf(context),
    reportRefusedSignIns: () => refusedSignInsOf(context).report(),
    newestLine: () => logged.findLast(({ message }) => message !== 'request'),
    backgroundWoken: () => woken,
    counts: async () => {
      const rows = await ask(
        direct,
        'MATCH (n) WHERE NOT n:BindingLock AND NOT n:AccessCommit AND NOT n:Store AND NOT n:Past RETURN [label IN labels(n) WHERE label <> "Entity"][0] AS label, count(*) AS count',
      );
      return Object.fromEntries(rows.map(({ label, count }) => [String(label), count]));
    },
    register: async (template = 'identity_provider') => {
      names += 1;
      const provider = await post('/api/v1/providers/custom', {
        name: `Provider ${names}`,
        custom_template: template,
      });
      const { id } = (provider.body as { value: { id: string } }).value;
      const path = `/api/v1/providers/custom/${id}/datasources`;
      const source = await post(path, { id, name: 'Main' });
      const { id: data_source_id } = (source.body as { value: { id: string } }).value;
      return { id, data_source_id, path: `${path}/${data_source_id}:push` };
    },
    close: async () => {
      await leave();
      await stop();
      await outages.stop();
      await closeGraph(asked);
      await closeGraph(graph);
      await closeGraph(direct);
    },
  };
};

/** Listens on a free local port, for tests that speak to a socket themselves. */
export const listenLocally = async (
  app: RequestListener,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> => {
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
