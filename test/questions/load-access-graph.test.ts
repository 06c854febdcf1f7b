import { types } from 'node:util';

import * as E from 'fp-ts/Either';

import { AccessGraph } from '../../src/access/access-graph';
import { accessMemoryOf } from '../../src/questions/in-context';
import { pushCompany } from '../http/company';
import { type ServiceUnderTest, serviceUnderTest } from '../http/service-under-test';

let service: ServiceUnderTest;
let poor: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
  poor = await serviceUnderTest(
    { exports: { cursorEvery: 1, memoryBytes: 1_000 } },
    { keep: true },
  );
  await pushCompany(service);
});
afterAll(async () => {
  await poor.close();
  await service.close();
});

test('an export that needs more memory than it may use says what to set', async () => {
  const answer = await poor.send('get', '/api/v1/access:export');
  expect([answer.status, answer.text]).toMatchObject([
    503,
    expect.stringContaining('ACCESS_MEMORY'),
  ]);
});

// Before, copies were in shared memory, which V8 does not count: each export left one behind.
test('an export copies the graph into memory that ends with it', async () => {
  const copy = jest.spyOn(AccessGraph.prototype, 'copy');
  const answer = await service.send('get', '/api/v1/access:export');
  expect(answer.status).toBe(200);
  const [memory] = copy.mock.calls[0] ?? [];
  expect(types.isSharedArrayBuffer(memory?.make(8))).toBe(false);
  copy.mockRestore();
});

test('a relationship needs less than 64 bytes, with all columns', async () => {
  const loaded = await accessMemoryOf(service.context).then(null, '/at')();
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left));
  const { graph } = loaded.right;
  const { outStarts, inStarts, outFirst, inFirst, ...columns } = graph.adjacency;
  expect([outStarts.length, outFirst.length]).toEqual([inStarts.length, inFirst.length]);
  const bytes = Object.values(columns)
    .filter((column) => column instanceof Int32Array)
    .reduce((sum, column) => sum + column.byteLength, 0);
  expect(bytes / graph.relationshipCount).toBeLessThan(64);
});
