/** @more commands */

import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { type Ended, execute, pythonClient } from './python-client';
import { type ServiceProcess, startServiceProcess } from './service-process';

const ROOT = join(__dirname, '../..');
const CONNECTORS = join(ROOT, 'examples/connectors');
const SYSTEM = { PATH: process.env.PATH };

let service: ServiceProcess;
let driver: Driver;
let folder: string;
/** A key with the scope `push` alone: connectors need no more. */
let pushKey: string;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-examples-'));
  service = await startServiceProcess();
  const made = await execute(
    'curl',
    [
      '-sS',
      '--cacert',
      service.certificate,
      '-H',
      'content-type: application/json',
      '-H',
      `authorization: Bearer ${service.apiKey}`,
      '-d',
      '{"name":"connectors","scopes":["push"]}',
      `${service.address}/api/preview/teamkeys`,
    ],
    SYSTEM,
  );
  pushKey = /"access_key":"([^"]+)"/.exec(made.stdout)?.[1] ?? '';
  expect(pushKey).not.toBe('');
});
afterAll(async () => {
  await service.stop();
  await driver.close();
  await rm(folder, { recursive: true });
});

const variables = () => ({
  ...SYSTEM,
  GRANTGRAPH_URL: service.address,
  GRANTGRAPH_API_KEY: pushKey,
});

const curl = (...args: readonly string[]): Promise<Ended> =>
  execute(join(CONNECTORS, 'curl/connector.sh'), args, {
    ...variables(),
    CURL_CA_BUNDLE: service.certificate,
  });

const names = async (query: string): Promise<readonly unknown[]> => {
  const { database } = testNeo4j();
  const { records } = await driver.executeQuery(query, {}, { database });
  return records.map((record) => record.get(0) as unknown);
};

test.each(['1.2.0', '1.1.15'])('the Python connector pushes with oaaclient %s', async (version) => {
  const client = await pythonClient(version);
  const push = (): Promise<Ended> =>
    client.run(
      { ...service, apiKey: pushKey },
      join(CONNECTORS, 'python/connector.py'),
      join(CONNECTORS, 'helpdesk-export.json'),
    );
  const first = await push();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/(pushed \d+ nodes|unchanged)\n$/);
  expect((await push()).stdout).toMatch(/\nunchanged\n$/);
  expect(
    await names('MATCH (u:LocalUser {application: "Help desk"}) RETURN u.name ORDER BY u.name'),
  ) //
    .toEqual(['ann', 'bob', 'cyd']);
});

test('the curl connector pushes a file, and shows why one is refused', async () => {
  const wiki = ['Company wiki', 'application', 'wiki.example.org'] as const;
  const first = await curl(...wiki, join(ROOT, 'examples/first-push.json'));
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({ unchanged: false, put: { nodes: 7 } });
  const again = await curl(...wiki, join(ROOT, 'examples/first-push.json'));
  expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: true });
  const refused = await curl(...wiki, join(CONNECTORS, 'helpdesk-export.json'));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^refused: \{"code":"InvalidArgument"/m);
});

describe('the TypeScript connector', () => {
  let program: string;

  beforeAll(async () => {
    // A copy elsewhere, with nothing but what its own package.json names, as its users have it.
    const alone = join(folder, 'alone');
    await cp(join(CONNECTORS, 'typescript'), alone, { recursive: true });
    const { devDependencies } = JSON.parse(await readFile(join(alone, 'package.json'), 'utf8')) as {
      devDependencies: Readonly<Record<string, string>>;
    };
    await mkdir(join(alone, 'node_modules/@types'), { recursive: true });
    // The last one comes with `@types/node`.
    for (const name of [...Object.keys(devDependencies), 'undici-types']) {
      await cp(join(ROOT, 'node_modules', name), join(alone, 'node_modules', name), {
        recursive: true,
      });
    }
    const compiled = await execute(
      process.execPath,
      [join(alone, 'node_modules/typescript/bin/tsc'), '-p', alone],
      SYSTEM,
    );
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    program = join(alone, 'dist/connector.mjs');
  });

  const push = (file: string): Promise<Ended> =>
    execute(process.execPath, [program, file], {
      ...variables(),
      NODE_EXTRA_CA_CERTS: service.certificate,
    });

  test('pushes people, and accounts pushed before find them', async () => {
    const first = await push(join(CONNECTORS, 'staff.csv'));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/pushed \d+ nodes\n$/);
    expect((await push(join(CONNECTORS, 'staff.csv'))).stdout).toBe('unchanged\n');
    const accounts = `MATCH (:IdpUser {name: "ann"})-[:KNOWN_AS]->(:Identity)-[:IDENTITY_OF]->(u:LocalUser)
      RETURN u.application ORDER BY u.application`;
    expect(await names(accounts)).toEqual(['Help desk', 'Wiki']);
    expect(await names('MATCH (:IdpUser {name: "bob"})-[:MANAGED_BY]->(m) RETURN m.name')).toEqual([
      'ann',
    ]);
  });

  test('tells why a push is refused', async () => {
    const file = join(folder, 'wrong.csv');
    await cp(join(CONNECTORS, 'helpdesk-export.json'), file);
    const refused = await push(file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^refused: InvalidArgument: .*\n {2}\/users\/\d+: /);
  });
});
