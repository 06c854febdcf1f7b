import neo4j, { type Driver } from 'neo4j-driver';

import { clearGraph as clearDatabase } from './clear-graph.cjs';

/** Where the tests' one Neo4j answers, as the global set-up left it in the environment. */
export interface TestNeo4j {
  readonly uri: string;
  readonly user: string;
  /** Unset where the server asks for no sign-in. */
  readonly password?: string;
  readonly database: string;
}

/** The environment variable through which the set-up tells the tests, in whichever process they run. */
const VARIABLE = 'TEST_NEO4J';

/** Leaves the address of the tests' Neo4j for `testNeo4j`. */
export const announceTestNeo4j = (server: TestNeo4j): void => {
  process.env[VARIABLE] = JSON.stringify(server);
};

/** The Neo4j that the set-up provides (`jest.config.cjs` names the folders whose tests get one). */
export const testNeo4j = (): TestNeo4j => {
  const text = process.env[VARIABLE];
  if (text === undefined) {
    throw new Error(
      'No Neo4j for this test: only the jest projects "graph" and "property" get one.',
    );
  }
  return JSON.parse(text) as TestNeo4j;
};

/** A driver on the tests' Neo4j; whoever asks for it closes it. */
export const testDriver = (server: TestNeo4j = testNeo4j()): Driver =>
  neo4j.driver(
    server.uri,
    server.password === undefined ? undefined : neo4j.auth.basic(server.user, server.password),
    { telemetryDisabled: true, disableLosslessIntegers: false },
  );

/** Removes every node and relationship; constraints and indexes stay. */
export const clearGraph = (driver: Driver): Promise<void> =>
  clearDatabase(driver, testNeo4j().database);
