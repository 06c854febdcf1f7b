import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as E from 'fp-ts/Either';

import { type Config, configMessage, readConfig } from '../../config';
import { startEmbeddedNeo4j } from '../../embedded/server';
import { closeGraph, type Graph, type GraphAddress, openGraph } from '../../neo4j/driver';
import { isConnectivity, isSignInRefused } from '../../neo4j/failure';
import { runTransaction } from '../../neo4j/transaction';
import { WrongUsage } from '../../command/context';
import { printErrors } from '../../visible-text';

/** Opens the graph that an address names, and closes it afterwards. */
const inGraph = async <A>(
  address: GraphAddress,
  work: (graph: Graph) => Promise<A>,
): Promise<A> => {
  const graph = openGraph(address);
  try {
    return await work(graph);
  } finally {
    await closeGraph(graph);
  }
};

/** Another Neo4j answers where the embedded one of these settings would. */
export class AnotherNeo4j extends Error {
  constructor(uri: string) {
    super(
      `The Neo4j at ${uri} does not accept the password of DATA_DIR: it is that of another service, such as the demo. ` +
        'Set DATA_DIR to the folder of the service that is meant (the demo has demo-data), or NEO4J_URI and NEO4J_PASSWORD; ' +
        'if it is a service that does not run, set NEO4J_BOLT_PORT to a free port.',
    );
  }
}

const answers = (address: GraphAddress): Promise<boolean> =>
  inGraph(address, async (graph) => {
    try {
      await runTransaction(graph, { mode: 'write', timeoutSeconds: 5 }, (tx) => tx.run('RETURN 1'));
      return true;
    } catch (error) {
      if (isConnectivity(error)) return false;
      if (isSignInRefused(error)) throw new AnotherNeo4j(address.uri);
      throw error;
    }
  });

/** The address of the embedded Neo4j, if a service with the same settings runs it. */
const runningEmbedded = async ({ data, neo4j, embedded }: Config): Promise<GraphAddress> => ({
  uri: `bolt://127.0.0.1:${embedded.boltPort}`,
  user: 'neo4j',
  password:
    neo4j.password ??
    (await readFile(join(data.folder, 'neo4j-password'), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    )),
  database: neo4j.database,
});

/** The settings of the service. */
export const serviceSettings = (): Config => {
  const read = readConfig(process.env);
  if (E.isLeft(read)) throw new WrongUsage(configMessage(read.left));
  return read.right;
};

/**
 * Runs `work` on the graph of the service that has these settings. If they name no Neo4j, it uses
 * the embedded one. It starts that one if no service runs it.
 */
export const withGraph = async (
  work: (graph: Graph, config: Config) => Promise<void>,
): Promise<void> => {
  const config = serviceSettings();
  const { neo4j, data, embedded } = config;
  const use = (graph: Graph): Promise<void> => work(graph, config);
  if (neo4j.uri !== undefined) return inGraph({ ...neo4j, uri: neo4j.uri }, use);
  const running = await runningEmbedded(config);
  if (await answers(running)) return inGraph(running, use);
  const server = await startEmbeddedNeo4j({
    dataFolder: data.folder,
    heap: embedded.heap,
    // A command ends too soon to make a cache.
    aotCache: embedded.aotCache === 'off' ? 'off' : 'use',
    // Nobody else needs to find this server.
    boltPort: 0,
    httpPort: 0,
    password: neo4j.password,
    progress: printErrors,
  });
  try {
    await inGraph({ ...server, database: neo4j.database }, use);
  } finally {
    await server.stop();
  }
};
