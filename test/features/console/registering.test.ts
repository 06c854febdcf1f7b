import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Response } from 'supertest';

import { CustomTemplate } from '../../../src/contract/registration';
import type { TeamKey } from '../../../src/features/keys/records';
import { registryOf } from '../../../src/registry/contract';
import { providerRecord } from '../../../src/contract/records/provider';
import { newFormId } from '../../../src/features/console/registering/form-ids';
import { ask } from '../../../src/neo4j/ask';
import { Browser } from '../../http/browser-session';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';
import { plain } from './page-rows';

const KEY = /ggk_[\w-]{43}/g;

let service: ServiceUnderTest;
let admin: Browser;
let folder: string;
let close: () => Promise<void>;

beforeAll(async () => {
  // The lines of the pages name the address of the service.
  let app: RequestListener = (_req, res) => res.end();
  const listening = await listenLocally((req, res) => app(req, res));
  ({ close } = listening);
  const settings = { http: { publicUrl: `http://127.0.0.1:${listening.port}` } };
  service = await serviceUnderTest({}, { settings });
  app = service.app;
  admin = new Browser(service.app, { host: `127.0.0.1:${listening.port}` });
  await admin.signIn(API_KEY);
  folder = await mkdtemp(join(tmpdir(), 'registering-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await close();
  await service.close();
});

/** A file that somebody chooses. */
interface Sent {
  readonly name: string;
  readonly content: string;
}

type Fields = Readonly<Record<string, string>>;

const register = async (fields: Fields, file: Sent | null = null): Promise<Response> =>
  admin.upload(
    '/console/register',
    {
      form_token: await admin.formToken(),
      provider_id: newFormId(),
      source_id: newFormId(),
      key_id: newFormId(),
      ...fields,
    },
    file,
  );

const keyOf = ({ text }: Response): string => text.match(KEY)?.[0] ?? '';

/** Registers a system without a key, and gives the page of its keys. */
const registered = async (name: string, template = 'application'): Promise<string> => {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await service.post(`/api/v1/providers/custom${path}`, body);
    return (answer.body as { readonly value: { readonly id: string } }).value.id;
  };
  const provider = await made('', { name, custom_template: template });
  return `/console/sources/${await made(`/${provider}/datasources`, { id: provider, name })}/keys`;
};

const aboutKey = async (page: string, fields: Fields): Promise<Response> =>
  admin.post(page, { form_token: await admin.formToken(), new_id: newFormId(), ...fields });

const create = (page: string, name = 'Connector'): Promise<Response> =>
  aboutKey(page, { act: 'create', name });

/** The lines of a page that somebody copies. */
const linesOf = ({ text }: Response, kind: string): string => {
  const [, lines = ''] = new RegExp(`data-lines="${kind}">([^<]*)<`).exec(text) ?? [];
  return plain(lines);
};

const pasted = async (program: string, lines: string): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(program, ['-c', lines], { cwd: folder });
  return stdout === '' ? null : JSON.parse(stdout);
};

const keyIds = async (name: string): Promise<readonly unknown[]> =>
  (
    await ask(
      service.graph,
      `MATCH (provider:Provider {name: $name}), (key:TeamKey)
       WHERE provider.id IN key.providers RETURN key.id AS id ORDER BY key.since`,
      { name },
    )
  ).map(({ id }) => id);

test('the overview of a graph without pushes leads an administrator to the registration', async () => {
  const empty = await admin.get('/console');
  expect(empty.text).toContain('href="/console/register"');
  expect((await admin.get('/console/register')).status).toBe(200);
});

test.each(CustomTemplate.values)(
  'a new %s gets a key, and the lines of the page push with it as pasted',
  async (template) => {
    const answer = await register({ name: `System ${template}`, template });
    expect([answer.status, keyOf(answer)]).toEqual([200, expect.stringMatching(/./)]);
    await pasted('bash', linesOf(answer, 'payload'));
    expect(await pasted('bash', linesOf(answer, 'curl'))).toMatchObject({ unchanged: false });
    expect(await pasted('python3', linesOf(answer, 'python'))).toMatchObject({ unchanged: true });
  },
);

test('only the answer that made a key has it', async () => {
  const page = await registered('Once');
  const made = await create(page);
  const key = keyOf(made);
  expect(key).not.toBe('');
  expect(made.headers['cache-control']).toBe('no-store');
  expect(JSON.stringify(made.headers)).not.toContain(key);
  const [replaced] = await keyIds('Once');
  const next = await aboutKey(page, { act: 'rotate', key: String(replaced) });
  const successor = keyOf(next);
  const elsewhere = [
    (await admin.get(page)).text,
    (await admin.get(page.replace('/keys', ''))).text,
    JSON.stringify((await service.send('get', '/api/v1/events?page_size=100')).body),
    JSON.stringify(await ask(service.graph, 'MATCH (n) RETURN properties(n) AS all')),
    JSON.stringify(service.logged),
  ].join('');
  expect([elsewhere.includes(key), elsewhere.includes(successor)]).toEqual([false, false]);
  expect(next.text).not.toContain(key);
});

test('a new key pushes to its provider, and does nothing else', async () => {
  const key = keyOf(await create(await registered('Small key')));
  const asking = new Browser(service.app, { authorization: `Bearer ${key}` });
  expect((await asking.get('/api/v1/access?principal=x')).status).toBe(403);
  const { text } = await asking.get('/api/v1/providers/custom');
  const { values } = JSON.parse(text) as { readonly values: readonly { readonly name: string }[] };
  expect(values.map(({ name }) => name)).toEqual(['Small key']);
});

test('Back and a second tab make no second key, and show none', async () => {
  const page = await registered('Back');
  const fields = { act: 'create', name: 'one', new_id: newFormId() };
  expect(keyOf(await aboutKey(page, fields))).not.toBe('');
  const again = await aboutKey(page, fields);
  expect([again.status, keyOf(again)]).toEqual([409, '']);
  expect(plain(again.text)).toContain('This was sent before');
  expect(await keyIds('Back')).toHaveLength(1);
});

// Before, the form of a forgotten key made it again within the hour, with another secret.
test.each([
  ['made', () => Promise.resolve({ act: 'create', name: 'one' })],
  [
    'made again',
    async (page: string, name: string) => {
      await create(page, 'old');
      const [key] = await keyIds(name);
      return { act: 'rotate', key: String(key) };
    },
  ],
])('a key that was %s and forgotten is not made by the same form', async (what, fieldsFor) => {
  const name = `Forgotten after it was ${what}`;
  const page = await registered(name);
  const fields = { ...(await fieldsFor(page, name)), new_id: newFormId() };
  expect(keyOf(await aboutKey(page, fields))).not.toBe('');
  await aboutKey(page, { act: 'forget', key: fields.new_id });
  const before = await keyIds(name);
  expect(before).not.toContain(fields.new_id);
  const again = await aboutKey(page, fields);
  expect([again.status, keyOf(again)]).toEqual([409, '']);
  expect(plain(again.text)).toContain('made a key that somebody has deleted');
  expect(await keyIds(name)).toEqual(before);
});

// The page of the first system appeared, as if the second one were registered.
test('a form that says something else after Back names what it made, and makes nothing', async () => {
  const ids = { provider_id: newFormId(), source_id: newFormId(), key_id: newFormId() };
  expect((await register({ ...ids, name: 'Before', template: 'hris' })).status).toBe(200);
  const count = 'MATCH (n) WHERE n:Provider OR n:DataSource OR n:TeamKey RETURN count(n) AS count';
  const before = await ask(service.graph, count);
  for (const other of [
    { name: 'After', template: 'hris' },
    { name: 'Before', template: 'application' },
    { name: 'Before', template: 'hris', source: 'After' },
  ]) {
    const answer = await register({ ...ids, ...other });
    expect(answer.status).toBe(409);
    expect(plain(answer.text)).toContain('was sent before, and registered "Before" then');
  }
  const again = await register({ ...ids, name: 'Before', template: 'hris' });
  expect([again.status, keyOf(again)]).toEqual([409, '']);
  expect(plain(again.text)).toContain('This was sent before, and made a key then');
  expect(again.text).toContain('value="rotate"');
  expect(await ask(service.graph, count)).toEqual(before);
});

// Before, a system needed a page of its own, another page for its key, and a third for its file.
test('Sources registers a system, shows its key once, and plans its first file', async () => {
  expect((await admin.get('/console/sources')).text).toContain('action="/console/register"');
  const payload = {
    applications: [{ name: 'Atlas', application_type: 'wiki', local_users: [{ name: 'ann' }] }],
  };
  const file = { name: 'atlas.json', content: JSON.stringify(payload) };
  const answer = await register({ name: 'Atlas', template: 'application' }, file);
  expect([answer.status, keyOf(answer)]).toEqual([200, expect.stringMatching(/./)]);
  expect(answer.headers['cache-control']).toBe('no-store');
  const shown = plain(answer.text);
  expect(shown).toContain('The system is registered, and this key pushes to it.');
  expect(shown).toContain('Nothing is written yet');
  expect(shown).toContain('>Push it</button>');
  expect(linesOf(answer, 'curl')).toContain(keyOf(answer));
  expect(await keyIds('Atlas')).toHaveLength(1);
});

test.each([
  ['is wrong', { name: 'wrong.csv', content: 'nam\nann\n' }, 'UNKNOWN_FIELD'],
  ['is empty', { name: 'empty.json', content: '' }, 'The file is empty'],
])('a first file that %s takes no key from who registers', async (what, file, words) => {
  const answer = await register({ name: `Wrong ${what}`, template: 'identity_provider' }, file);
  expect([answer.status, keyOf(answer)]).toEqual([200, expect.stringMatching(/./)]);
  expect(plain(answer.text)).toContain(words);
  expect(answer.text).toContain('>Show the plan</button>');
});

test('the key of a system with the longest name has a name', async () => {
  const answer = await register({ name: 'x'.repeat(256), template: 'hris' });
  expect([answer.status, keyOf(answer)]).toEqual([200, expect.stringMatching(/./)]);
});

test('the last day of a key is one of the time zone of the browser', async () => {
  const page = await registered('Last day');
  for (const zone of ['America/Los_Angeles', 'Asia/Tokyo', 'UTC']) {
    admin.cookies.set('time_zone', zone);
    await aboutKey(page, { act: 'create', name: zone, ends: '2999-12-31' });
  }
  admin.cookies.delete('time_zone');
  const { body } = (await service.send('get', '/api/preview/teamkeys?page_size=100')) as {
    readonly body: { readonly values: readonly TeamKey[] };
  };
  const ends = body.values.map(({ name, expires_at }) => [name, expires_at]);
  expect(ends.filter(([name]) => name === 'UTC' || name?.includes('/')).toSorted()).toEqual([
    ['America/Los_Angeles', '3000-01-01T07:59:59Z'],
    ['Asia/Tokyo', '2999-12-31T14:59:59Z'],
    ['UTC', '2999-12-31T23:59:59Z'],
  ]);
  for (const wrong of ['2999-02-31', 'soon']) {
    const answer = await aboutKey(page, { act: 'create', name: 'one', ends: wrong });
    expect([answer.status, keyOf(answer)]).toEqual([400, '']);
  }
});

test('a form that is older than an hour makes nothing', async () => {
  const page = await registered('Old form');
  const old = '018bcfe5-6800-7000-8000-000000000000';
  for (const new_id of [old, 'x', '']) {
    const answer = await aboutKey(page, { act: 'create', name: 'one', new_id });
    expect([answer.status, keyOf(answer)]).toEqual([400, '']);
  }
  for (const field of ['provider_id', 'source_id', 'key_id']) {
    const provider = await register({ name: 'Old', template: 'hris', [field]: old });
    expect([provider.status, provider.text]).toEqual([
      400,
      expect.stringContaining('older than an hour'),
    ]);
  }
  expect(await ask(service.graph, "MATCH (p:Provider {name: 'Old'}) RETURN p.id AS id")).toEqual(
    [],
  );
  expect(await keyIds('Old form')).toEqual([]);
});

test('a key of another provider is not replaced or removed here', async () => {
  const [page, other] = [await registered('Mine'), await registered('Theirs')];
  await create(other);
  const [key = ''] = (await keyIds('Theirs')) as readonly string[];
  const rotated = await aboutKey(page, { act: 'rotate', key });
  expect([rotated.status, keyOf(rotated)]).toEqual([404, '']);
  await aboutKey(page, { act: 'forget', key });
  expect(await keyIds('Theirs')).toEqual([key]);
});

test('a key that may do more than a connector is not replaced here', async () => {
  const page = await registered('More');
  const [{ id: provider } = {}] = await ask(
    service.graph,
    "MATCH (provider:Provider {name: 'More'}) RETURN provider.id AS id",
  );
  for (const more of [{ scopes: ['admin'] }, { scopes: ['push', 'cypher'] }]) {
    const { body } = (await service.post('/api/preview/teamkeys', {
      name: 'more',
      providers: [provider],
      ...more,
    })) as { readonly body: { readonly value: { readonly id: string } } };
    const answer = await aboutKey(page, { act: 'rotate', key: body.value.id });
    expect([answer.status, keyOf(answer)]).toEqual([409, '']);
  }
  expect((await admin.get(page)).text).not.toContain('value="rotate"');
});

test('a forgotten key lets nobody in, and one that was replaced ends in a day', async () => {
  const page = await registered('Ends');
  const key = keyOf(await create(page, 'first'));
  const [id = ''] = (await keyIds('Ends')) as readonly string[];
  const rotated = await aboutKey(page, { act: 'rotate', key: id });
  expect(plain(rotated.text)).toContain('The old key is valid for one more day at most');
  expect(plain(rotated.text)).not.toContain('The new key ends');
  // A key that was replaced ends in a day, and so does what replaces it.
  const again = await aboutKey(page, { act: 'rotate', key: id });
  expect(plain(again.text)).toContain('The new key ends');
  const providers = '/api/v1/providers/custom';
  const status = async (given: string): Promise<number> =>
    (await new Browser(service.app, { authorization: `Bearer ${given}` }).get(providers)).status;
  expect([await status(key), await status(keyOf(rotated))]).toEqual([200, 200]);
  await aboutKey(page, { act: 'forget', key: id });
  expect([await status(key), await status(keyOf(rotated))]).toEqual([401, 200]);
});

test('what is wrong with a system is said next to what somebody wrote, and nothing is made', async () => {
  await registered('Taken');
  const before = await ask(service.graph, 'MATCH (p:Provider) RETURN count(p) AS count');
  const wrong = await Promise.all([
    register({ name: 'Taken', template: 'hris', source: 'new' }),
    register({ name: 'Bad <name>', template: 'hris' }),
    register({ name: 'Good', template: 'hris', source: 'Bad <source>' }),
    register({ name: 'No template' }),
  ]);
  expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(wrong[0]?.text).toContain('value="Taken"');
  expect(wrong[1]?.text).not.toContain('<name>');
  expect(await ask(service.graph, 'MATCH (p:Provider) RETURN count(p) AS count')).toEqual(before);
});

test('a system that was half made is finished by the form that follows', async () => {
  const { id } = await service.register();
  const refused = await register({ provider: id, source: 'Main' });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`value="${id}"`)]);
  expect((await register({ provider: id, source: 'Second' })).status).toBe(303);
});

const BY = { by: { keyId: 'k', name: 'k', address: null }, requestId: 'r' };

// The service was killed after the first or the second of the three things that the form makes.
test.each([
  ['the provider', false],
  ['the provider and its data source', true],
])('the same form goes on after %s, and makes nothing twice', async (what, hasSource) => {
  const name = `Half with ${hasSource ? 'source' : 'provider'}`;
  const fields = { provider_id: newFormId(), source_id: newFormId(), key_id: newFormId() };
  const registry = registryOf(service.context);
  const wanted = providerRecord.wanted({ name, custom_template: 'hris' }, {});
  if (wanted._tag === 'Left') throw new Error(what);
  const made = await registry.registerProvider({
    id: fields.provider_id,
    wanted: wanted.right,
    ...BY,
  })();
  if (made._tag === 'Left') throw new Error(made.left.message);
  if (hasSource) {
    await registry.createDataSource({ provider: made.right, name, id: fields.source_id, ...BY })();
  }
  const answer = await register({ ...fields, name, template: 'hris' });
  expect([answer.status, keyOf(answer)]).toEqual([200, expect.stringMatching(/./)]);
  expect(
    await ask(
      service.graph,
      `MATCH (source:DataSource)-[:FROM]->(provider:Provider {name: $name})
       RETURN provider.id AS provider, source.id AS source`,
      { name },
    ),
  ).toEqual([{ provider: fields.provider_id, source: fields.source_id }]);
  expect(await keyIds(name)).toEqual([fields.key_id]);
});

// Another form, after an hour or in another tab, only said that the name is taken.
test('a form with a name that is taken leads to where the registration goes on', async () => {
  const { id, name } = await service.register().then(async ({ id: provider }) => {
    const [{ name: called } = {}] = await ask(
      service.graph,
      'MATCH (provider:Provider {id: $provider}) RETURN provider.name AS name',
      { provider },
    );
    return { id: provider, name: String(called) };
  });
  const answer = await register({ name, template: 'hris' });
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining(`/console/register?provider=${id}`),
  ]);
});
