/** @more bounds */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import type { Route } from '../../src/web/routing/route';
import { idleRoutes } from '../support/idle-app';
import { clearGraph, testDriver } from '../support/neo4j';
import { Client } from './client';
import { hostileBodies } from './hostile-body';
import { whileWatched } from './main-thread';

jest.setTimeout(30 * 60_000);

/** Milliseconds for which a request may hold the main thread, and so block others. */
const MOST_MILLISECONDS = 100;
/** What the service may take; by night once more with `4g`. */
const MEMORY = process.env.HARDENING_MEMORY ?? '1g';

let driver: Driver;
let service: ServiceProcess;
let client: Client;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  const blocks = ['--require', join(__dirname, '../support/longest-block.cjs')];
  service = await startServiceProcess({ TLS: '', MEMORY }, blocks);
  client = new Client(service);
});
afterAll(async () => {
  client.close();
  await service.stop();
  await driver.close();
});

const residentMiB = async (): Promise<number> => {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
};

const source = async (template: string): Promise<{ provider: string; id: string }> => {
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await client.send({ method: 'POST', path, body: JSON.stringify(body) });
    return (answer.body?.value as { id: string }).id;
  };
  const providers = '/api/v1/providers/custom';
  const provider = await post(providers, { name: template, custom_template: template });
  const path = `${providers}/${provider}/datasources`;
  return { provider, id: await post(path, { id: provider, name: template }) };
};

test('no body of any route holds the main thread, or memory that stays', async () => {
  const { provider, id } = await source('identity_provider');
  const filled = (path: string): string =>
    path
      .replace(/\\:/g, ':')
      .replace(':providerId', provider)
      .replace(':dataSourceId', id)
      .replace(/:(scimId|policyId|[a-z]+Id)\b/g, 'nobody');
  // The threads that take large bodies start with the first of them, and stay.
  const isLarge = ({ path }: Route): number => (/^\/scim\/|:push/.test(path) ? 0 : 1);
  const routes = idleRoutes()
    .filter(({ body }) => body !== undefined)
    .toSorted((a, b) => isLarge(a) - isLarge(b));
  const resident: number[] = [];
  const slow: string[] = [];
  let most = 0;
  let requests = 0;
  for (const { method, path, body = [] } of routes) {
    for (const hostile of hostileBodies(body, path.startsWith('/scim/'))) {
      const send = async () => {
        requests += 1;
        return whileWatched(service, () =>
          client.send({
            method: method.toUpperCase(),
            path: filled(path),
            body: hostile.body,
            ...(hostile.isCompressed && { headers: { 'content-encoding': 'gzip' } }),
          }),
        );
      };
      let sent = await send();
      // What runs for the first time is compiled meanwhile.
      for (let again = 0; again < 2 && sent.block > MOST_MILLISECONDS; again += 1) {
        const next = await send();
        if (next.block < sent.block) sent = next;
      }
      const { status, text } = sent.value;
      const told = `${method} ${path}, ${hostile.name}: ${status}, ${sent.block} ms`;
      most = Math.max(most, sent.block);
      if (sent.block > MOST_MILLISECONDS) slow.push(told);
      expect([told, status < 500 || status === 503]).toEqual([told, true]);
      // Names of a hundred problems at most.
      expect([told, text.length < 100_000]).toEqual([told, true]);
    }
    resident.push(await residentMiB());
  }
  process.stderr.write(
    `${requests} hostile bodies to ${routes.length} routes; the main thread was held for ${most} ms at most\n` +
      `resident MiB after each route: ${resident.join(' ')}\n`,
  );
  expect(routes.length).toBeGreaterThan(20);
  expect(slow).toEqual([]);
  const half = Math.floor(resident.length / 2);
  expect(Math.max(...resident.slice(half))).toBeLessThan(
    1.5 * Math.max(...resident.slice(0, half)),
  );
});
