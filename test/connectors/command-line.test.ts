/** @more commands */

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

let service: ServiceProcess;
let driver: Driver;
let folder: string;
let program: string;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-command-line-'));
  program = join(builtSources(), 'cli/grantgraph.js');
  service = await startServiceProcess({ LIMIT_REMOVAL_ROWS: '50' });
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

test('commands that call the service start without the modules of the service', async () => {
  const listed = `process.argv.push('--help');
    process.on('exit', () => console.error(Object.keys(require.cache).join('\\n')));
    require(${JSON.stringify(program)});`;
  const { stderr } = await execute(process.execPath, ['-e', listed], { PATH: process.env.PATH });
  const loaded = stderr.split('\n');
  expect(loaded).toContain(program);
  expect(loaded.filter((file) => /(neo4j-driver|express|winston)\//.test(file))).toEqual([]);
});

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
  expect(notJson.stdout).toContain('\n{ "a": ‹here›NaN }\n');
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

test('a push of what is not JSON shows line, column and the text around the place', async () => {
  const path = join(folder, 'comma.json');
  await writeFile(path, '{\n  "name": "Wiki"\n  "applications": []\n}');
  const { code, stderr } = await run(
    'push',
    path,
    '--provider',
    'Large',
    '--data-source',
    'large.example',
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/\n3 +3 +NOT_JSON/);
  expect(stderr).toContain('\n{ "name": "Wiki" ‹here›"applications": [] }\n');
});

test('a file that is not UTF-8 is refused, not repaired', async () => {
  const path = join(folder, 'latin.csv');
  await writeFile(path, Buffer.from('name\nJ\u00fcrgen\n', 'latin1'));
  const { code, stderr } = await run('validate', path, '--template', 'application');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `Cannot read ${path}: it is not UTF-8: line 2, column 2: save it as UTF-8.\n`,
  });
  const asking = join(folder, 'latin.cypher');
  await writeFile(asking, Buffer.from("RETURN 'J\u00fcrgen' AS name", 'latin1'));
  expect(await run('query', asking)).toMatchObject({
    code: 2,
    stderr: `Cannot read ${asking}: it is not UTF-8: line 1, column 10: save it as UTF-8.\n`,
  });
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
    'accepted',
    'refused',
    'unchanged',
    'accepted',
  ]);
  // What is left out is said on stderr, to programs too.
  for (const list of [['events'], ['pushes', ...WIKI], ['find', 'a']]) {
    const { code, stdout, stderr } = await run(...list, '--most', '1', '--json');
    expect([list, code, JSON.parse(stdout), stderr]).toEqual([
      list,
      0,
      [expect.anything()],
      'There are more than these 1: --most lists more.\n',
    ]);
  }
  expect(await run('find', 'Handbook.Salaries', '--most', '1')).toMatchObject({ stderr: '' });
  expect((await run('providers')).stdout).toMatch(/Wiki +application +ENABLED/);
});

test('questions name things as people do', async () => {
  const reached = await run('access', 'ann@example.org', '--label', 'Resource', '--json');
  const access = JSON.parse(reached.stdout) as readonly object[];
  expect(access).not.toEqual([]);
  const who = await run('who-can', 'Handbook.Salaries');
  // The account and its identity are one row, so nothing is left that belongs to no human.
  expect(who).toMatchObject({ code: 0, stderr: '' });
  expect(who.stdout).toContain('ann');
  expect((await run('explain', 'ann@example.org', 'Handbook.Salaries')).stdout).toContain(' → ');
  const since = new Date().toISOString();
  const changed = await run('changes', '--since', since, '--resource', 'Handbook.Salaries');
  expect(changed).toMatchObject({ code: 0, stderr: '', stdout: '(none)\n' });
  const beside = await run('changes', '--since', since, '--push', 'x');
  expect(beside).toMatchObject({ code: 2, stdout: '' });
  const nobody = await run('access', 'nobody');
  expect(nobody).toMatchObject({ code: 2, stdout: '' });
  expect(nobody.stderr).toBe('No principal is called "nobody".\n');
});

test('a name of one human is answered for all their accounts; a name of several things lists them', async () => {
  const people = await file('people.json', {
    name: 'People',
    idp_type: 'ldap',
    domains: [{ name: 'people.example' }],
    users: [
      { name: 'ann', email: 'ann@example.org' },
      { name: 'eve', email: 'eve@example.org' },
      { name: 'Handbook', email: 'handbook@example.org' },
    ],
  });
  const names = ['--provider', 'People', '--data-source', 'people.example'];
  const create = ['--create', '--template', 'identity_provider'];
  expect(await run('push', people, ...names, ...create)).toMatchObject({ code: 0 });

  // The user and the identity are called so. The account in the application is theirs too.
  const told =
    /^The answer is for one human: ann \(IdpUser in people\.example from People\), .*ann \(LocalUser in Wiki from Wiki\).*\.\n$/;
  const human = await run('explain', 'ann@example.org', 'Handbook.Salaries');
  expect(human).toMatchObject({ code: 0, stderr: expect.stringMatching(told) as unknown });
  expect(human.stdout).toContain(' → ');
  const since = '2001-01-01T00:00:00Z';
  for (const args of [
    ['access', 'ann@example.org'],
    ['access', 'ann@example.org', '--at', new Date().toISOString()],
    ['access', 'ann@example.org', '--json'],
    ['changes', '--since', new Date().toISOString(), '--principal', 'ann@example.org'],
  ]) {
    expect([args, await run(...args)]).toMatchObject([
      args,
      { code: 0, stderr: expect.stringMatching(told) as unknown },
    ]);
  }
  const reached = await run('access', 'ann@example.org');
  expect(reached.stdout).toMatch(/^application .* accounts *$/m);
  const path = join(folder, 'ann.csv');
  const exported = await run('export', path, '--csv', '--principal', 'ann@example.org');
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringMatching(told) as unknown });
  const csv = await readFile(path, 'utf8');
  expect(csv).toMatch(
    /\|LocalUser\|Wiki\|ann,LocalUser,ann,Wiki,,false,[^,]+\|IdpUser\|ann,IdpUser,ann,/,
  );
  expect(await run('export', join(folder, 'two.csv'), '--principal', 'ann')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('They are not certainly one human.') as unknown,
  });
  const early = await run('changes', '--since', since, '--json');
  expect(early.stderr).toMatch(/^The history begins at 20\S+, so the answer begins there\.\n$/);
  expect(JSON.parse(early.stdout)).not.toEqual([]);

  // The account of another application is nobody's.
  const some = await run('access', 'ann');
  expect(some).toMatchObject({ code: 2, stdout: '' });
  expect(some.stderr).toMatch(
    /^Several things are called "ann": use the id of one\. They are not certainly one human\.\n/,
  );
  expect(some.stderr).toMatch(/^name +label +in +email +id *$/m);
  expect(some.stderr).toMatch(/^ann +LocalUser +Wiki +'\S+\|LocalUser\|Wiki\|ann' *$/m);
  expect(some.stderr).toMatch(/^ann +LocalUser +Large +'\S+\|LocalUser\|Large\|ann' *$/m);
  const [, id = ''] = /'(\S+\|LocalUser\|Wiki\|ann)'/.exec(some.stderr) ?? [];
  // By its id an account answers for itself.
  expect(await run('access', id)).toMatchObject({ code: 0, stderr: '' });

  const strangers = await run('access', 'eve');
  expect(strangers).toMatchObject({ code: 2, stdout: '' });
  expect(strangers.stderr).toMatch(/^eve +IdpUser /m);
  // A user has this name too, but is no resource; and the resource is found as a principal.
  expect(await run('who-can', 'Handbook')).toMatchObject({ code: 0, stderr: '' });
  expect((await run('access', 'Handbook')).stderr).toMatch(/^Handbook +Resource +Wiki /m);
  expect((await run('who-can', 'ann')).stderr).toBe(
    'No resource or application is called "ann".\n',
  );

  const first = (await asked('who-can', 'Handbook.Salaries')) as readonly { person: boolean }[];
  const all = (await asked('who-can', 'Handbook.Salaries', '--all')) as readonly object[];
  expect(first[0]).toMatchObject({ name: 'ann', label: 'IdpUser', person: true });
  expect(all.length).toBeGreaterThan(first.length);
  expect(all.some((row) => 'person' in row)).toBe(false);
  expect(await run('who-can', 'Handbook', '--all', '--person')).toMatchObject({ code: 2 });
});

test('the history tells since when facts that ended are kept', async () => {
  const kept = await asked('history');
  expect(kept).toMatchObject({ facts: { relationships: expect.any(Number) as unknown } });
  const { since, keep_days } = kept as { readonly since: string; readonly keep_days: unknown };
  expect([Date.parse(since) <= Date.now(), keep_days]).toEqual([true, null]);
  const { code, stdout, stderr } = await run('history');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^since +nodes +relationships +bytes +kept *\n/);
  expect(stdout).toContain(since);
  expect(stdout).toMatch(/ for ever *\n$/);
  expect((await run('history', '--help')).stdout).toContain('grantgraph history --json');
  const shell = await run('--get-yargs-completions', 'grantgraph', 'his');
  expect(shell.stdout).toContain('history');
});

test('queries take parameters and files', async () => {
  const path = await file('count.cypher', 'MATCH (n:Resource {path: $path}) RETURN count(n) AS n');
  const { code, stdout } = await run('query', path, '--param', 'path=Handbook.Salaries');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'n\n1\n' });
  // The message did not say how to give it.
  const without = await run('query', path);
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toMatch(/^--param path=… +\/parameters\/path +MISSING_FIELD /m);
  const writes = await run('query', 'CREATE (n) RETURN n');
  expect(writes.code).toBe(1);
  expect(writes.stderr).toContain('NOT_READING');
});

test('saved queries are run by their names, and listed', async () => {
  const name = 'access/who-can-read-a-resource';
  const { code, stdout } = await run('saved', name, '--param', 'resource=Handbook.Salaries');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^resource +who /);
  const without = await run('saved', name);
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toMatch(/^--param resource=… +\/parameters\/resource +MISSING_FIELD /m);
  const listed = await run('saved');
  expect(listed.code).toBe(0);
  expect(listed.stdout).toContain(name);
  expect((await run('saved', 'no/such')).stderr).toContain('There is no saved query');
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

test('trusts are set after a dry run, listed and removed', async () => {
  const people = await file('trusted.json', {
    name: 'D',
    idp_type: 'x',
    domains: [{ name: 'x' }],
    users: [{ name: 'ann' }],
  });
  const to = ['--provider', 'Trusted', '--data-source', 'trusted.example'];
  const created = ['--create', '--template', 'identity_provider'];
  expect((await run('push', people, ...to, ...created)).code).toBe(0);
  const set = ['trusts', 'set', 'Trusted', '--email-domains', 'acme.com', 'acme.org'];
  const dry = await run(...set, '--only-these-domains', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain('Nothing was set. It would draw 0 relationships and remove 0.\n');
  expect(await asked('trusts')).toEqual([]);

  const done = await asked(...set, '--identity-providers', 'Trusted');
  const trusts = { email_domains: ['acme.com', 'acme.org'], identity_providers: ['Trusted'] };
  expect(done).toMatchObject({ ...trusts, only_these_domains: false, dry_run: false });
  expect(await asked('trusts')).toMatchObject([{ provider: 'Trusted', ...trusts }]);
  expect((await run('trusts')).stdout).toContain('acme.com, acme.org');
  // Whoever means to take them away says so.
  for (const wrong of [
    ['set', 'Trusted'],
    ['remove', 'Trusted', '--email-domains', 'acme.com'],
    ['set'],
    ['list', 'Trusted'],
  ]) {
    expect(await run('trusts', ...wrong)).toMatchObject({ code: 2, stdout: '' });
  }
  expect(await asked('trusts')).toHaveLength(1);
  expect((await run('trusts', 'remove', 'Trusted')).code).toBe(0);
  expect(await asked('trusts')).toEqual([]);
});

test('providers and data sources are deleted, large ones after a confirmation', async () => {
  const rows = (count: number): string =>
    ['name', ...Array.from({ length: count }, (_, at) => `user${at}`)].join('\n');
  const provider = ['--provider', 'Old desk'];
  const create = ['--create', '--template', 'application'];
  const push = async (source: string, count: number): Promise<void> => {
    const path = await file('old.csv', rows(count));
    const pushed = await run('push', path, ...provider, '--data-source', source, ...create);
    expect(pushed).toMatchObject({ code: 0, stderr: '' });
  };
  await push('small.csv', 3);
  await push('large.csv', 60);

  expect(await run('data-sources', 'delete', 'none.csv', ...provider)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'Provider "Old desk" has no data source "none.csv".\n',
  });
  expect(await run('data-sources', 'delete', ...provider)).toMatchObject({ code: 2, stdout: '' });
  // A name without "delete" lists nothing and deletes nothing.
  expect(await run('providers', 'list', 'Old desk')).toMatchObject({ code: 2, stdout: '' });
  expect(await run('data-sources', 'delete', 'small.csv', ...provider)).toMatchObject({
    code: 0,
    stdout: 'Deleted: small.csv.\n',
    stderr: '',
  });
  expect(await asked('data-sources', ...provider)).toMatchObject([{ name: 'large.csv' }]);

  const refused = await run('providers', 'delete', 'Old desk');
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toMatch(/would remove 61 rows in 1 data source; nothing was deleted/);
  const [, token = ''] = /\nHere the header is --confirm-removal ([0-9a-f]{64})\n/.exec(
    refused.stderr,
  ) as readonly string[];
  const confirmed = await run(
    'providers',
    'delete',
    'Old desk',
    '--confirm-removal',
    token,
    '--erase',
  );
  expect(confirmed).toMatchObject({ code: 0, stdout: 'Deleted: Old desk.\n', stderr: '' });
  expect(await asked('find', 'user59')).toEqual([]);
  const events = await run('events', '--most', '1', '--json');
  expect(events.stderr).toBe('There are more than these 1: --most lists more.\n');
  const [event] = JSON.parse(events.stdout) as readonly object[];
  expect(event).toMatchObject({
    event_type: 'PROVIDER_DELETED',
    metadata: { rows: 61, confirmed_removal: token },
  });
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
  const again = await run('export', ndjson);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
});

test('an export goes on where its file ends', async () => {
  const whole = join(folder, 'whole.ndjson');
  await run('export', whole);
  const text = await readFile(whole, 'utf8');
  // What came behind the last cursor, and the half of a line, count for nothing.
  const parts = [text.slice(0, text.length / 2), `${text}{"principal": {"id`, ''];
  for (const [nth, part] of parts.entries()) {
    const path = join(folder, `cut-${nth}.ndjson`);
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
    PATH: process.env.PATH,
    DATA_DIR: folder,
    NEO4J_URI: uri,
    NEO4J_USER: user,
    NEO4J_DATABASE: database,
    ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
  };
  const ask = (...args: readonly string[]): Promise<Ended> =>
    execute(process.execPath, [program, ...args], settings);
  const path = join(folder, 'backup.gz');
  const before = await asked('providers');

  const made = await ask('backup', path);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(
    /^Backed up \d+ nodes and \d+ relationships to .*\nIt is signed with the key .*\nPushes waited /,
  );
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
  expect(await ask('restore', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Cannot read ${folder}: EISDIR`) as unknown,
  });
  const restored = await ask('restore', path, '--json');
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(restored.stdout)).toMatchObject({ format: 'grantgraph-backup' });
  expect(await asked('providers')).toEqual(before);
  expect(await asked('restored')).toMatchObject({ paused_since: expect.any(String) as unknown });
  expect((await run('restored', 'keys')).stdout).toMatch(/^Reinstated \d+ keys?\./);
  expect(await asked('restored', 'start')).toMatchObject({ paused_since: null, revoked_keys: [] });
  await clearGraph(driver);
  const seen = await ask('restore', path, '--keep-keys');
  expect(seen.stderr).toMatch(/^Restoring: constraints and indexes …\nRestoring: .* of \d+ nodes /);
  expect(seen.stdout).toMatch(/All keys work as they did then.* wait until somebody starts them/);
  expect(seen.stdout).toContain('erase them again');
  const noNeo4j = { ...settings, NEO4J_URI: 'bolt://127.0.0.1:9' };
  const out = join(folder, 'away.gz');
  const away = await execute(process.execPath, [program, 'backup', out], noNeo4j);
  expect(away).toMatchObject({ code: 3, stdout: '' });
  expect(away.stderr).toContain('Neo4j does not answer');
  // The command started a Neo4j first, which took 20 s, and then told that the file is cut.
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, whole.length / 2));
  const cut = await execute(process.execPath, [program, 'restore', path], noNeo4j);
  expect(cut).toMatchObject({ code: 1, stdout: '' });
  expect(cut.stderr).toMatch(/^The backup is cut off or damaged: /);
});
