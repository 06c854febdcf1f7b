import { readFileSync } from 'node:fs';

import { records } from '../../src/features';
import { graphVerifier } from '../../src/features/verification/checks/verification';
import { verifyDataSource } from '../../src/features/verification/verify-data-source';
import { finishDeletions } from '../../src/registry/deletion';
import { Pipeline } from '../../src/neo4j/pipeline';
import { graphDeletions } from '../../src/push/graph/deletion';
import { typesOf } from '../support/parameter-types';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';

/*
 * Neo4j plans a statement once for each type that its parameters have (docs/recipes.md: Write a
 * statement). So one statement has parameters of the same types in all pushes.
 */

type Sent = (text: string, parameters: object, list: { readonly name: string } | null) => unknown;

/** Notes the types with which each statement is sent. */
const notedTypes = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const noted = new Map<string, Set<string>>();
  const pipeline = Pipeline.prototype as unknown as { queue: Sent };
  const queue = pipeline.queue;
  jest.spyOn(pipeline, 'queue').mockImplementation(function (
    this: unknown,
    ...[text, parameters, list]: Parameters<Sent>
  ) {
    const types = typesOf({ ...parameters, ...(list === null ? {} : { [list.name]: [] }) });
    noted.set(text, (noted.get(text) ?? new Set()).add(types));
    return queue.call(this, text, parameters, list);
  });
  return noted;
};

let filled: FilledGraph;
beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
afterEach(() => jest.restoreAllMocks());

test('each statement of pushes, deletions and verification has parameters of the same types', async () => {
  const noted = notedTypes();
  const directory = JSON.parse(
    readFileSync('examples/company/corporate-directory.json', 'utf8'),
  ) as { readonly users: readonly object[] };
  const [, ...fewer] = directory.users;
  const later = { ...directory, users: fewer.map((user) => ({ ...user, department: 'Moved' })) };
  const verifier = graphVerifier(filled.graph, TEST_LIMITS, records);
  const deletions = graphDeletions(filled.graph, TEST_LIMITS, records, 1_000);
  // Folding changes one of the two names. One deletion stores what ends, the other erases it.
  for (const name of ['corp', 'Corp']) {
    const source = await filled.register(name, 'identity_provider');
    await filled.accept(source, directory);
    await filled.accept(source, later);
    await verifyDataSource({ verifier, listedChanges: 100 })({
      source,
      requestId: '',
      isRepairing: true,
      seesOthers: true,
      by: { keyId: null, name: 'API_KEY', address: null },
    })();
    const act = { requestId: 'request', erases: name === 'Corp' };
    await deletions.markDataSource(source.dataSource.id, act, () => undefined);
    await finishDeletions(deletions, () => false);
  }
  const repeated = [...noted].filter(([, types]) => types.size > 1);
  expect(repeated.map(([text, types]) => [text, ...types])).toEqual([]);
  expect(noted.size).toBeGreaterThan(60);
});
