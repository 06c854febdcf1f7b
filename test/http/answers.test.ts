/** @more access */

import supertest, { type Response } from 'supertest';

import { ASSETS } from '../../src/features/console/assets/assets';
import { newFormId } from '../../src/features/console/registering/form-ids';
import { runTransaction } from '../../src/neo4j/transaction';
import { ScimFault } from '../../src/scim/client/scim-fault';
import { nameOf } from '../support/answer-check';
import { idleRoutes } from '../support/idle-app';
import { keyOf, pushCompany } from './company';
import { EventReader } from './event-reader';
import { Browser } from './browser-session';
import { draftAbout, reviewedBy } from './reviews/reviewed-by';
import { signedIn as signedInAs } from './reviews/signed-in';
import {
  listenLocally,
  answerCheck,
  API_KEY,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

const PROVIDERS = '/api/v1/providers/custom';
const KEYS = '/api/preview/teamkeys';

let service: ServiceUnderTest;
beforeAll(async () => {
  const host = { name: 'wiki.example.org', scheme: 'https', isWildcard: false, port: 443 } as const;
  service = await serviceUnderTest(
    {},
    {
      provisioning: {
        allowed: { hosts: [host], networks: [] },
        transport: () => Promise.reject(new ScimFault('UNREACHABLE', 'Nobody answers.')),
      },
    },
  );
});
afterAll(() => service.close());

type Body = Readonly<Record<string, unknown>>;

const done = async (asked: PromiseLike<Response>): Promise<Body> => {
  const answer = await asked;
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body as Body;
};
const get = (path: string) => done(service.send('get', path));
const post = (path: string, body: unknown = {}) => done(service.post(path, body));
const idIn = ({ value }: Body): string => (value as { readonly id: string }).id;

const askOperation = async (): Promise<void> => {
  for (const path of [
    '/',
    '/manual/readme',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/docs',
    '/docs/rapidoc.js',
    '/schemas/application.json',
    '/kit/style.grass',
    '/kit/guide.html',
    '/metrics',
  ]) {
    await get(path);
  }
  await service.send('get', '/manual').expect(303);
  await done(supertest(service.app).get('/kit/queries.zip').responseType('blob'));
};

const askRegistry = async (): Promise<string> => {
  await get(`${PROVIDERS}/templates`);
  const id = idIn(await post(PROVIDERS, { name: 'Answers', custom_template: 'identity_provider' }));
  await get(PROVIDERS);
  await get(`${PROVIDERS}/${id}`);
  await done(service.send('put', `${PROVIDERS}/${id}/trusts`, {}));
  await get('/api/v1/trusts');
  await done(service.send('patch', `${PROVIDERS}/${id}`, { provisioning: true }));
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  await post(`${PROVIDERS}/${id}:icon`, { icon_base64: png });
  const source = idIn(await post(`${PROVIDERS}/${id}/datasources`, { id, name: 'Main' }));
  await get(`${PROVIDERS}/${id}/datasources`);
  return `${PROVIDERS}/${id}/datasources/${source}`;
};

const payloadOf = (...names: readonly string[]): string =>
  JSON.stringify({
    name: 'Answers',
    idp_type: 'custom',
    domains: [{ name: 'answers.example' }],
    users: names.map((name) => ({ name, identity: name, groups: [{ identity: 'no such' }] })),
    groups: [{ name: 'no such', identity: 'no such' }],
  });

const askPushes = async (path: string): Promise<void> => {
  const [, , , , , id, , data_source_id] = path.split('/');
  const envelope = (json_data: string) => ({ id, data_source_id, json_data });
  const { push_id } = await post(`${path}:push`, envelope(payloadOf('ann', 'bob')));
  await post(`${path}:plan`, envelope(payloadOf('ann', 'carl')));
  const csv_data = Buffer.from('name,groups\nann,no such\n').toString('base64');
  await post(`${path}:push_csv`, { id, data_source_id, csv_data });
  const { upload_id } = await post(`${path}:parts`, { operation: 'start' });
  const data = Buffer.from(payloadOf('ann')).toString('base64');
  await post(`${path}:parts`, { operation: 'upload', upload_id, sequence_number: 1, data });
  await post(`${path}:parts`, { operation: 'complete', upload_id, sequence_count: 1 });
  await post(`${path}:verify?repair=true`);
  await post(`${path}:allow-removal`);
  await get(path);
  await get(`${path}/pushes`);
  await get(`${path}/pushes/${String(push_id)}`);
};

const askEvents = async (): Promise<void> => {
  await get('/api/v1/events');
  await get('/api/preview/events');
  const reader = await EventReader.open(service.app, { after: '0' });
  await reader.until(() => reader.told.length > 0);
  await reader.leave();
};

const askQuestions = async (): Promise<void> => {
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const pair = new URLSearchParams({ principal, resource }).toString();
  await get('/api/v1/entities?page_size=3');
  for (const id of [principal, resource]) await get(`/api/v1/entities/${encodeURIComponent(id)}`);
  for (const of of [{ principal }, { resource }]) {
    await get(`/api/v1/access?${new URLSearchParams(of).toString()}`);
    await get(`/api/v1/reviewers?${new URLSearchParams(of).toString()}`);
  }
  await get(`/api/v1/access:check?${pair}&permission_type=DataRead`);
  await get(`/api/v1/access:explain?${pair}`);
  await get(`/api/v1/access:gateways?${new URLSearchParams({ resource }).toString()}`);
  const group = new URLSearchParams({ without: principal }).toString();
  await get(`/api/v1/access:gateways?${group}`);
  const within = new URLSearchParams({ resource, contents: 'true' }).toString();
  for (const path of ['access', 'access:gateways']) await get(`/api/v1/${path}?${within}`);
  await get(`/api/v1/access:changes?since=${new Date().toISOString()}&page_size=3`);
  await done(service.send('get', '/api/v1/access:export?explain=true').buffer());
  await post('/api/v1/query', { cypher: 'MATCH (n) RETURN n, {a: [1]} AS map LIMIT 3' });
  await post('/api/v1/queries/access/who-can-write-to-a-resource', {
    parameters: { resource: 'x' },
  });
  await get('/api/v1/history');
  await get('/api/v1/restored');
  await done(service.post('/api/v1/restored:start', undefined));
};

const askReviews = async (): Promise<void> => {
  const path = '/api/v1/reviews';
  const [person, owner, fallback] = await Promise.all(
    ['Nadia Haddad', 'Ingrid Solberg', 'Yuki Tanabe'].map((name) =>
      keyOf(service, 'IdpUser', name),
    ),
  );
  const draft = { name: 'Answers', owner, fallback, due: '2099-01-01T00:00:00Z' };
  const idOf = ({ value }: Body): string =>
    (value as { readonly review: { readonly id: string } }).review.id;
  const cancelled = idOf(await post(path, draft));
  await post(`${path}/${cancelled}:cancel`, { reason: 'tried' });
  const id = idOf(await post(path, { ...draft, scope: { people: [person] }, stale_hours: 10_000 }));
  await get(path);
  await get(`${path}:applications`);
  const plan = (await post(`${path}/${id}:plan`)).value as {
    readonly token: string;
    readonly sources: readonly { readonly data_source: string }[];
  };
  const acknowledged = plan.sources.map(({ data_source }) => ({ data_source, reason: 'tried' }));
  await post(`${path}/${id}:open`, { token: plan.token, acknowledged });
  await post(`${path}/${id}:remind`);
  await post(`${path}/${id}:appoint`, { owner, fallback, reason: 'tried' });
  const { values } = (await get(`${path}/${id}/items`)) as {
    readonly values: readonly { readonly number: number; readonly digest: string }[];
  };
  const reason = 'tried';
  for (const { number, digest } of values) {
    await post(`${path}/${id}:reassign`, {
      on_behalf_of: owner,
      to: fallback,
      items: [number],
      reason,
    });
    const items = [{ number, digest }];
    await post(`${path}/${id}:decide`, {
      on_behalf_of: fallback,
      decision: 'revoke',
      items,
      reason,
    });
  }
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await post(`${path}/${id}:except`, { on_behalf_of: owner, items: [1], until, reason });
  await post(`${path}/${id}:close`, { on_behalf_of: owner, attestation: 'tried' });
  await post(`${path}/${id}:send`, { items: [2] });
  await get(`${path}/${id}`);
  await post(`${path}/${id}:verify`);
  await done(service.send('get', `${path}/${id}/evidence`).responseType('blob'));
};

/** Last, since it erases whom the questions are about. */
const erasePeople = async (): Promise<void> => {
  const principal = { principal: await keyOf(service, 'IdpUser', 'Nadia Haddad') };
  const { value } = await post('/api/v1/erase', principal);
  const { confirmation } = value as { readonly confirmation: string };
  await done(
    service.post('/api/v1/erase', principal).set('Grantgraph-Confirm-Removal', confirmation),
  );
};

/** Nobody answers behind the connection, and the service says so in answers of its own. */
const askProvisioning = async (): Promise<void> => {
  const id = idIn(
    await post(PROVIDERS, {
      name: 'Wiki',
      custom_template: 'application',
      external_lifecycle_management_type: 'SCIM',
      provisioning: true,
    }),
  );
  const path = `${PROVIDERS}/${id}/scim`;
  const user = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  await done(
    service.send('put', path, {
      base_url: 'https://wiki.example.org',
      authentication: { type: 'basic', user: 'grant', password: 'hush-hush' },
    }),
  );
  await get(path);
  await post(`${path}:test`);
  await post(`${path}:provision`, { user });
  await post(`${path}:update?dry_run=true`, { user });
  await post(`${path}:deprovision`, { account: 'x', how: 'delete' });
  await post(`${path}:add-members`, { group: 'Writers', users: [user] });
  await post(`${path}:remove-members`, { group: 'Writers', accounts: ['x'] });
  await done(
    service.send('put', `${path}/import`, { every: 'PT1H', leave_out: 'active eq false' }),
  );
  await get(`${path}/import`);
  await post(`${path}:import?dry_run=true`);
  await post(`${path}:import`);
  await get(`${path}/import`);
  await done(service.send('delete', `${path}/import`));
  await askPolicies(path.replace('/scim', '/policies'));
  await done(service.send('delete', path));
};

/** An identity provider that pushes over SCIM. */
const askScim = async (): Promise<void> => {
  const { data_source_id } = await service.register('identity_provider');
  const base = `/scim/v2/${data_source_id}`;
  for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User']) {
    await get(`${base}/${path}`);
  }
  const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
  for (const path of ['Schemas', `Schemas/${user}`]) await get(`${base}/${path}`);
  for (const [list, body] of [
    ['Users', { userName: 'ann', externalId: 'a1', title: 'Engineer' }],
    ['Groups', { displayName: 'staff', externalId: 'g1', members: [{ value: 'a1' }] }],
  ] as const) {
    const one = `${base}/${list}/${body.externalId}`;
    await service.post(`${base}/${list}`, body).expect(201);
    await get(`${base}/${list}`);
    await get(one);
    await done(service.send('put', one, body));
    const Operations = [{ op: 'replace', value: { externalId: 'x1' } }];
    await service.send('patch', `${one}?attributes=id`, { Operations }).expect(200);
    await post(`${base}/${list}/.search`, {});
  }
  await post(`${base}/.search`, { count: 1 });
  await service.send('delete', `${base}/Groups/g1`).expect(204);
  await service.send('delete', `${base}/Users/a1`).expect(204);
};

/** The first policy would take everybody's account; the guard of nobody stops nothing. */
const askPolicies = async (path: string): Promise<void> => {
  const [source] = (await keyOf(service, 'IdpUser', 'Nadia Haddad')).split('|');
  const policy = { name: 'Everybody', who: [{ filter: 'name pr', in: [source] }] };
  const id = idIn(await post(path, policy));
  await get(path);
  await get(`${path}/${id}`);
  await done(service.send('put', `${path}/${id}`, { ...policy, state: 'active' }));
  await post(`${path}:plan`);
  await post(`${path}:run`);
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run(
      "MATCH (state:LifecycleState) SET state.waiting_token = 'token', state.waiting_people = 1",
    ),
  );
  await post(`${path}:confirm`, { token: 'token' });
  await get(`${path}:status`);
  await get(`${path}:actions`);
  await post(`${path}:retry`);
  const provider = path.split('/').at(-2);
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run(
      `CREATE (:ManagedAccount {key: $provider + '|gone', provider: $provider, person: 'gone',
         policy: $id, account: 'a1', user_name: 'gone', state: 'ACTIVE', is_adopted: false,
         groups: [], unsure_groups: [], since: datetime()})`,
      { provider, id },
    ),
  );
  await post(`${path}:release`, { person: 'gone' });
  await done(service.send('delete', `${path}/${id}`));
};

const askKeys = async (): Promise<void> => {
  const key = `${KEYS}/${idIn(await post(KEYS, { name: 'Answers' }))}`;
  await get(KEYS);
  await done(service.send('patch', key, { name: 'More answers' }));
  await post(`${key}:rotate`, {});
  await post(`${key}:revoke`);
  await post(`${key}:reinstate`);
  await done(service.send('delete', key));
};

/** Sends the forms that register a system, make a key, and create, open, decide and cancel reviews. */
const askForms = async (one: Browser, source: string): Promise<void> => {
  const form_token = await one.formToken();
  const send = async (
    path: string,
    fields: Readonly<Record<string, string>>,
    by = one,
    token = form_token,
  ): Promise<void> => {
    const sent = { form_token: token, ...fields };
    const { status, text } = await (path === '/register'
      ? by.upload(`/console${path}`, sent, null)
      : by.post(`/console${path}`, sent));
    expect([path, status, status < 400 ? '' : text]).toEqual([path, status < 300 ? 200 : 303, '']);
  };
  await send('/register', {
    name: 'By a page',
    template: 'hris',
    provider_id: newFormId(),
    source_id: newFormId(),
    key_id: newFormId(),
  });
  await send(`/sources/${source}/keys`, { act: 'create', name: 'By a page', new_id: newFormId() });
  const [owner, holder] = [
    await keyOf(service, 'IdpUser', 'Amara Nwosu'),
    await keyOf(service, 'IdpUser', 'Nadia Haddad'),
  ];
  await done(one.get('/console/new-review'));
  const due = '2099-01-01';
  const named = { name: 'By a page', owner, fallback: holder };
  await send('/new-review', { ...named, due, draft: newFormId() });
  const { id: draft, plan } = await draftAbout(service, owner, holder);
  await done(one.get(`/console/reviews/${draft}/plan`));
  await send(`/reviews/${draft}/plan`, {
    token: plan.token,
    sources: plan.acknowledged.map(({ data_source }) => data_source) as unknown as string,
    reasons: plan.acknowledged.map(({ reason }) => reason) as unknown as string,
  });
  const { id, items } = await reviewedBy(service, owner, holder);
  const reviewer = await signedInAs(service, owner);
  const [{ number, digest } = { number: 0, digest: '' }] = items;
  for (const path of ['', `/${id}`, `/${id}/decide?item=${number}`]) {
    await done(reviewer.get(`/console/reviews${path}`));
  }
  const revoke = { act: `revoke.${number}`, seen: `${number}.${digest}`, reason: 'left' };
  await send(`/reviews/${id}/decide`, revoke, reviewer, await reviewer.formToken());
  for (const page of ['progress', 'items', 'verified', 'evidence']) {
    await done(one.get(`/console/reviews/${id}/${page}`));
  }
  await send(`/reviews/${id}/progress`, { act: 'cancel', reason: 'tried' });
};

const askConsole = async (): Promise<void> => {
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const ends = new URLSearchParams({ principal, resource }).toString();
  const [source = ''] = resource.split('|');
  const one = new Browser(service.app);
  await one.signIn(API_KEY);
  for (const path of [
    '',
    '/mine',
    `/mine/why?${ends.split('&').at(-1)}`,
    `/people/${encodeURIComponent(principal)}`,
    `/resources/${encodeURIComponent(resource)}`,
    `/why?${ends}`,
    '/changes',
    '/sources',
    `/sources/${source}`,
    `/sources/${source}/push`,
    '/ask',
    `/csv/access?resource=${encodeURIComponent(resource)}`,
    '/csv/changes?since=2001-01-01T00:00:00Z',
    '/csv/entities?label=Application',
    `/csv/pushes?source=${source}`,
    '/csv/query?query=resources/resources-without-an-owner',
    `/csv/why?${ends}`,
    `/csv/members?of=${encodeURIComponent(principal)}`,
    `/csv/losses?without=${encodeURIComponent(principal)}`,
    `/picture/why?${ends}`,
    '/suggestions?q=nadia',
    '/register',
    `/sources/${source}/keys`,
  ]) {
    await done(one.get(`/console${path}`));
  }
  await askForms(one, source);
  const { port, close } = await listenLocally(service.app);
  const cookie = [...one.cookies].map((pair) => pair.join('=')).join('; ');
  const stream = await fetch(`http://127.0.0.1:${port}/console/events`, { headers: { cookie } });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  await close();
  await get(ASSETS.styleSheet);
  const file = { name: 'accounts.csv', content: 'name\nann\n' };
  const form_token = await one.formToken();
  await one.upload(`/console/sources/${source}/push`, { form_token }, file);
  await one.upload('/console/sources', { form_token, source }, file);
};

const signIn = async (): Promise<void> => {
  const one = new Browser(service.app);
  await one.get('/sign-in');
  await one.signIn(API_KEY);
  await one.post('/sign-out', { form_token: await one.formToken() });
  const { value } = (await post('/api/preview/sign-in-codes', '')) as { value: { code: string } };
  await one.get('/sign-in/code');
  await one.post('/sign-in/code', { code: value.code });
  const { values } = (await get('/api/preview/sessions')) as { values: readonly { id: string }[] };
  await done(service.send('delete', `/api/preview/sessions/${values[0]?.id}`));
};

test('every route answers what it declares', async () => {
  await askOperation();
  const source = await askRegistry();
  await askPushes(source);
  await pushCompany(service);
  await askEvents();
  await askQuestions();
  await askReviews();
  await askConsole();
  await askProvisioning();
  await askScim();
  await askKeys();
  await signIn();
  await erasePeople();
  await done(service.send('delete', source));
  await done(service.send('delete', source.split('/datasources', 1).join()));
  // All that was asked is looked at by the service under test; here is to see that nothing was left out.
  expect(
    idleRoutes()
      .map(nameOf)
      .filter((name) => !answerCheck.answered.has(name)),
  ).toEqual([]);
});
