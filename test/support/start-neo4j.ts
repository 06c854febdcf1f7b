import { startTestNeo4j } from './test-server';

/** Jest's global set-up of the tests that need Neo4j. */
export default async function startNeo4j(): Promise<void> {
  await startTestNeo4j();
}
