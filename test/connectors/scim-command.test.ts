/** @more commands */

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { Driver } from 'neo4j-driver';

import type { ActionAnswer } from '../../src/scim/connections/endpoints';
import { TOKEN } from '../scim/acting';
import { type Application, scim2Server } from '../scim/scim2-server';
import { builtSources } from '../support/built-sources';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { type Ended, execute } from './python-client';
import { type ServiceProcess, startServiceProcess } from './service-process';

let application: Application;
let service: ServiceProcess;
let driver: Driver;
let folder: string;
let program: string;

beforeAll(async () => {
  application = await scim2Server();
  driver = testDriver();
  await clearGraph(driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-scim-command-'));
  program = join(builtSources(), 'cli/grantgraph.js');
  service = await startServiceProcess({
    SCIM_HOSTS: `http://${new URL(application.base).host}`,
    SCIM_NETWORKS: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
    TLS: '',
  });
});
afterAll(async () => {
  await service.stop();
  await application.stop();
  await driver.close();
  await rm(folder, { recursive: true });
});

const run = (...args: readonly string[]): Promise<Ended> => {
  const { uri, user, password, database } = testNeo4j();
  return execute(process.execPath, [program, ...args], {
    PATH: process.env.PATH,
    DATA_DIR: join(folder, 'data'),
    GRANTGRAPH_URL: service.address,
    GRANTGRAPH_API_KEY: service.apiKey,
    NEO4J_URI: uri,
    NEO4J_USER: user,
    NEO4J_DATABASE: database,
    ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
  });
};

const scim = (...args: readonly string[]): Promise<Ended> =>
  run('scim', ...args, '--provider', 'Wiki');

const done = async (ended: Promise<Ended>): Promise<string> => {
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

const file = async (name: string, json: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(json), { mode: 0o600 });
  return path;
};

const request = async (path: string, method: string, body: object): Promise<unknown> => {
  const answer = await fetch(`${service.address}/api/v1/providers/custom${path}`, {
    method,
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.json();
};

/** A policy gives both people accounts, by the command line and in the background. */
const followPolicies = async (): Promise<void> => {
  const policies = (...args: readonly string[]): Promise<Ended> =>
    run('policies', ...args, '--provider', 'Wiki');
  const set = async (more: object): Promise<Ended> =>
    policies(
      'set',
      '--file',
      await file('policy.json', {
        name: 'Everybody',
        who: [{ filter: 'name pr', in: ['halden.example'] }],
        groups: ['Writers'],
        adopt: true,
        ...more,
      }),
    );
  expect(await done(set({}))).toMatch(
    /^Everybody \(report_only\): name pr in [0-9a-f-]{36}; groups Writers/,
  );
  expect(await done(policies('plan'))).toMatch(/^would ensure /m);
  expect(await set({ who: [{ filter: 'shoe eq 4', in: ['halden.example'] }] })).toMatchObject({
    code: 1,
  });
  await done(set({ state: 'active' }));
  await policies('run', '--full');
  let status = '';
  for (let look = 1; look <= 60 && !status.includes('ACTIVE 2'); look += 1) {
    status = await done(policies('status'));
  }
  expect(status).toContain('Accounts: ACTIVE 2.');
  expect(await done(policies('list'))).toContain('(active)');
  expect(await done(policies('show', '--policy', 'everybody'))).toContain('"adopt": true');
  expect(await done(policies('actions', '--status', 'DONE'))).toMatch(/ DONE ensure /);
  expect(await done(policies('retry'))).toContain('0 actions');
  expect(await policies('confirm')).toMatchObject({ code: 2 });
  expect(await policies('confirm', '--token', 'x')).toMatchObject({ code: 3 });
  expect(await policies('set')).toMatchObject({ code: 2 });
  expect(await policies('show', '--policy', 'nobody')).toMatchObject({ code: 2 });
  expect(await done(policies('remove', '--policy', 'Everybody'))).toContain('accounts stay');
};

test('an application is connected, and a person joins, moves and leaves by the command line', async () => {
  const directory = await file('directory.json', {
    name: 'Directory',
    idp_type: 'test',
    domains: [{ name: 'halden.example' }],
    users: [
      { name: 'ann', identity: 'p-1', email: 'ann@halden.example', full_name: 'Ann Berg' },
      { name: 'bob', identity: 'p-2', email: 'bob@halden.example', full_name: 'Bob Lie' },
    ],
  });
  await done(
    run(
      'push',
      directory,
      '--provider',
      'Directory',
      '--data-source',
      'halden.example',
      '--create',
      '--template',
      'identity_provider',
      '--json',
    ),
  );
  await request('', 'POST', {
    name: 'Wiki',
    custom_template: 'application',
    external_lifecycle_management_type: 'SCIM',
    provisioning: true,
  });

  const noConnection = await scim('test');
  expect(noConnection).toMatchObject({ code: 1, stdout: '' });
  const connection = {
    base_url: application.base,
    authentication: { type: 'bearer', token: TOKEN },
  };
  const set = await done(scim('set', '--file', await file('connection.json', connection)));
  expect(set).toContain('emails[type eq "work"].value: email');
  expect(await done(scim('show'))).toBe(set);
  expect(await done(scim('test'))).toContain('Changes by PATCH, with filters, pages by index.');

  const dry = await done(scim('provision', '--users', 'ann@halden.example', '--dry-run'));
  expect(dry).toMatch(/^would send POST \/Users \{.*"userName":"ann@halden.example"/m);
  expect(dry).toMatch(/^would be created /m);
  expect(await done(scim('provision', '--users', 'Ann@halden.example'))).toMatch(
    /^created .*\(account /m,
  );
  expect(await done(scim('update', '--users', 'ann'))).toMatch(/^unchanged /m);
  await done(scim('provision', '--users', 'bob'));

  const made = JSON.parse(
    await done(scim('provision', '--users', 'bob', '--json')),
  ) as ActionAnswer;
  const account = made.values[0]?.account ?? '';
  await fetch(`${application.base}/Groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Writers',
    }),
  });
  const members = await done(scim('add-members', '--group', 'Writers', '--users', 'ann', 'bob'));
  expect(members.match(/^added /gm)).toHaveLength(2);
  await done(scim('remove-members', '--group', 'Writers', '--accounts', account));
  expect(await done(scim('disable', '--users', 'ann'))).toMatch(/^disabled /m);
  expect(await done(scim('delete', '--accounts', account))).toMatch(/^deleted /m);

  const failed = await scim('update', '--users', 'bob');
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/^failed .*NO_ACCOUNT: /m);
  expect(await scim('add-members', '--users', 'ann')).toMatchObject({ code: 2 });
  expect(await scim('provision', '--users', 'nobody')).toMatchObject({ code: 2 });
  expect(await scim('provision', '--users', 'ann', 'bob')).toMatchObject({ code: 2 });
  expect(await scim('set')).toMatchObject({ code: 2 });
});

test('an application is imported by the command line', async () => {
  const noImport = await scim('import');
  expect(noImport).toMatchObject({ code: 1, stdout: '' });
  const settings = await done(scim('import-settings', '--every', 'PT1H'));
  expect(settings).toMatch(/^Imported every 1 h, next at /);
  // The timetable may run it first: it is due at once.
  expect(await done(scim('import', '--whole', '--dry-run'))).toMatch(
    /^Read the complete application with \d+ requests: 1 accounts, 1 groups\.\n(Would put|Nothing would)/,
  );
  const imported = await scim('import');
  expect(imported.stdout + imported.stderr).toMatch(/^Read |runs already/);
  const shown = await done(
    scim('import-settings', '--every', 'never', '--leave-out', 'active eq false'),
  );
  expect(shown).toContain('Imported by call.');
  expect(shown).toContain('Left out: active eq false');
  expect(await scim('import-settings', '--leave-out', '(')).toMatchObject({ code: 1 });
  expect(await done(scim('import-remove'))).toContain('no longer imported');
});

test('the key of secrets is rotated while the service runs, and no secret is in logs or backups', async () => {
  const keyFile = join(folder, 'data', 'secrets-key');
  const before = await readFile(keyFile, 'utf8');
  expect(await done(run('rotate-secrets'))).toMatch(/^Sealed the secrets of 1 connections /);
  const after = await readFile(keyFile, 'utf8');
  expect(after).not.toBe(before);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect(await done(scim('test'))).toContain('The application answers.');

  // An interrupted rotation has made its new key, and maybe sealed with it.
  await writeFile(`${keyFile}.new`, before, { mode: 0o600 });
  expect(await run('rotate-secrets', '--new-key-file', keyFile)).toMatchObject({ code: 2 });
  expect(await done(run('rotate-secrets'))).toMatch(/^Sealed the secrets of 1 connections /);
  expect(await readFile(keyFile, 'utf8')).toBe(before);
  expect(await done(scim('test'))).toContain('The application answers.');

  await followPolicies();
  const backup = join(folder, 'backup.gz');
  await done(run('backup', backup, '--json'));
  const text = gunzipSync(await readFile(backup)).toString();
  expect(text).toContain('ScimConnection');
  expect(text).toContain('ManagedAccount');
  const events = await done(run('events', '--json', '--most', '100'));
  expect(events).toContain('SECRETS_RESEALED');
  for (const place of [text, service.printed(), events]) {
    expect(place).not.toContain(TOKEN);
    expect(place).not.toContain(before.trim());
  }
  expect(await done(scim('remove'))).toContain('removed');
});
