import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as E from 'fp-ts/Either';

import { Company, company, placesIn } from '../../src/demo/company';
import { awaitReady, connector, type PushAnswer } from '../../src/demo/connector';
import { configMessage, readConfig } from '../../src/config';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { type Service, startService } from '../../src/start/start-service';
import { builtSources } from '../support/built-sources';
import { clearGraph, testNeo4j } from '../support/neo4j';

const COMPANY = join(__dirname, '../../examples/company');

/** The whole service on the tests' Neo4j, on a free port, with a data folder of its own. */
export interface DemoService {
  readonly service: Service;
  readonly graph: Graph;
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Pushes what a run of the demo pushes, as a new process would; `afterWeek` follows each week. Gives
 * the answers about this week.
 */
export const pushCompany = async (
  {
    service: { address, apiKey },
    graph,
    folder,
  }: Pick<DemoService, 'graph' | 'folder'> & {
    readonly service: Pick<Service, 'address' | 'apiKey'>;
  },
  afterWeek = (): Promise<void> => Promise.resolve(),
): Promise<readonly PushAnswer[]> => {
  const places = await placesIn(join(folder, 'demo.json'));
  const pushes = new Company(connector(address, apiKey), graph, places, COMPANY);
  await pushes.pushWeeks(afterWeek);
  const answers: PushAnswer[] = [];
  for (const source of company) answers.push(await pushes.push(source));
  await afterWeek();
  return answers;
};

/**
 * The service as it was compiled. Its threads of exports and of queries in Cypher exist only there.
 */
export const builtStart = (): typeof startService => {
  const built = join(builtSources(), 'start/start-service');
  return jest.requireActual<{ startService: typeof startService }>(built).startService;
};

/** Starts the service on an empty graph, with more settings. */
export const startDemoService = async (
  settings: Readonly<Record<string, string>> = {},
  start = startService,
): Promise<DemoService> => {
  const neo4j = testNeo4j();
  const graph = openGraph({ ...neo4j, password: neo4j.password });
  await clearGraph(graph.driver);
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-demo-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    ...settings,
    NEO4J_URI: neo4j.uri,
    NEO4J_USER: neo4j.user,
    NEO4J_PASSWORD: neo4j.password,
    NEO4J_DATABASE: neo4j.database,
  });
  if (E.isLeft(config)) throw new Error(configMessage(config.left));
  const service = await start(config.right);
  await awaitReady(service.address, 300);
  return {
    service,
    graph,
    folder,
    stop: async () => {
      await service.stop();
      await closeGraph(graph);
      await rm(folder, { recursive: true });
    },
  };
};
