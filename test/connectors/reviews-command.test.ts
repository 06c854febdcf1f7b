/** @more commands */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { unzipSync } from 'fflate';
import type { Driver } from 'neo4j-driver';

import { application, directory } from '../http/reviews/vault';
import { builtSources } from '../support/built-sources';
import { clearGraph, testDriver } from '../support/neo4j';
import { type Ended, execute } from './python-client';
import { type ServiceProcess, startServiceProcess } from './service-process';

let service: ServiceProcess;
let driver: Driver;
let folder: string;
let program: string;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-reviews-command-'));
  program = join(builtSources(), 'cli/grantgraph.js');
  service = await startServiceProcess({ TLS: '' });
  for (const [name, template, payload] of [
    ['People', 'identity_provider', directory()],
    ['Vault', 'application', application({ reads: ['ann', 'ben'], writes: ['mia'] })],
  ] as const) {
    const to = ['--provider', name, '--data-source', name, '--create', '--template', template];
    expect((await run('push', await file(`${name}.json`, payload), ...to)).code).toBe(0);
  }
});
afterAll(async () => {
  await service.stop();
  await driver.close();
  await rm(folder, { recursive: true });
});

const run = (...args: readonly string[]): Promise<Ended> =>
  execute(process.execPath, [program, ...args], {
    PATH: process.env.PATH,
    GRANTGRAPH_URL: service.address,
    GRANTGRAPH_API_KEY: service.apiKey,
  });

const reviews = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await run('reviews', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

const inJson = async <A>(...args: readonly string[]): Promise<A> =>
  JSON.parse(await reviews(...args, '--json')) as A;

const refused = async (code: number, words: string, ...args: readonly string[]): Promise<void> => {
  const ended = await run('reviews', ...args);
  expect([ended.code, ended.stderr + ended.stdout]).toEqual([code, expect.stringContaining(words)]);
};

const file = async (name: string, json: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(json));
  return path;
};

const person = async (name: string): Promise<string> => {
  const { records } = await driver.executeQuery(
    'MATCH (u:IdpUser {name: $name}) RETURN u.key AS key',
    { name },
  );
  return String(records[0]?.get('key'));
};

interface Item {
  readonly number: number;
  readonly digest: string;
  readonly reviewer: { readonly name: string };
}

const NAME = 'Vault, each quarter';

test('a review is created, planned, opened, closed and verified, and its evidence is written', async () => {
  const [owner, fallback] = [await person('olga'), await person('fay')];
  const draft = { name: NAME, owner, fallback, due: '2099-01-01T00:00:00Z', cadence: 'quarterly' };
  await refused(2, 'name the --file', 'create');
  expect(await reviews('create', '--file', await file('review.json', draft))).toContain(
    `"${NAME}" draft`,
  );
  expect(await reviews('list')).toMatch(/Vault, each quarter +draft/);
  expect(await reviews('applications')).toMatch(/Vault +Vault +red/);
  const { token, items } = await inJson<{ readonly token: string; readonly items: number }>(
    'plan',
    NAME,
  );
  expect(items).toBe(4);
  const planned = await reviews('plan', NAME);
  expect(planned).toContain('4 items, of which 0 are carried over. 0 have no reviewer.');
  expect(planned).toContain(`--token ${token}`);
  await refused(2, 'name the --token', 'open', NAME);
  // A conflict may pass later.
  await refused(3, 'The plan has changed', 'open', NAME, '--token', 'other');
  const opening = ['open', NAME, '--token', token, '--as', owner, '--acknowledge', 'a test'];
  expect(await reviews(...opening)).toContain('pending 4');
  expect(await reviews('items', NAME, '--mark', 'privileged')).toMatch(/pending +mia +permission/);
  const { stderr: more } = await run('reviews', 'items', NAME, '--most', '1');
  expect(more).toContain('There are more than these 1');
  expect(await reviews('remind', NAME)).toMatch(/mia +2/);
  await refused(2, 'name the --as', 'close', NAME, '--reason', 'All is right.');
  const { id } = (await inJson<{ readonly review: { readonly id: string } }>('show', NAME)).review;
  for (const { number, digest, reviewer } of await inJson<readonly Item[]>('items', NAME)) {
    const body = {
      on_behalf_of: await person(reviewer.name),
      decision: 'keep',
      reason: 'needed',
      items: [{ number, digest }],
    };
    const answer = await fetch(`${service.address}/api/v1/reviews/${id}:decide`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }
  const next = ['appoint', NAME, '--owner', fallback, '--reason', 'on leave'];
  expect(await reviews(...next)).toContain('keep 4');
  const closing = ['close', NAME, '--as', fallback, '--reason', 'All is right.'];
  expect(await reviews(...closing)).toContain(`"${NAME}" closed`);
  expect(await reviews('verify', NAME)).toContain('Nothing differs.');
  expect(await reviews('applications')).toMatch(/Vault +Vault +green/);
  const evidence = join(folder, 'evidence.zip');
  expect(await reviews('evidence', NAME, '--file', evidence)).toContain('Written: ');
  expect(Object.keys(unzipSync(await readFile(evidence)))).toContain('manifest.json');
  await refused(2, 'exists already', 'evidence', NAME, '--file', evidence);
  await driver.executeQuery("MATCH (r:Review) SET r.head = 'other'");
  await refused(1, 'The head of the chain', 'verify', NAME);
});

test('a review is cancelled with a reason, and options that would be ignored are refused', async () => {
  const [owner, fallback] = [await person('olga'), await person('fay')];
  const draft = { name: 'Trial', owner, fallback, due: '2099-01-01T00:00:00Z' };
  const path = await file('trial.json', draft);
  await reviews('create', '--file', path);
  await reviews('create', '--file', path);
  await refused(2, 'Several reviews are called', 'show', 'Trial');
  const all = await inJson<readonly { readonly id: string; readonly name: string }[]>('list');
  const ids = all.filter(({ name }) => name === 'Trial').map(({ id }) => id);
  await refused(2, 'name the --reason', 'cancel', ids[0] ?? '');
  for (const id of ids) {
    expect(await reviews('cancel', id, '--reason', 'a trial')).toContain('cancelled');
  }
  await refused(2, 'There is no review', 'show', 'Trial');
  await refused(2, 'name the review', 'show');
  await refused(2, 'does not accept token', 'close', 'Trial', '--token', 'x');
});
