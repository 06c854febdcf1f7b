import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { Driver } from 'neo4j-driver';

import { builtSources } from '../support/built-sources';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { type Ended, execute } from './python-client';
import { type ServiceProcess, startServiceProcess } from './service-process';

const ROOT = join(__dirname, '../..');
const FIRST_PUSH = join(ROOT, 'examples/first-push.json');
const WIKI = ['--provider', 'Wiki', '--data-source', 'wiki.example.org'];

jest.setTimeout(180_000);

let service: ServiceProcess;
let driver: Driver;
let folder: string;
let program: string;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-command-line-'));
  program = join(builtSources(), 'cli/grantgraph.js');
  service = await startServiceProcess();
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
    NODE_EXTRA_CA_CERTS: service.certificate,
  });

/** The answer for programs of a command that succeeds. */
const asked = async (...args: readonly string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as unknown;
};

const file = async (name: string, payload: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2));
  return path;
};

test('a push creates what is missing, tells warnings, and is unchanged the second time', async () => {
  const without = await run('push', FIRST_PUSH, ...WIKI);
  expect(without).toMatchObject({ code: 2, stdout: '' });
  expect(without.stderr).toContain('use --create with --template');

  const plain = ['push', FIRST_PUSH, ...WIKI, '--create', '--template', 'application'];
  const first = await run(...plain);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/UNKNOWN_IDENTITY .*ann@example\.org/);
  expect(first.stdout).toMatch(/\nPushed: \d+ nodes and \d+ relationships put, 0 nodes/);

  expect((await run('push', FIRST_PUSH, ...WIKI)).stdout).toMatch(/\nUnchanged: /);
});

test('a dry run tells what would change, and changes nothing', async () => {
  const payload = JSON.parse(await readFile(FIRST_PUSH, 'utf8')) as {
    applications: { local_users: object[] }[];
  };
  payload.applications[0]?.local_users.push({ name: 'bob' });
  const { code, stdout } = await run('push', await file('more.json', payload), ...WIKI, '--plan');
  expect(code).toBe(0);
  expect(stdout).toContain('created LocalUser bob');
  expect(stdout).toMatch(/Nothing was written\.\n$/);
  expect(await asked('find', 'bob')).toEqual([]);
});

test('a refused push names each problem by line and column, and ends with 1', async () => {
  const path = await file('wrong.json', '{\n  "applications": [\n    { "name": "wiki" }\n  ]\n}\n');
  const { code, stdout, stderr } = await run('push', path, ...WIKI);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^3 +5 +\/applications\/0\/application_type +MISSING_FIELD/m);
  // Each problem was told twice.
  expect(stderr.match(/application_type +MISSING_FIELD/g)).toHaveLength(1);
});

test('wrong usage leads to the help of its command', async () => {
  const { code, stderr } = await run('validate', FIRST_PUSH);
  expect([code, stderr]).toEqual([
    2,
    'Missing required argument: template\nTry: grantgraph validate --help\n',
  ]);
  expect((await run('pussh')).stderr).toContain('Try: grantgraph --help');
});

test('--increment refuses a payload that is none, and pushes one that is', async () => {
  const full = await run('push', FIRST_PUSH, ...WIKI, '--increment');
  expect(full).toMatchObject({ code: 2, stdout: '' });
  const payload = {
    incremental_change: true,
    applications: [
      {
        name: 'Handbook wiki',
        application_type: 'wiki',
        local_users: [{ name: 'eve', operation: 'add' }],
      },
    ],
  };
  const first = JSON.parse(await readFile(FIRST_PUSH, 'utf8')) as {
    applications: { name: string; application_type: string }[];
  };
  Object.assign(payload.applications[0] ?? {}, {
    name: first.applications[0]?.name,
    application_type: first.applications[0]?.application_type,
  });
  const pushed = await run('push', await file('more.json', payload), ...WIKI, '--increment');
  expect(pushed).toMatchObject({ code: 0, stderr: '' });
  expect(await asked('find', 'eve', '--label', 'LocalUser')).toMatchObject([{ name: 'eve' }]);
});

test('a large payload goes up in parts', async () => {
  const application = { name: 'Large', application_type: 'wiki', local_users: [{ name: 'ann' }] };
  const payload = { applications: [application], identity_to_permissions: [] };
  const path = await file('large.json', JSON.stringify(payload) + ' '.repeat(20_000_000));
  const names = ['--provider', 'Large', '--data-source', 'large.example'];
  const pushed = await run('push', path, ...names, '--create', '--template', 'application');
  expect(pushed).toMatchObject({ code: 0, stderr: '' });
  expect(await asked('data-sources', '--provider', 'Large')).toMatchObject([{ rows: 2 }]);
});

test('validate needs no service', async () => {
  const path = await file('person.json', {
    name: 'D',
    domains: [{ name: 'd.example' }],
    users: [{ name: 'ann', groups: [{ identity: 'staf' }] }],
    groups: [{ name: 'staff' }],
  });
  const wrong = await execute(
    process.execPath,
    [program, 'validate', path, '--template', 'identity_provider', '--json'],
    { PATH: process.env.PATH },
  );
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    total: 1,
    problems: [{ code: 'UNKNOWN_REFERENCE', line: 13 }],
  });
  const notJson = await run(
    'validate',
    await file('not.json', '{\n  "a": NaN }'),
    '--template',
    'hris',
  );
  expect(notJson.code).toBe(1);
  expect(notJson.stdout).toMatch(/\n2 +8 +NOT_JSON/);
  const good = await run('validate', FIRST_PUSH, '--template', 'application');
  expect(good).toMatchObject({ code: 0, stdout: 'The payload is valid.\n' });
});

test('a CSV file is pushed, and its problems and warnings name row and column', async () => {
  const names = ['--provider', 'Desk', '--data-source', 'desk.csv'];
  const rows = ['login,is_active,groups,identities', 'kim,yes,staff,kim@example.org'];
  const csv = (...more: readonly string[]) => file('desk.csv', [...rows, ...more].join('\n'));
  const create = ['--create', '--template', 'application', '--column', 'login=name'];
  const first = await run('push', await csv(), ...names, ...create);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/\n2 +identities +UNKNOWN_IDENTITY .*kim@example\.org/);
  expect(await asked('find', 'kim', '--label', 'LocalUser')).toMatchObject([{ name: 'kim' }]);

  const column = ['--column', 'login=name'];
  const cell = await run('push', await csv('lee,perhaps,,'), ...names, ...column);
  expect(cell).toMatchObject({ code: 1, stdout: '' });
  expect(cell.stderr).toMatch(/^row 3, column "is_active": WRONG_TYPE /);
  const shape = await run('push', await csv(',no,,'), ...names, ...column);
  expect(shape.code).toBe(1);
  expect(shape.stderr).toMatch(/^3 +login +\S+ +MISSING_FIELD /m);

  const valid = ['--template', 'application', ...column];
  expect(await run('validate', await csv(), ...valid)).toMatchObject({
    code: 0,
    stdout: 'The payload is valid.\n',
  });
  const wrong = await run('validate', await csv(',no,,'), ...valid, '--json');
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    total: 1,
    problems: [{ row: 3, column: 'login', code: 'MISSING_FIELD' }],
  });
});

test('a file that is not UTF-8 is refused, not repaired', async () => {
  const path = join(folder, 'latin.csv');
  await writeFile(path, Buffer.from('name\nJ\u00fcrgen\n', 'latin1'));
  const { code, stderr } = await run('validate', path, '--template', 'application');
  expect({ code, stderr }).toEqual({ code: 2, stderr: `Cannot read ${path}: it is not UTF-8.\n` });
});

test('lists show what is registered and what happened', async () => {
  expect(await asked('providers')).toMatchObject([
    { name: 'Desk' },
    { name: 'Large' },
    { name: 'Wiki' },
  ]);
  expect(await asked('data-sources', '--provider', 'Wiki')).toMatchObject([
    { name: 'wiki.example.org', status: 'SUCCESS' },
  ]);
  const pushes = (await asked('pushes', ...WIKI)) as readonly { readonly outcome: string }[];
  expect(pushes.map(({ outcome }) => outcome)).toEqual([
    ...['accepted', 'refused', 'unchanged', 'accepted'],
  ]);
  expect(await asked('events', '--most', '1')).toHaveLength(1);
  expect((await run('providers')).stdout).toMatch(/Wiki +application +ENABLED/);
});

test('questions name things as people do', async () => {
  const access = (await asked(
    'access',
    'ann@example.org',
    '--label',
    'Resource',
  )) as readonly object[];
  expect(access).not.toEqual([]);
  const who = await run('who-can', 'Handbook.Salaries');
  expect(who).toMatchObject({ code: 0, stderr: '' });
  expect(who.stdout).toContain('ann');
  expect((await run('explain', 'ann@example.org', 'Handbook.Salaries')).stdout).toContain(' → ');
  const nobody = await run('access', 'nobody');
  expect(nobody).toMatchObject({ code: 2, stdout: '' });
  expect(nobody.stderr).toBe('Nothing in the graph is called "nobody".\n');
});

test('queries take parameters and files', async () => {
  const path = await file('count.cypher', 'MATCH (n:Resource {path: $path}) RETURN count(n) AS n');
  const { code, stdout } = await run('query', path, '--param', 'path=Handbook.Salaries');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'n\n1\n' });
  const writes = await run('query', 'CREATE (n) RETURN n');
  expect(writes.code).toBe(1);
  expect(writes.stderr).toContain('NOT_READING');
});

test('keys are made, shut out and deleted', async () => {
  const made = await run('keys', 'create', 'reader', '--scopes', 'read', '--providers', 'Wiki');
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/^ggk_/);
  expect(await asked('keys')).toMatchObject([
    { name: 'reader', status: 'ACTIVE', scopes: ['read'] },
  ]);
  // After a rotation two keys have the name. The message did not say which.
  await asked('keys', 'rotate', 'reader');
  const several = await run('keys', 'revoke', 'reader');
  expect(several.code).toBe(2);
  const ids = [...several.stderr.matchAll(/^reader .* ([0-9a-f-]{36}) *$/gm)].map(([, id]) => id);
  expect(ids).toHaveLength(2);
  await asked('keys', 'delete', ids[1] ?? '');
  await asked('keys', 'revoke', 'reader');
  expect(await asked('keys')).toMatchObject([{ status: 'INACTIVE' }]);
  await asked('keys', 'delete', 'reader');
  expect(await asked('keys')).toEqual([]);
});

test('verify ends with 1 when somebody changed the graph by hand', async () => {
  expect((await run('verify', ...WIKI)).stdout).toMatch(/^Sound: \d+ rows/);
  await driver.executeQuery("MATCH (n:LocalUser {name: 'eve'}) SET n.name = 'mallory'");
  const found = await run('verify', ...WIKI);
  expect(found.code).toBe(1);
  expect(found.stdout).toContain('LocalUser');
});

test('erase tells the plan, and erases what its token confirms', async () => {
  const people = await file('gwen.json', {
    domains: [{ name: 'gwen.example' }],
    users: [{ name: 'gwen', email: 'gwen@gwen.example' }],
  });
  const target = ['--provider', 'Gwen', '--data-source', 'gwen.example', '--create'];
  const template = ['--template', 'identity_provider'];
  expect((await run('push', people, ...target, ...template)).code).toBe(0);
  const plan = await run('erase', 'gwen@gwen.example');
  expect(plan).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing is erased') as unknown,
  });
  expect(plan.stdout).toMatch(/removed +IdpUser +gwen/);
  const [, token = ''] = /--confirm ([0-9a-f]{64})/.exec(plan.stderr) ?? [];
  expect((await run('erase', 'gwen', '--confirm', 'x')).code).toBe(3);
  expect(await asked('erase', 'gwen', '--confirm', token)).toMatchObject({ erased: true });
  const gone = await run('erase', 'gwen');
  expect(gone).toMatchObject({ code: 1, stdout: '' });
  expect(gone.stderr).toContain('There is no person');
});

test('wrong usage ends with 2, a service that is away with 3', async () => {
  expect(await run('pusch')).toMatchObject({ code: 2 });
  expect(await run()).toMatchObject({ code: 2 });
  expect((await run('--help')).stdout).toContain('grantgraph push <file>');
  const system = { PATH: process.env.PATH, GRANTGRAPH_URL: 'http://127.0.0.1:9' };
  const noKey = await execute(process.execPath, [program, 'providers'], system);
  expect(noKey).toMatchObject({ code: 2 });
  const away = await execute(process.execPath, [program, 'providers', '--key', 'x'], system);
  expect(away).toMatchObject({ code: 3 });
  expect(away.stderr).toContain('Nobody answers at http://127.0.0.1:9');
});

interface ExportedRow {
  readonly principal: { readonly id: string };
  readonly resource: { readonly id: string };
  readonly cursor?: string;
}

const exportedIn = (text: string): readonly ExportedRow[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedRow);

test('an export is a whole file, as NDJSON or CSV, compressed if asked', async () => {
  const ndjson = join(folder, 'access.ndjson');
  const told = await run('export', ndjson, '--explain');
  expect(told).toMatchObject({ code: 0, stderr: '' });
  const rows = exportedIn(await readFile(ndjson, 'utf8'));
  expect(told.stdout).toContain(`Exported: ${rows.length} rows`);
  expect(rows.length).toBeGreaterThan(3);
  const csv = join(folder, 'access.csv.gz');
  expect(await asked('export', csv, '--csv', '--gzip')).toEqual({ file: csv, rows: rows.length });
  const lines = gunzipSync(await readFile(csv)).toString();
  expect(lines).toMatch(/^principal_id,/);
  for (const { principal } of rows) expect(lines).toContain(principal.id);
});

test('an export goes on where its file ends', async () => {
  const whole = join(folder, 'whole.ndjson');
  await run('export', whole);
  const text = await readFile(whole, 'utf8');
  const path = join(folder, 'cut.ndjson');
  // What came behind the last cursor, and the half of a line, count for nothing.
  for (const part of [text.slice(0, text.length / 2), `${text}{"principal": {"id`, '']) {
    await writeFile(`${path}.part`, part);
    expect(await run('export', path, '--resume')).toMatchObject({ code: 0, stderr: '' });
    const withoutCursor = ({ cursor: _, ...row }: ExportedRow) => row;
    expect(exportedIn(await readFile(path, 'utf8')).map(withoutCursor)).toEqual(
      exportedIn(text).map(withoutCursor),
    );
  }
});
test('backup and restore ask Neo4j itself, and never overwrite anything', async () => {
  const { uri, user, password, database } = testNeo4j();
  const settings = {
    ...{ PATH: process.env.PATH, DATA_DIR: folder },
    ...{ NEO4J_URI: uri, NEO4J_USER: user, NEO4J_DATABASE: database },
    ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
  };
  const ask = (...args: readonly string[]): Promise<Ended> =>
    execute(process.execPath, [program, ...args], settings);
  const path = join(folder, 'backup.gz');
  const before = await asked('providers');

  const made = await ask('backup', path);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(/^Backed up \d+ nodes and \d+ relationships to .*\nPushes waited /);
  const again = await ask('backup', path);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('exists already');
  const full = await ask('restore', path);
  expect(full).toMatchObject({ code: 1, stdout: '' });
  expect(full.stderr).toContain('The graph is not empty');

  await clearGraph(driver);
  const unused = await ask('backup', join(folder, 'other.gz'));
  expect(unused).toMatchObject({ code: 1, stdout: '' });
  expect(unused.stderr).toContain('nobody has used it yet');
  expect((await ask('restore', join(folder, 'missing.gz'))).code).toBe(2);
  const restored = await ask('restore', path, '--json');
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(restored.stdout)).toMatchObject({ format: 'grantgraph-backup' });
  expect(await asked('providers')).toEqual(before);
  const away = await execute(process.execPath, [program, 'backup', join(folder, 'away.gz')], {
    ...settings,
    NEO4J_URI: 'bolt://127.0.0.1:9',
  });
  expect(away).toMatchObject({ code: 3, stdout: '' });
  expect(away.stderr).toContain('Neo4j does not answer');
}, 600_000);
