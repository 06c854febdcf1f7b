/** @more restarts */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { otherConstants } from '../../bench/other-constants';
import { settingsText } from '../../src/settings/settings-text';
import { RULES_VERSION } from '../../src/rows/row/row-hash';
import { builtSources } from '../support/built-sources';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { breakableProxy } from './breakable-proxy';

/** A started service, as its user sees it. */
interface Started {
  readonly child: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
}

const children: ChildProcess[] = [];
let folder: string;
let entryPoint: string;

beforeAll(async () => {
  // Other suites may leave a graph that no release has written.
  const driver = testDriver();
  await clearGraph(driver);
  await driver.close();
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-process-'));
  await cp(builtSources(), join(folder, 'dist'), { recursive: true });
  entryPoint = join(folder, 'dist', 'main.js');
  await cp(join(__dirname, '../../cypher'), join(folder, 'cypher'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"version": "1.2.3"}');
  await writeFile(join(folder, 'dist', 'commit.txt'), '0123abc\n');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

const start = (
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Started => {
  const { uri, user, password, database } = testNeo4j();
  const child = spawn(process.execPath, [entryPoint, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_PATH: join(__dirname, '../../node_modules'),
      PORT: '0',
      DATA_DIR: folder,
      LOG_FORMAT: 'json',
      NEO4J_URI: uri,
      NEO4J_USER: user,
      ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
      NEO4J_DATABASE: database,
      ...settings,
    },
  });
  children.push(child);
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  return {
    child,
    printed: () => text,
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
};

const addressOf = async ({ printed, child }: Started): Promise<string> => {
  while (child.exitCode === null) {
    const address = /"address":"([^"]+)"/.exec(printed())?.[1];
    if (address !== undefined) return address;
    await sleep(50);
  }
  throw new Error(`not listening:\n${printed()}`);
};

const readiness = async (address: string): Promise<number> => {
  for (;;) {
    const { status } = await fetch(`${address}/readyz`);
    if (status === 200) return status;
    await sleep(100);
  }
};

/** Waits until a service is ready. If it ends before, the test fails with what the service printed. */
const untilReady = async ({ printed, ended }: Started, address: string): Promise<number> => {
  try {
    return await readiness(address);
  } catch (error) {
    const code = await Promise.race([ended, sleep(5_000, 'none yet')]);
    throw new Error(`${String(error)}, exit code ${code}, and it printed:\n${printed()}`, {
      cause: error,
    });
  }
};

const register = (address: string, key: string, name: string): Promise<Response> =>
  fetch(`${address}/api/v1/providers/custom`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ name, custom_template: 'application' }),
  });

test('wrong settings stop the start with one message that lists them all', async () => {
  const { ended, printed } = start({
    PORT: 'eighty',
    NEO4J_URI: 'http://x',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'pretty',
  });
  expect(await ended).toBe(2);
  expect(printed()).toMatch(/^Wrong settings:\n {2}PORT .*\n {2}NEO4J_URI .*\n {2}LOG_LEVEL .*\n$/);
});

test('where the log is JSON, a start that is refused is one line of it', async () => {
  const wrong = start({ PORT: 'eighty', NEO4J_URL: 'bolt://x' });
  expect(await wrong.ended).toBe(2);
  expect(wrong.printed().trimEnd()).not.toContain('\n');
  expect(JSON.parse(wrong.printed())).toMatchObject({
    level: 'error',
    message:
      'Wrong settings: NEO4J_URL is no setting: did you mean NEO4J_URI?; ' +
      'PORT must be a whole number from 0 to 65535, not "eighty"',
    settings: [{ variable: 'NEO4J_URL' }, { variable: 'PORT' }],
  });
  const certificate = start({ TLS_CERT: 'not-there.pem', TLS_KEY: 'not-there.pem' });
  expect(await certificate.ended).toBe(2);
  const lines = certificate.printed().trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    level: 'error',
    message: expect.stringContaining('TLS_CERT names a file that is not there') as unknown,
  });
});

test('--version tells version, commit and rules; --help the settings; another word stops the start', async () => {
  const version = start({}, ['--version']);
  expect(await version.ended).toBe(0);
  expect(version.printed()).toBe(
    `grantgraph 1.2.3 (commit 0123abc, rules version ${RULES_VERSION})\n`,
  );
  const help = start({}, ['--help']);
  expect(await help.ended).toBe(0);
  expect(help.printed()).toMatch(/^Usage: npm start/);
  expect(help.printed()).toContain(settingsText());
  const unknown = start({ LOG_FORMAT: 'pretty' }, ['--port=1']);
  expect(await unknown.ended).toBe(2);
  expect(unknown.printed()).toMatch(/^Unknown option '--port'.* Try --help\.\n$/);
});

test('a taken port stops the start with a plain message', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { ended, printed } = start({ PORT: String(port) });
  expect(await ended).toBe(1);
  expect(printed()).toMatch(/PORT is used by another program/);
  other.close();
});

test('it makes a key once, readable by its owner alone, and stops with 0', async () => {
  const keys: string[] = [];
  for (const name of ['Once', 'Twice']) {
    const service = start({});
    const address = await addressOf(service);
    expect(await untilReady(service, address)).toBe(200);
    const file = join(folder, 'api-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, 'utf8')).trim();
    keys.push(key);
    expect(service.printed()).toContain('"commit":"0123abc"');
    expect((await register(address, key, `Process ${name} ${process.pid}`)).status).toBe(200);
    expect((await register(address, `${key}x`, 'Other')).status).toBe(401);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.printed()).not.toContain(key);
    for (const line of service.printed().trim().split('\n')) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  }
  expect(keys[0]).toBe(keys[1]);
});

test.each([
  // Pushes run in the thread that answers, or in one of their own.
  ['0', '0', { since: null, keep_days: 0, facts: { nodes: 0, relationships: 0 } }],
  ['0', '1', { since: null, keep_days: 0, facts: { nodes: 0, relationships: 0 } }],
  [
    '30',
    '1',
    { since: expect.any(String) as string, keep_days: 30, facts: { nodes: 1, relationships: 0 } },
  ],
])(
  'KEEP_HISTORY_DAYS=%s with PUSH_THREADS=%s is how long facts that ended are kept',
  async (days, threads, expected) => {
    const driver = testDriver();
    const { database } = testNeo4j();
    await driver.executeQuery('MATCH (past:Past) DELETE past', {}, { database });
    await driver.close();
    const service = start({
      API_KEY: 'some-key',
      KEEP_HISTORY_DAYS: days,
      PUSH_THREADS: threads,
      ...otherConstants({ PUSH_THREAD_BYTES: 1 }),
    });
    const address = await addressOf(service);
    expect(await untilReady(service, address)).toBe(200);
    const send = async (method: string, path: string, body?: object): Promise<unknown> => {
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: 'Bearer some-key', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([path, answer.status]).toEqual([path, 200]);
      return ((await answer.json()) as { readonly value?: unknown }).value;
    };
    const idOf = (value: unknown): string => (value as { readonly id: string }).id;
    const base = '/api/v1/providers/custom';
    const provider = { name: `History ${days} ${threads}`, custom_template: 'identity_provider' };
    const id = idOf(await send('POST', base, provider));
    const path = `${base}/${id}/datasources`;
    const data_source_id = idOf(await send('POST', path, { id, name: 'main' }));
    for (const users of [[{ name: 'ann' }, { name: 'bob' }], [{ name: 'ann' }]]) {
      const json_data = JSON.stringify({ domains: [{ name: 'd' }], users });
      await send('POST', `${path}/${data_source_id}:push`, { id, data_source_id, json_data });
    }
    expect(await send('GET', '/api/v1/history')).toMatchObject(expected);
    await send('DELETE', `${base}/${id}?erase=true`);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  },
);

test('a stop ends live streams, whose readers would wait for ever', async () => {
  const service = start({ API_KEY: 'known' });
  const address = await addressOf(service);
  expect(await untilReady(service, address)).toBe(200);
  const stream = await fetch(`${address}/api/v1/events:stream`, {
    headers: { authorization: 'Bearer known' },
  });
  const told = stream.text();
  service.child.kill('SIGTERM');
  expect(await told).toMatch(/^retry: \d+\n\nid: \d+\n\n/);
  expect(await service.ended).toBe(0);
  expect(service.printed()).not.toContain('cut off');
});

test('it starts while Neo4j is down, says so, and is ready once Neo4j is there', async () => {
  const proxy = await breakableProxy(testNeo4j().uri, false);
  const service = start({ NEO4J_URI: `bolt://127.0.0.1:${proxy.port}`, API_KEY: 'known' });
  const address = await addressOf(service);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/readyz`)).status).toBe(503);
  const answer = await register(address, 'known', `Late ${process.pid}`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'Unavailable' });
  expect((await register(address, 'unknown', 'Late')).status).toBe(401);
  // What may be a team key cannot be told from one that is not known.
  expect((await register(address, `ggk_${'x'.repeat(43)}`, 'Late')).status).toBe(503);
  await proxy.mend();
  expect(await untilReady(service, address)).toBe(200);
  expect((await register(address, 'known', `Late ${process.pid}`)).status).toBe(200);
  service.child.kill('SIGINT');
  expect(await service.ended).toBe(0);
  await proxy.cut();
});

describe('a stop while a request runs', () => {
  /** Neither waits for a time: the service says when it takes the request, and when it takes no other. */
  const slowly = async (settings: Readonly<Record<string, string>> = {}) => {
    const service = start({ API_KEY: 'known', ...settings });
    const address = await addressOf(service);
    expect(await untilReady(service, address)).toBe(200);
    const text = JSON.stringify({
      name: `Slow ${process.pid} ${performance.now()}`,
      custom_template: 'application',
    });
    const asked = request(`${address}/api/v1/providers/custom`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer known',
        expect: '100-continue',
        'content-length': Buffer.byteLength(text),
      },
    });
    const answer = once(asked, 'response').then(([{ statusCode }]) => statusCode as number);
    answer.catch(() => undefined);
    asked.flushHeaders();
    await once(asked, 'continue');
    asked.write(text.slice(0, 10));
    service.child.kill('SIGTERM');
    const isRefused = (): Promise<boolean> =>
      fetch(`${address}/healthz`).then(
        () => false,
        () => true,
      );
    while (!(await isRefused()));
    return { service, answer, finish: () => asked.end(text.slice(10)) };
  };

  test('finishes it and takes no other', async () => {
    const { service, answer, finish } = await slowly();
    expect(service.child.exitCode).toBeNull();
    finish();
    expect(await answer).toBe(200);
    expect(await service.ended).toBe(0);
  });

  test('waits no longer than it may', async () => {
    const { service, answer } = await slowly(otherConstants({ LIMIT_STOP_SECONDS: 1 }));
    expect(await service.ended).toBe(0);
    await expect(answer).rejects.toThrow();
  });

  test('ends at once at a second signal', async () => {
    const { service, answer } = await slowly();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(143);
    await expect(answer).rejects.toThrow();
  });
});
