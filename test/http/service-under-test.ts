import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import supertest from 'supertest';

import { ask } from '../../src/graph/connection/ask';
import { graphAccessExport } from '../../src/graph/questions/access-export';
import { toldCypher } from '../../src/graph/questions/answer-queries';
import { graphAccessChanges } from '../../src/graph/changes/access-changes';
import { graphAccess } from '../../src/graph/questions/access';
import { graphAnswers } from '../../src/graph/questions/answers';
import { readingQuery } from '../../src/graph/query/reading-query';
import { graphErasures } from '../../src/graph/erasure/erasure';
import { type Deletions, graphDeletions } from '../../src/graph/push/deletion';
import { closeGraph, type Graph, openGraph } from '../../src/graph/connection/driver';
import { graphEventWriter } from '../../src/graph/records/event-record';
import { graphEventFeed } from '../../src/graph/records/event-feed';
import { graphFigures } from '../../src/graph/records/figures';
import { graphHistory } from '../../src/graph/records/lists/push-and-event-lists';
import { readKeptHistory } from '../../src/graph/records/past-facts';
import { migrate, STORE_VERSION } from '../../src/graph/migration/migrate';
import { graphScimConnections } from '../../src/graph/provisioning/scim-connections';
import { graphScimImports } from '../../src/graph/provisioning/scim-imports';
import { graphStandingAccounts } from '../../src/graph/provisioning/imported-accounts';
import { graphDirectory } from '../../src/graph/scim-server/directory';
import { graphLifecycleRecords } from '../../src/graph/lifecycle/lifecycle-records';
import { graphPeople } from '../../src/graph/lifecycle/people';
import { graphPolicies } from '../../src/graph/lifecycle/policies';
import { graphRegistry } from '../../src/graph/records/registry';
import { composePush } from '../../src/service/threads/compose-push';
import { graphTeamKeys } from '../../src/graph/records/team-keys';
import { verifyGraph } from '../../src/graph/connection/transaction';
import { graphUploads, type UploadQuota, type Uploads } from '../../src/graph/records/uploads';
import { graphTrusts } from '../../src/graph/verification/trusts';
import { graphVerifier } from '../../src/graph/verification/verification';
import { type AppDeps, createApp } from '../../src/http/app';
import { runningWork } from '../../src/http/exchange/running-work';
import { createMetrics } from '../../src/metrics';
import { LIMITS } from '../../src/scim/requests/exchange';
import type { PushSizes } from '../../src/service/receive/push-sizes';
import { dryRunTurns, pushTurns } from '../../src/service/threads/push-turns';
import { type EventWatch, watchEvents } from '../../src/service/events/event-watch';
import { outageLog } from '../../src/service/background/outage-log';
import { EXPORT_SIZES, type ExportSizes } from '../../src/service/questions/export-access';
import type { LifecycleDependencies } from '../../src/service/lifecycle/dependencies';
import { doublingRetries } from '../../src/service/push/retries';
import type { ProvisioningDependencies } from '../../src/service/provisioning/dependencies';
import { type UseCases, useCases } from '../../src/service/use-cases';
import { vaultKeyOf, type VaultKey } from '../../src/vault';
import { AnswerCheck } from '../support/answer-check';
import { clearGraph, testNeo4j } from '../support/neo4j';
import { quickClock } from '../support/quick-clock';
import { type LoggedLine, memoryLog } from './memory-log';

/** The key of the service under test. */
export const API_KEY = 'test-key-of-the-service';
/** Its second key, as during a rotation. */
export const NEXT_API_KEY = 'next-key-of-the-service';

/** The HTTP interface on the tests' Neo4j, and what is behind it. */
export interface ServiceUnderTest {
  readonly app: RequestListener;
  readonly cases: UseCases;
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
  tellRefusedSignIns(): Promise<unknown>;
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

type TestLimits = AppDeps['limits'] &
  PushSizes & {
    readonly guardRows: number;
    readonly listedChanges: number;
    readonly eventStreams: number;
    readonly streamsOfKey: number;
    readonly transactionRows: number;
    readonly quota: UploadQuota;
    readonly exports: ExportSizes;
    readonly propertyNames: number;
    readonly dataSources: number;
    readonly providerPropertyNames: number;
    readonly allPropertyNames: number;
    readonly instantFacts: number;
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
const QUERIES = { seconds: 2, rows: 200, bytes: 1_000_000 };
/** What is asked first has no plan yet, and the machine of the tests may be busy. */
const ANSWER_SECONDS = 30;
/** More than the tests upload. */
const QUOTA: UploadQuota = {
  ofDataSource: 1000,
  ofProvider: 1000,
  inAll: 1000,
  bytesOfDataSource: 1e9,
  bytesOfProvider: 1e9,
  bytesInAll: 1e9,
};
const PUSH_LIMITS = { waitSeconds: 5, pushSeconds: 60 };

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
  }: ServiceOptions = {},
): Promise<ServiceUnderTest> => {
  const direct = openGraph(testNeo4j());
  if (!keep) await clearGraph(direct.driver);
  await migrate(direct);
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
  const deletions = graphDeletions(graph, PUSH_LIMITS, 25);
  const uploads = graphUploads(graph);
  const wake = (): void => {
    woken += 1;
  };
  const allLimits = {
    bodyBytes: 64 * 1024,
    bodiesBytes: 16 * 1024 * 1024,
    jsonBytes: 128 * 1024,
    keyBodies: 256,
    keyRequests: 1000,
    heapBytes: 1024 ** 3,
    threads: 1,
    quota: QUOTA,
    problems: 5,
    guardRows: 1_000,
    listedChanges: 10_000,
    eventStreams: 10,
    streamsOfKey: Infinity,
    signIns: 10_000,
    transactionRows: 100_000,
    questionsAtOnce: 24,
    questionsOfKey: 8,
    questionWaitSeconds: 5,
    propertyNames: 500,
    dataSources: 500,
    providerPropertyNames: 1000,
    // The graph of the tests has seen those of other tests.
    allPropertyNames: 1_000_000,
    instantFacts: 100_000,
    ...limits,
  };
  const answered = { seconds: ANSWER_SECONDS, instantFacts: allLimits.instantFacts };
  const feed = graphEventFeed(graph);
  const watch = watchEvents(
    feed,
    {
      everySeconds: 0.02,
      most: allLimits.eventStreams,
      mostOfOwner: allLimits.streamsOfKey,
    },
    memoryLog(logged),
  );
  const acting: ProvisioningDependencies = {
    connections: graphScimConnections(graph),
    vaultKey: () => Promise.resolve(VAULT_KEY),
    transport: () => Promise.reject(new Error('this test calls no application')),
    allowed: { hosts: [], networks: [] },
    clock: quickClock(),
    limits: LIMITS,
    writeEvent: graphEventWriter(graph),
    ...provisioning,
  };
  const registry = graphRegistry(graph, allLimits.dataSources);
  const reconciling: LifecycleDependencies = {
    ...{ provisioning: acting, registry },
    policies: graphPolicies(graph),
    people: graphPeople(graph),
    records: graphLifecycleRecords(graph, 60),
    ...{ retries: doublingRetries(30, 8), fullHours: 24, atOnce: 4, waitSeconds: 30 },
    count: () => undefined,
    ...lifecycle,
  };
  const cases = useCases({
    registry,
    lists: graphRegistry(asked),
    push: {
      push: composePush(
        graph,
        {
          limits: PUSH_LIMITS,
          resourceDepth: 100,
          names: {
            ofDataSource: allLimits.propertyNames,
            ofProvider: allLimits.providerPropertyNames,
            inAll: allLimits.allPropertyNames,
          },
          removalGuard: { rows: allLimits.guardRows, share: 0.5 },
          chunks: { transactionRows: allLimits.transactionRows },
          mostElements: 10_000_000,
          listedChanges: allLimits.listedChanges,
          sizes: { ...allLimits, heapBytes: Infinity, threads: 1 },
        },
        { note: (message, fields) => memoryLog(logged).info(message, fields) },
      ),
      sizes: allLimits,
      uploads,
      large: null,
      turns: pushTurns(16, PUSH_LIMITS.waitSeconds),
      dryRuns: dryRunTurns(16, PUSH_LIMITS.waitSeconds),
    },
    parts: { uploads, sizes: { ...allLimits, smallBytes: 1024 }, thread: null, wake },
    // Few at once, so that tests see the steps.
    deletion: { deletions, atOnce: DELETED_AT_ONCE, wake },
    erasure: {
      erasures: graphErasures(graph, PUSH_LIMITS),
      listed: allLimits.listedChanges,
      wake,
    },
    trusts: { trusts: graphTrusts(graph, PUSH_LIMITS), listed: allLimits.listedChanges },
    history: graphHistory(asked),
    past: { read: readKeptHistory(asked), days: undefined },
    events: { feed, watch, heartbeatSeconds: 0.2 },
    teamKeys: graphTeamKeys(graph),
    writeEvent: graphEventWriter(graph),
    verify: {
      verifier: graphVerifier(graph, PUSH_LIMITS),
      listedChanges: allLimits.listedChanges,
    },
    access: graphAccess(asked, answered),
    changes: graphAccessChanges(asked, ANSWER_SECONDS),
    exports: {
      accessExport: graphAccessExport(asked, ANSWER_SECONDS),
      sizes: limits.exports ?? EXPORT_SIZES,
    },
    toldCypher: toldCypher(asked, ANSWER_SECONDS),
    scimImports: {
      imports: graphScimImports(graph),
      standing: (dataSource, application) => graphStandingAccounts(graph, dataSource, application),
    },
    scimServer: {
      directory: graphDirectory(graph),
      asked: graphDirectory(asked, ANSWER_SECONDS),
      turns: pushTurns(4, PUSH_LIMITS.waitSeconds),
      newId: randomUUID,
    },
    provisioning: acting,
    lifecycle: reconciling,
    answers: {
      ...graphAnswers(asked, { ...QUERIES, ...answered }),
      query: (query) => readingQuery(asked, QUERIES, query),
    },
  });
  const app = answerCheck.watching(
    createApp({
      log: memoryLog(logged),
      apiKey: API_KEY,
      nextApiKey: NEXT_API_KEY,
      limits: allLimits,
      useCases: cases,
      checkPrepared: () => ({ _tag: 'Right', right: undefined }),
      checkReady: () =>
        pipe(
          verifyGraph(graph),
          TE.map(() => STORE_VERSION),
        ),
      running,
      metrics: createMetrics(
        {
          threads: () => ({ busy: 0, waiting: 0 }),
          eventStreams: watch.count,
          isGraphUp: async () => (await verifyGraph(graph)())._tag === 'Right',
          figures: graphFigures(graph, 0),
        },
        { ofProcess: false },
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
    cases,
    graph,
    logged,
    running,
    post,
    send,
    deletions,
    uploads,
    watch,
    lifecycle: reconciling,
    tellRefusedSignIns: () => cases.tellRefusedSignIns()(),
    backgroundWoken: () => woken,
    counts: async () => {
      const rows = await ask(
        direct,
        'MATCH (n) WHERE NOT n:BindingLock AND NOT n:Store AND NOT n:Past RETURN [label IN labels(n) WHERE label <> "Entity"][0] AS label, count(*) AS count',
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
      await watch.stop();
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
