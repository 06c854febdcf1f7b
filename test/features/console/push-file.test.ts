import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';

import supertest, { type Response } from 'supertest';

import { sessionsOf } from '../../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { plannedJson } from '../../connectors/send-file';
import { Browser } from '../../http/browser-session';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';
import { plain } from './page-rows';

const ROWS = 8;
const MOST_BYTES = 64 * 1024;

let service: ServiceUnderTest;
let admin: Browser;
let directory: RegisteredIds;
let wiki: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest({ guardRows: ROWS, bodyBytes: MOST_BYTES, problems: 50 });
});
afterAll(() => service.close());
beforeEach(async () => {
  admin = new Browser(service.app);
  await admin.signIn(API_KEY);
  directory = await service.register('identity_provider');
  wiki = await service.register('application');
});

interface Sent {
  readonly name: string;
  readonly content: string | Buffer;
}

const people = (...names: readonly string[]): object => ({
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  users: names.map((name) => ({ name, email: `${name}@corp.example` })),
});

const application = (...identities: readonly string[]): object => ({
  applications: [
    {
      name: 'wiki',
      application_type: 'wiki',
      resources: [{ name: 'handbook', resource_type: 'page' }],
      local_users: identities.map((identity) => ({ name: identity, identities: [identity] })),
    },
  ],
  permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
  identity_to_permissions: identities.map((identity) => ({
    identity,
    identity_type: 'local_user',
    application_permissions: [
      {
        application: 'wiki',
        permission: 'edit',
        resources: ['handbook'],
      },
    ],
  })),
});

const json = (payload: object, name = 'people.json'): Sent => ({
  name,
  content: JSON.stringify(payload),
});

const pageOf = ({ data_source_id }: Pick<RegisteredIds, 'data_source_id'>): string =>
  `/console/sources/${data_source_id}`;

const send = async (
  to: RegisteredIds,
  file: Sent | null,
  fields: Readonly<Record<string, string>> = {},
  browser: Browser = admin,
): Promise<Response> => {
  const form_token = await browser.formToken();
  return browser.upload(`${pageOf(to)}/push`, { form_token, ...fields }, file);
};

/** The hidden fields of the form that pushes, as a browser would send them. */
const fieldsOf = ({ text }: Response): Record<string, string> =>
  Object.fromEntries(
    ['planned', 'on', 'confirm'].flatMap((name) => {
      const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? [];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const planned = async (to: RegisteredIds, file: Sent): Promise<Response> => {
  const answer = await send(to, file);
  expect([answer.status, plain(answer.text).includes('Nothing is written yet')]).toEqual([
    200,
    true,
  ]);
  return answer;
};

/** Plans a file and pushes it; gives the address to which the push leads. */
const pushed = async (to: RegisteredIds, file: Sent): Promise<string> => {
  const answer = await send(to, file, fieldsOf(await planned(to, file)));
  expect(answer.status).toBe(303);
  return answer.headers.location ?? '';
};

interface Push {
  readonly id: string;
  readonly outcome: string;
  readonly problem_count: number;
  readonly by: { readonly name: string } | null;
}

const pushesTo = async ({ path }: RegisteredIds): Promise<readonly Push[]> => {
  const { body } = (await service.send('get', path.replace(/:push$/, '/pushes'))) as {
    readonly body: unknown;
  };
  return (body as { readonly values: readonly Push[] }).values;
};

const planOfInterface = async (
  { path, ...ids }: RegisteredIds,
  payload: object,
): Promise<Readonly<Record<string, { readonly total: number }>>> => {
  const { body } = (await service.post(path.replace(/:push$/, ':plan'), {
    ...ids,
    json_data: JSON.stringify(payload),
  })) as { readonly body: unknown };
  return body as Readonly<Record<string, { readonly total: number }>>;
};

test('a plan says that much of a small data source goes, though nothing would stop it', async () => {
  await pushed(directory, json(people('ann', 'bob', 'cyd')));
  const most = await planned(directory, json(people('ann')));
  expect(plain(most.text)).toContain('It would remove 2 of the 4 rows of the data source.');
  const one = await planned(directory, json(people('ann', 'bob')));
  expect(plain(one.text)).not.toContain('rows of the data source');
});

// Before, nobody could see which of many warnings a file had brought.
test('a plan says which warnings the newest push did not have', async () => {
  // No directory knows these: each is a warning.
  const wikiOf = (...names: readonly string[]): Sent =>
    json(application(...names.map((name) => `${name}@nowhere.example`)), 'wiki.json');
  const planOf = async (file: Sent): Promise<string> => plain((await planned(wiki, file)).text);
  expect(await planOf(wikiOf('una'))).not.toContain('of them new');
  await pushed(wiki, wikiOf('una'));
  expect(await planOf(wikiOf('una'))).toContain(', none that the newest push did not have.');
  const more = await planOf(wikiOf('una', 'ugo'));
  expect(more).toContain(', 1 of them new: the newest push did not have it.');
  const marked = more.split('<tr>').filter((row) => row.includes('<strong class="new">'));
  expect(marked).toEqual([expect.stringContaining('ugo')]);
});

test('a plan says what the interface says, writes nothing, and its push is that of a key', async () => {
  // Only this test knows her, so it is certain whose the account is.
  await pushed(directory, json(people('dora', 'bob')));
  const payload = application('dora@corp.example');
  const before = await service.counts();
  const plan = await planned(wiki, json(payload, 'wiki.json'));
  const told = await planOfInterface(wiki, payload);
  expect(await service.counts()).toEqual(before);
  expect(await pushesTo(wiki)).toEqual([]);
  expect(plan.text).toContain(`Of the data source <span class="count">${told.nodes?.total}`);
  // Before, the sentence counted 9 nodes and the lists had 10, without a word.
  expect(told.shared_nodes?.total).toBeGreaterThan(0);
  expect(plan.text).toContain('Of no data source <span class="count">');
  expect(plan.text).toContain('The number above does not count them.');
  expect(told.access_changes?.total).toBeGreaterThan(0);
  // Before, a human was there several times: as user, as identity and as account.
  expect(plan.text.match(/scope="rowgroup"/g)).toHaveLength(1);
  expect(plan.text.match(/data-name="Would gain"/g)).toHaveLength(1);
  // Who would lose and gain comes before the button.
  const place = plan.text.indexOf('handbook');
  expect(place).toBeGreaterThan(0);
  expect(plan.text.indexOf('>Push it</button>')).toBeGreaterThan(place);

  const leads = await send(wiki, json(payload, 'wiki.json'), fieldsOf(plan));
  const [push] = await pushesTo(wiki);
  expect([leads.status, leads.headers.location]).toEqual([
    303,
    `${pageOf(wiki)}?push=${push?.id ?? ''}`,
  ]);
  expect(push).toMatchObject({ outcome: 'accepted', by: { name: 'API_KEY' } });
  const shown = await admin.get(leads.headers.location ?? '');
  expect(shown.text).toContain(`/console/changes?push=${push?.id ?? ''}`);
  expect(service.logged.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['plan of a push accepted', 'push accepted']),
  );
});

test('the command of a plan takes no name as an option', async () => {
  const plan = await planned(directory, json(people('ann'), '-people.json'));
  expect(plain(plan.text)).toMatch(
    /grantgraph push '\.\/-people\.json' --provider='[^']+' --data-source='[^']+' --plan/,
  );
});

// Before, only the page of the data source had the form: one click more.
test('Sources plans a file for the data source that somebody chooses, and the plan pushes it', async () => {
  const file = json(people('ann', 'bob'));
  const form_token = await admin.formToken();
  expect((await admin.get('/console/sources')).text).toContain(
    `<option value="${directory.data_source_id}">`,
  );
  const fields = { form_token, source: directory.data_source_id };
  const plan = await admin.upload('/console/sources', fields, file);
  expect([plan.status, plain(plan.text)]).toEqual([
    200,
    expect.stringContaining('Nothing is written yet'),
  ]);
  expect(plan.text).toContain(`action="${pageOf(directory)}/push"`);
  expect(await pushesTo(directory)).toEqual([]);
  // With the fields of a push it plans only, too.
  await admin.upload('/console/sources', { ...fields, ...fieldsOf(plan) }, file);
  expect(await pushesTo(directory)).toEqual([]);
  expect((await send(directory, file, fieldsOf(plan))).status).toBe(303);
});

test.each([
  ['no data source', {}, 400],
  ['one that is gone', { source: 'none' }, 404],
])('the form of Sources with %s plans nothing', async (_what, fields, status) => {
  const form_token = await admin.formToken();
  const answer = await admin.upload('/console/sources', { form_token, ...fields }, json(people()));
  expect(answer.status).toBe(status);
});

// Before, the page of a push had only a link to it: one click more.
test('the page of a push says who gained and who lost what, in people', async () => {
  const [tea, ugo, vic] = ['tea', 'ugo', 'vic'].map((name) => `${name}@gains.example`);
  await pushed(wiki, json(application(String(tea), String(ugo)), 'wiki.json'));
  const to = await pushed(wiki, json(application(String(ugo), String(vic)), 'wiki.json'));
  const shown = plain((await admin.get(to)).text);
  expect(shown).toMatch(
    /1 person gained<\/b> and <b class="loss">1 lost<\/b> access by this push\./,
  );
  expect(shown.match(/<td data-name="What">/g)).toHaveLength(2);
  // The facts below said that nobody had counted it.
  expect(shown).not.toContain('Not counted');
  const same = await pushed(wiki, json(application(String(ugo), String(vic)), 'wiki.json'));
  expect(plain((await admin.get(same)).text)).not.toContain('by this push');
});

test('the page of a push has the first lines of what it changed, and leads to all', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `many${at}@gains.example`);
  const holding = (at: number): object => ({
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        resources: names.map((name) => ({ name: `page of ${name}`, resource_type: 'page' })),
        local_users: names.map((name) => ({ name, identities: [name] })),
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
    identity_to_permissions: names.slice(0, at).map((identity) => ({
      identity,
      identity_type: 'local_user',
      application_permissions: [
        { application: 'wiki', permission: 'edit', resources: [`page of ${identity}`] },
      ],
    })),
  });
  await pushed(wiki, json(holding(0), 'wiki.json'));
  const to = await pushed(wiki, json(holding(30), 'wiki.json'));
  const shown = plain((await admin.get(to)).text);
  expect(shown).toContain('30 people gained');
  expect(shown.match(/<td data-name="What">/g)).toHaveLength(8);
  expect(shown).toContain('All who gained and who lost what by it');
});

// Before, the link of a new user led to an error.
test('a plan has no link to what only its push would create, and each of its links has a page', async () => {
  await pushed(directory, json(people('dora')));
  const plan = await planned(wiki, json(application('dora@corp.example', 'nobody@else.example')));
  const links = [...plan.text.matchAll(/href="(\/(?:console|manual)[^"#]*)/g)].map(
    ([, href = '']) => href.replaceAll('&amp;', '&'),
  );
  for (const link of new Set(links)) {
    expect([link, (await admin.get(link)).status]).toEqual([link, 200]);
  }
  expect(plan.text).toMatch(/<a href="[^"]*"><bdi dir="auto">dora</);
  expect(plan.text).toMatch(
    /<span class="entity"><bdi dir="auto">handbook<\/bdi><span class="kind"> new<\/span>/,
  );
});

test('an increment and a CSV file are planned and pushed too', async () => {
  await pushed(directory, json(people('ann')));
  const increment = {
    incremental_change: true,
    users: [{ name: 'zoe', operation: 'add' }],
  };
  await pushed(directory, json(increment));
  const csv = { name: 'Staff.CSV', content: 'name,email\nann,ann@corp.example\nbob,\n' };
  await pushed(directory, csv);
  expect((await pushesTo(directory)).map(({ outcome }) => outcome)).toEqual([
    'accepted',
    'accepted',
    'accepted',
  ]);
});

describe('problems', () => {
  test('are all on one page, each with its place, code and meaning', async () => {
    const wrong = { domains: [{ name: 'corp' }], users: [{ nam: 'x' }, { name: 7 }] };
    const answer = await send(directory, json(wrong));
    expect(answer.status).toBe(400);
    for (const text of ['/users/0/nam', '/users/1/name', 'UNKNOWN_FIELD', 'WRONG_TYPE']) {
      expect(answer.text).toContain(text);
    }
    expect(answer.text).toContain('Nothing was pushed');
    expect(await pushesTo(directory)).toEqual([]);
  });

  test('of a CSV file name row and column', async () => {
    const headers = await send(directory, { name: 'x.csv', content: 'nam,email\nann,\n' });
    expect([headers.status, headers.text]).toEqual([400, expect.stringContaining('UNKNOWN_FIELD')]);
    const cell = await send(directory, { name: 'x.csv', content: 'name,is_active\nann,perhaps\n' });
    expect(cell.status).toBe(400);
    expect(plain(cell.text)).toMatch(/row 2.*column.*is_active/s);
  });

  test.each<[string, Sent | null, string]>([
    ['no file', null, 'No file was chosen'],
    ['an empty file', { name: 'x.json', content: '' }, 'The file is empty'],
    ['no JSON', { name: 'x.json', content: '{"domains": [' }, 'NOT_JSON'],
    [
      'JSON without a comma',
      { name: 'x.json', content: '{"name": "<b>\u202e"\n"domains": []}' },
      'line 2, column 1: a "," or the "}" of the object that begins on line 1 is expected',
    ],
    [
      'the text around that place',
      { name: 'x.json', content: '{"name": "<b>\u202e"\n"domains": []}' },
      '{"name": "<b>\\u202e" ‹here›"domains": []}',
    ],
    ['UTF-16', { name: 'x.csv', content: Buffer.from('\ufeffname\nann\n', 'utf16le') }, 'UTF-8'],
    ['Latin-1', { name: 'x.csv', content: Buffer.from('name\nRenée\n', 'latin1') }, 'UTF-8'],
    ['a picture', { name: 'x.json', content: Buffer.from([0x89, 0x50, 0x4e, 0x47]) }, 'UTF-8'],
  ])('%s is refused in words', async (_kind, file, words) => {
    const { status, text } = await send(directory, file);
    expect([status, plain(text)]).toEqual([400, expect.stringContaining(words)]);
    expect(await pushesTo(directory)).toEqual([]);
  });

  test('a file that is too large is refused, announced or not', async () => {
    const content = Buffer.alloc(MOST_BYTES + 1, ' ');
    const { status, text } = await send(directory, { name: 'x.json', content });
    expect([status, text]).toEqual([413, expect.stringContaining('The file is larger than')]);
  });

  test('a name that is HTML is text, in the file and of the file', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const plan = await planned(directory, json(people(name), '<script>.json'));
    expect(plan.text).not.toMatch(/<img|<script>/);
    expect(plan.text).toContain('&lt;img');
    expect(plan.text).toContain('&lt;script>.json');
  });

  test('a push that is refused says why, and is recorded as that of a key', async () => {
    const file = json(people('ann', 'ann'));
    const fields = { planned: plannedJson(file.content), on: '' };
    const { status, text } = await send(directory, file, fields);
    expect([status, text]).toEqual([400, expect.stringContaining('DUPLICATE')]);
    expect(await pushesTo(directory)).toMatchObject([{ outcome: 'refused', problem_count: 1 }]);
  });
});

const part = (name: string, more = '', content = '{}'): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;

test.each<[string, string, string]>([
  ['cut off', 'multipart/form-data; boundary=x', part('file', '; filename="x.json"')],
  ['without a boundary', 'multipart/form-data', '--x--'],
  ['of another boundary', 'multipart/form-data; boundary=y', `${part('a')}--x--`],
  ['empty', 'multipart/form-data; boundary=x', ''],
  ['no form', 'multipart/form-data; boundary=x', '{}'],
  [
    'with two files',
    'multipart/form-data; boundary=x',
    `${part('file', '; filename="a"')}${part('file', '; filename="b"')}--x--`,
  ],
  [
    'with a second file that is large',
    'multipart/form-data; boundary=x',
    `${part('file', '; filename="a"')}${part('file', '; filename="b"', 'b'.repeat(60_000))}--x--`,
  ],
  [
    'with a large part that says nothing of itself',
    'multipart/form-data; boundary=x',
    `--x\r\nx-a: b\r\n\r\n${'b'.repeat(60_000)}\r\n--x--`,
  ],
  [
    'of many fields and a file',
    'multipart/form-data; boundary=x',
    `${part('a').repeat(31)}${part('file', '; filename="b"', 'b'.repeat(60_000))}--x--`,
  ],
  ['of many fields', 'multipart/form-data; boundary=x', `${part('a').repeat(40)}--x--`],
  [
    'of a long field',
    'multipart/form-data; boundary=x',
    `${part('a', '', 'a'.repeat(65_600))}--x--`,
  ],
])('a form that is %s is refused, and the service goes on', async (_kind, type, body) => {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { status } = await supertest(service.app)
    .post(`${pageOf(directory)}/push`)
    .set({ cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' })
    .send(body);
  expect([400, 403, 413]).toContain(status);
  expect((await admin.get(pageOf(directory))).status).toBe(200);
});

// The answer said that the client had left.
test('a form that is malformed before its end is called so', async () => {
  const server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sending = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    path: `${pageOf(directory)}/push`,
    headers: {
      cookie,
      host: 'localhost',
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
    },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  let isAnswered = false;
  void answered.then(() => (isAnswered = true));
  sending.write(`--x\r\n${'a'.repeat(20_000)}\r\n\r\n`);
  while (!isAnswered) {
    sending.write('b');
    await nextTurn();
  }
  const [answer] = await answered;
  const told = await text(answer);
  sending.destroy();
  server.close();
  expect([answer.statusCode, told]).toEqual([
    400,
    expect.stringContaining('is not the form with a file'),
  ]);
});

// A service account that nobody is behind counted as one person.
test('a plan counts the people who would lose access, and no service accounts', async () => {
  const holder = (name: string, user_type: string): object => ({ name, user_type });
  const payload = (...names: readonly string[]): object => ({
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        resources: [{ name: 'handbook', resource_type: 'page' }],
        local_users: names.map((name) =>
          holder(name, name.startsWith('robot') ? 'service_account' : 'human'),
        ),
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
    identity_to_permissions: names.map((identity) => ({
      identity,
      identity_type: 'local_user',
      application_permissions: [
        { application: 'wiki', permission: 'edit', resources: ['handbook'] },
      ],
    })),
  });
  await pushed(wiki, json(payload('ann', 'bob', 'robot 1', 'robot 2', 'robot 3')));
  const { text } = await planned(wiki, json(payload('ann')));
  expect(plain(text)).toContain('1 person would lose access');
});

// Before, the first sentence counted nodes and relationships alone, and named identities by their keys.
test('each plan says first how many people would lose access', async () => {
  const all = ['quin', 'rae', 'sol', 'tom'].map((name) => `${name}@plans.example`);
  await pushed(wiki, json(application(...all), 'wiki.json'));
  const text = plain((await planned(wiki, json(application(...all.slice(1)), 'wiki.json'))).text);
  expect(text).toMatch(
    /<p role="status">\s*<strong>1 person would lose access\.<\/strong>\s*A push would/,
  );
  expect(text).toContain('quin@plans.example');
  // Before, a column that nobody needs was empty.
  expect(text).toContain('data-name="Would lose"');
  expect(text).not.toContain('Would gain');
  const more = plain((await planned(wiki, json(application(...all, 'una@plans.example')))).text);
  expect(more).toContain('<strong>1 person would gain access.</strong>');
  expect(more).not.toContain('Would lose');
  expect(text).not.toContain('>Identity|');
});

describe('between plan and push', () => {
  test('another file is refused', async () => {
    const fields = fieldsOf(await planned(directory, json(people('ann'))));
    const { status, text } = await send(directory, json(people('bob')), fields);
    expect([status, text]).toEqual([409, expect.stringContaining('not the file that was planned')]);
    expect(await pushesTo(directory)).toEqual([]);
  });

  test('the same bytes with a name that makes them CSV are refused', async () => {
    const fields = fieldsOf(await planned(directory, json(people('ann'))));
    const { status, text } = await send(directory, json(people('ann'), 'ann.csv'), fields);
    expect([status, text]).toEqual([409, expect.stringContaining('not the file that was planned')]);
    expect(await pushesTo(directory)).toEqual([]);
  });

  test('a push of somebody else stops it, and no change is lost', async () => {
    const fields = fieldsOf(await planned(directory, json(people('ann'))));
    await pushed(directory, json(people('bob')));
    const { status, text } = await send(directory, json(people('ann')), fields);
    expect([status, text]).toEqual([409, expect.stringContaining('has changed the data source')]);
    expect(await pushesTo(directory)).toHaveLength(1);
  });

  test('two tabs that push the same file at once push it once', async () => {
    const file = json(people('ann'));
    const fields = fieldsOf(await planned(directory, file));
    const answers = await Promise.all([
      send(directory, file, fields),
      send(directory, file, fields),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(303);
    expect(statuses.filter((status) => status !== 303 && status !== 409)).toEqual([]);
    const outcomes = (await pushesTo(directory)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome !== 'unchanged')).toEqual(['accepted']);
    // The data source is as the file says, so a third tab changes nothing.
    expect((await send(directory, file, fields)).status).toBe(303);
  });

  test('an increment that is sent twice is applied once', async () => {
    await pushed(directory, json(people('ann')));
    const increment = {
      incremental_change: true,
      users: [{ name: 'ann', operation: 'delete' }],
    };
    const fields = fieldsOf(await planned(directory, json(increment)));
    const first = await send(directory, json(increment), fields);
    const second = await send(directory, json(increment), fields);
    expect([first.status, second.status]).toEqual([303, 409]);
  });

  test('the removal guard asks for a confirmation of just this removal', async () => {
    const many = people(...Array.from({ length: ROWS }, (_, at) => `user ${at}`));
    await pushed(directory, json(many));
    const file = json(people('user 1'));
    const plan = await planned(directory, file);
    expect(plan.text).toContain(`It would remove ${ROWS - 1} of the ${ROWS + 1} rows`);
    const { confirm = '', ...fields } = fieldsOf(plan);
    expect((await send(directory, file, fields)).status).toBe(409);
    expect((await send(directory, file, { ...fields, confirm: 'x' })).status).toBe(409);
    expect((await send(directory, file, { ...fields, confirm })).status).toBe(303);
    const { body } = (await service.send(
      'get',
      '/api/v1/events?order_by=at%20desc&page_size=5',
    )) as { readonly body: unknown };
    expect(JSON.stringify(body)).toContain(confirm);
  });
});

describe('who may', () => {
  const signedIn = async (role: 'analyst' | 'auditor' | null): Promise<Browser> => {
    const opened = await sessionsOf(service.context).open(
      { subject: `person:${String(role)}`, name: 'One', role, person: null, address: null },
      new Map(),
      'r',
      [],
    )();
    if (opened._tag === 'Left') throw new Error(opened.left.message);
    const one = new Browser(service.app);
    one.cookies.set(SESSION_COOKIE, opened.right.token);
    return one;
  };

  const told = ({ status, text }: Response): readonly unknown[] => [
    status,
    text.replace(/Request [0-9a-f]{32}/, ''),
  ];

  test.each(['analyst', 'auditor', null] as const)('%s may not, whatever exists', async (role) => {
    const one = await signedIn(role);
    const file = json(people('ann'));
    const missing = { ...directory, data_source_id: 'nothing' };
    const refused = await send(directory, file, {}, one);
    expect(refused.status).toBe(403);
    expect(told(await send(missing, file, {}, one))).toEqual(told(refused));
    const page = await one.get(`${pageOf(directory)}/push`);
    expect(page.status).toBe(403);
    expect(told(await one.get(`${pageOf(missing)}/push`))).toEqual(told(page));
    if (role !== null) expect((await one.get(pageOf(directory))).text).not.toContain('type="file"');
  });

  test('a foreign page, and a form without its token or with that of another session, may not', async () => {
    const path = `${pageOf(directory)}/push`;
    const file = json(people('ann'));
    const form_token = await admin.formToken();
    const other = new Browser(service.app);
    await other.signIn(API_KEY);
    const foreign = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
    const answers = [
      await admin.upload(path, { form_token }, file, foreign),
      await admin.upload(path, {}, file),
      await admin.upload(`${path}?form_token=${form_token}`, {}, file),
      await admin.upload(path, { form_token: await other.formToken() }, file),
      await admin.post(path, { form_token }),
      await new Browser(service.app).upload(path, { form_token }, file),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400, 401]);
    expect(await pushesTo(directory)).toEqual([]);
  });

  test('a data source that does not exist is missing', async () => {
    const missing = { ...directory, data_source_id: 'nothing' };
    expect((await send(missing, json(people('ann')))).status).toBe(404);
    expect((await admin.get(`${pageOf(missing)}/push`)).status).toBe(404);
  });

  test('an administrator finds the form on the page of the data source', async () => {
    for (const path of [pageOf(directory), `${pageOf(directory)}/push`]) {
      expect((await admin.get(path)).text).toContain(`action="${pageOf(directory)}/push"`);
    }
  });
});
