import { startEmbeddedNeo4j } from '../../src/embedded/server';
import { startTestContainer } from './container';
import { announceTestNeo4j, type TestNeo4j } from './neo4j';

let stop: (() => Promise<unknown>) | undefined;

/** Provides the one Neo4j of a test run: NEO4J_URI, else a container where a Docker engine answers, else the embedded one; never none. */
export const startTestNeo4j = async (): Promise<void> => {
  // Two projects of one run share it.
  if (stop !== undefined) return;
  const { NEO4J_URI: uri, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE } = process.env;
  const database = NEO4J_DATABASE || 'neo4j';
  if (uri) {
    tell(`at ${uri}`);
    const user = NEO4J_USER || 'neo4j';
    return announceTestNeo4j({
      uri,
      user,
      database,
      ...(NEO4J_PASSWORD ? { password: NEO4J_PASSWORD } : {}),
    });
  }
  const container = await startTestContainer();
  if (container !== undefined) {
    stop = () => container.stop();
    tell('in a container');
    const server: TestNeo4j = { uri: container.getBoltUri(), user: 'neo4j', database };
    return announceTestNeo4j({ ...server, password: container.getPassword() });
  }
  const line = process.env.NEO4J_LINE;
  const server = await startEmbeddedNeo4j({
    boltPort: 0,
    httpPort: 0,
    heap: '512m',
    line: line === '5.26' || line === 'calendar' ? line : undefined,
    progress: tell,
  });
  stop = () => server.stop();
  tell(`${server.version} at ${server.uri}`);
  announceTestNeo4j({ uri: server.uri, user: server.user, database });
};

/** Stops what `startTestNeo4j` started. */
export const stopTestNeo4j = async (): Promise<void> => {
  const stopped = stop?.();
  stop = undefined;
  await stopped;
};

function tell(text: string): void {
  process.stderr.write(`Neo4j of the tests: ${text}\n`);
}
