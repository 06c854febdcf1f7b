import { ask as askGraph } from '../../src/neo4j/ask';
import { keyOf, pushCompany } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

interface Told {
  readonly as_of: { readonly at: string };
}

/** The page of an entity without what no past version tells: when the row changed before. */
const withoutChange = (body: unknown): unknown => {
  const { value, ...rest } = body as { value?: { freshness?: object; changed?: unknown } };
  if (value?.freshness === undefined) return body;
  const freshness = { ...value.freshness, changed: null, changed_push: null };
  return { ...rest, value: { ...value, changed: null, freshness } };
};

const get = async (path: string, query: Readonly<Record<string, string>>) => {
  const answer = await service.send(
    'get',
    `/api/v1/${path}?${new URLSearchParams(query).toString()}`,
  );
  return { status: answer.status, body: withoutChange(answer.body) as Told };
};

const freshnessOf = (body: unknown): object =>
  (body as { value: { freshness: object } }).value.freshness;

const violations = ({ body }: { readonly body: unknown }): unknown =>
  (body as { details: readonly { field_violations: unknown }[] }).details[0]?.field_violations;

test('answers about an instant are those that the service gave then', async () => {
  const sources = await pushCompany(service);
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const account = await keyOf(service, 'LocalUser', 'nhaddad');
  const application = await keyOf(service, 'Application', 'Forge');
  const group = await keyOf(service, 'IdpGroup', 'Firmware Maintainers');
  const role = await keyOf(service, 'LocalRole', 'Maintainer');
  const pair = { principal, resource };
  const questions: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['access', { principal }],
    ['access', { principal, page_size: '2', order_by: 'key' }],
    ['access', { principal, permission_type: 'DataRead', application: 'source-code' }],
    ['access', { resource }],
    ['access', { resource, person: 'true' }],
    ['access', { resource: application, contents: 'true' }],
    ['access:gateways', { resource: application, contents: 'true' }],
    ['access:check', { ...pair, permission_type: 'DataRead' }],
    ['access:explain', pair],
    ['reviewers', { principal }],
    ['reviewers', { resource }],
    ...[
      principal,
      resource,
      'Identity|nadia.haddad@halden.example',
      'Tag|ai|',
      account,
      application,
      group,
      role,
    ].map((id) => [`entities/${encodeURIComponent(id)}`, {}] as const),
  ];
  const then = [];
  for (const [path, query] of questions) then.push(await get(path, query));
  const { at } = (then[0] as { body: Told }).body.as_of;
  expect(then.map(({ status }) => status)).toEqual(questions.map(() => 200));

  // All that anybody can reach there goes.
  const little = JSON.stringify({
    applications: [{ name: 'empty', application_type: 'empty', local_users: [{ name: 'x' }] }],
  });
  for (const { path, template, ...ids } of sources) {
    if (template === 'application') {
      await service.post(path, { ...ids, json_data: little }).expect(200);
    }
  }
  expect((await get('access', { principal })).body).toMatchObject({ total: 0 });
  expect((await get('access', { resource })).status).toBe(404);

  for (const [nth, [path, query]] of questions.entries()) {
    expect([path, query, await get(path, { ...query, at })]).toEqual([path, query, then[nth]]);
  }
  // Pages follow each other.
  const first = await get('access', { principal, page_size: '2', order_by: 'key', at });
  const { next_page_token: page_token } = first.body as unknown as { next_page_token: string };
  const second = await get('access', {
    principal,
    page_size: '2',
    order_by: 'key',
    at,
    page_token,
  });
  const all = await get('access', { principal, order_by: 'key', at });
  const rowsOf = ({ body: answer }: { body: unknown }) =>
    (answer as { values: readonly unknown[] }).values;
  expect([...rowsOf(first), ...rowsOf(second)]).toEqual(rowsOf(all).slice(0, 4));
  // A question leaves nothing behind.
  const left = await askGraph(
    service.graph,
    "MATCH (n) WHERE n.key STARTS WITH 'at ' RETURN n.key",
  );
  expect(left).toEqual([]);
});

test('an instant before the history, after now, or of no time is refused', async () => {
  const asked = { principal: 'nobody' };
  const early = await get('access', { ...asked, at: '2001-01-01T00:00:00Z' });
  expect([early.status, violations(early)]).toEqual([
    400,
    [
      {
        pointer: '/at',
        code: 'OUT_OF_RANGE',
        field: 'at',
        description: expect.stringMatching(
          /^lies before the history, which begins at 20/,
        ) as unknown,
      },
    ],
  ]);
  for (const [at, code] of [
    ['2001-01-01T00:00:00Z', 'OUT_OF_RANGE'],
    ['2999-01-01T00:00:00Z', 'OUT_OF_RANGE'],
    ['yesterday', 'BAD_TIME'],
  ] as const) {
    for (const [path, query] of [
      ['reviewers', asked],
      ['entities/nobody', {}],
    ] as const) {
      const answer = await get(path, { ...query, at });
      const found = [path, at, answer.status, violations(answer)];
      expect(found).toMatchObject([path, at, 400, [{ pointer: '/at', code }]]);
    }
  }
  for (const [at, code] of [
    ['2999-01-01T00:00:00Z', 'OUT_OF_RANGE'],
    ['yesterday', 'BAD_TIME'],
  ] as const) {
    const answer = await get('access:check', { ...asked, resource: 'x', permission: 'p', at });
    expect([answer.status, violations(answer)]).toMatchObject([400, [{ pointer: '/at', code }]]);
  }
  const now = new Date().toISOString();
  expect((await get('access', { ...asked, at: now })).status).toBe(404);
  const cypher = await get('access', { ...asked, at: now, cypher: 'true' });
  expect([cypher.status, violations(cypher)]).toMatchObject([400, [{ pointer: '/cypher' }]]);
});

test('the page of an entity at an instant tells what its data sources said by then', async () => {
  const { path, ...ids } = await service.register('application');
  const push = async (user: object): Promise<string> => {
    const json_data = JSON.stringify({
      applications: [{ name: 'door', application_type: 'door', local_users: [user] }],
    });
    const answer = await service.post(path, { ...ids, json_data }).expect(200);
    const { push_id } = answer.body as { push_id: string };
    const [row] = await askGraph(
      service.graph,
      'MATCH (push:Push {key: $push_id}) RETURN toString(push.at) AS at',
      { push_id },
    );
    return String(row?.at);
  };
  const before = new Date().toISOString();
  const first = await push({ name: 'eve', deactivated_at: '2999-01-01T00:00:00Z' });
  const user = `entities/${encodeURIComponent(await keyOf(service, 'LocalUser', 'eve'))}`;
  const identity = 'entities/Identity%7Ceve%40x';
  const then = await service.send('get', `/api/v1/${user}`);
  // A push that is refused, one that changes the user, and one that removes it.
  const refused = await service.post(path, { ...ids, json_data: '{}' });
  expect(refused.status).toBe(400);
  const second = await push({ name: 'eve', email: 'eve@x', identities: ['eve@x'] });
  const third = await push({ name: 'adam' });

  const at = (instant: string) => ({ at: instant });
  const page = await service.send('get', `/api/v1/${user}?at=${first}`);
  expect(page.body).toEqual({
    ...(then.body as object),
    value: {
      ...(then.body as { value: object }).value,
      changed: null,
      freshness: { ...freshnessOf(then.body), changed: null, changed_push: null },
    },
  });
  expect(page.body).toMatchObject({
    value: { properties: { deactivated_at: '2999-01-01T00:00:00Z' } },
  });
  expect((await get(user, at(second))).body).toMatchObject({
    value: { properties: { email: 'eve@x' }, since: first },
    as_of: { at: second },
  });
  const shared = await get(identity, at(second));
  expect(shared.body).toMatchObject({
    value: { name: 'eve@x', sources: [{ data_source: ids.data_source_id, status: 'SUCCESS' }] },
  });
  for (const [asked, instant] of [
    [user, before],
    [user, third],
    [identity, first],
    [identity, third],
    ['entities/Identity%7Cnobody', second],
    ['entities/x', second],
  ] as const) {
    expect([asked, instant, (await get(asked, at(instant))).status]).toEqual([asked, instant, 404]);
  }
});

test('the page of an entity tells how the newest push by then ended', async () => {
  const { path, ...ids } = await service.register('application');
  const json_data = JSON.stringify({
    applications: [{ name: 'gate', application_type: 'gate', local_users: [{ name: 'kim' }] }],
  });
  await service.post(path, { ...ids, json_data }).expect(200);
  const user = `entities/${encodeURIComponent(await keyOf(service, 'LocalUser', 'kim'))}`;
  await service.post(path, { ...ids, json_data: '{}' }).expect(400);
  const then = await get(user, {});
  expect(then.body).toMatchObject({ value: { sources: [{ status: 'ERROR' }] } });
  const now = await askGraph(service.graph, 'RETURN toString(datetime.realtime("Z")) AS at');
  const at = String(now[0]?.at);
  await service.post(path, { ...ids, json_data }).expect(200);
  expect((await get(user, { at })).body).toEqual(then.body);
});
