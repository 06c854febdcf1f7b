import { stopTestNeo4j } from './test-server';

/** Jest's global tear-down of the tests that need Neo4j. */
export default async function stopNeo4j(): Promise<void> {
  await stopTestNeo4j();
}
