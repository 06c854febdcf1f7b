/** @more scim */

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { pythonEnvironment } from '../../support/python-environment';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../service-under-test';

const run = promisify(execFile);

interface Result {
  readonly status: string;
  readonly title: string;
  readonly of: string | null;
  readonly reason: string | null;
  readonly data: string | null;
}

let service: ServiceUnderTest;
let server: Server;

beforeAll(async () => {
  service = await serviceUnderTest();
  server = createServer(service.app);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
});
afterAll(async () => {
  await new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });
  await service.close();
});

/** `scim2-tester` of PyPI, unchanged. */
test('all checks of scim2-tester pass', async () => {
  const { data_source_id } = await service.register('identity_provider');
  const programs = await pythonEnvironment('scim2-tester', '0.5.2', [
    'scim2-client==0.13.2',
    'scim2-models==0.12.3',
    'httpx2==2.16.2',
  ]);
  const { port } = server.address() as AddressInfo;
  const { stdout } = await run(
    join(programs, 'python'),
    [join(__dirname, 'tester.py'), `http://127.0.0.1:${port}/scim/v2/${data_source_id}`, API_KEY],
    { maxBuffer: 64 * 1024 ** 2 },
  );
  const results = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
  const passed = results.filter(({ status }) => status === 'SUCCESS');
  const counts = new Map<string, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  process.stdout.write(`scim2-tester 0.5.2: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  expect(results.filter((one) => !passed.includes(one))).toEqual([]);
  expect(passed.length).toBeGreaterThanOrEqual(109);
});
