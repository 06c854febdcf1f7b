import { ask as askGraph } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { answerAt } from '../../src/questions/instant/at-instant';
import { stage } from '../../src/questions/instant/stage';
import { walk } from '../../src/questions/instant/walk';
import { Instant } from '../../src/model/instant';
import { WALKS } from '../../src/questions/statements/instant-statements';
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
      ...[principal, resource, 'Identity|nadia.haddad@halden.example', 'Tag|ai|', account],
      ...[application, group, role],
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
    ...{ principal, page_size: '2', order_by: 'key', at, page_token },
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
        ...{ pointer: '/at', code: 'OUT_OF_RANGE', field: 'at' },
        description: expect.stringMatching(
          /^lies before the history, which begins at 20/,
        ) as unknown,
      },
    ],
  ]);
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

test('a question that needs very many relationships of then is refused whole', async () => {
  const [directory] = await pushCompany(service);
  if (directory === undefined) throw new Error('nothing is pushed');
  const { path: push, json_data, id, data_source_id } = directory;
  const principal = `${data_source_id}|IdpUser|nadia.haddad`;
  const { at } = (await get('access', { principal })).body.as_of;
  const renamed = json_data.replaceAll('"Nadia Haddad"', '"Nadia H."');
  await service.post(push, { id, data_source_id, json_data: renamed }).expect(200);
  const empty = "MATCH (n:Application {name: 'empty'}) RETURN n.key AS key ORDER BY key LIMIT 1";
  const [{ key: resource } = {}] = (await askGraph(service.graph, empty)) as { key: string }[];
  if (resource === undefined) throw new Error('nothing is there');
  const small = await serviceUnderTest({ instantFacts: 0 }, { keep: true });
  try {
    const ask = async (path: string, query: Readonly<Record<string, string>>) => {
      const search = new URLSearchParams({ ...query, at }).toString();
      const answer = await small.send('get', `/api/v1/${path}?${search}`);
      return { status: answer.status, body: answer.body as unknown };
    };
    for (const [path, query] of [
      ['reviewers', { principal }],
      [`entities/${encodeURIComponent(principal)}`, {}],
    ] as const) {
      expect([path, await ask(path, query)]).toMatchObject([
        path,
        {
          status: 413,
          body: {
            code: 'PayloadTooLarge',
            message:
              'The answer about that instant needs more than 0 relationships (LIMIT_INSTANT_FACTS). Narrow the question.',
          },
        },
      ]);
      expect([path, (await get(path, { ...query, at })).status]).toEqual([path, 200]);
    }
    // What has not changed is answered, and a refusal leaves nothing behind.
    expect((await ask('access', { resource })).status).toBe(200);
    expect(await small.counts()).toEqual(await service.counts());
    const left = await askGraph(service.graph, "MATCH (n) WHERE n.key STARTS WITH 'at ' RETURN n");
    expect(left).toEqual([]);
  } finally {
    await small.close();
  }
});

// Counts of changes were wrong where a push came while the service read what stood before it.
test('a push that comes between the walk and the staging changes nothing of what was then', async () => {
  const sources = await pushCompany(service);
  const principal = `${sources[0]?.data_source_id}|IdpUser|nadia.haddad`;
  const { at } = (await get('access', { principal })).body.as_of;
  const instant = new Instant(at);
  const prefix = 'at a test ';
  const staged = (meanwhile: () => Promise<void>) =>
    runTransaction(service.graph, { mode: 'write', end: 'rollback' }, async (tx) => {
      const walked = await walk(tx, instant, { principal }, WALKS.principal, 100_000);
      await meanwhile();
      await stage(tx, instant, walked, prefix);
      const { records } = await tx.run(
        `MATCH (n) WHERE n.key STARTS WITH $prefix
         RETURN n {.key, .name, .permission_type, .resource_type, .is_active} AS node, labels(n) AS labels,
           COLLECT { MATCH (n)-[r]->(m) RETURN type(r) + ' ' + m.key AS other ORDER BY other } AS others
         ORDER BY n.key`,
        { prefix },
      );
      return records.map((record) => record.toObject());
    });
  const before = await staged(() => Promise.resolve());
  expect(before.length).toBeGreaterThan(10);
  const after = await staged(async () => {
    for (const { path, template, json_data, ...ids } of sources) {
      if (template !== 'application') continue;
      const payload = JSON.parse(json_data) as { readonly permissions: readonly object[] };
      const changed = {
        ...payload,
        permissions: payload.permissions.map((one) => ({ ...one, permission_type: ['NonData'] })),
        identity_to_permissions: [],
      };
      await service.post(path, { ...ids, json_data: JSON.stringify(changed) }).expect(200);
    }
  });
  expect(after).toEqual(before);
});

test('a push that comes while what has not changed is read changes nothing of the answer', async () => {
  const [directory] = await pushCompany(service);
  if (directory === undefined) throw new Error('nothing is pushed');
  const { path, json_data, id, data_source_id } = directory;
  const principal = `${data_source_id}|IdpUser|nadia.haddad`;
  const { at } = (await get('access', { principal })).body.as_of;
  const reads: string[] = [];
  const answered = await answerAt(
    service.graph,
    { seconds: 60, instantFacts: 100_000 },
    new Instant(at),
    { asked: { principal }, steps: WALKS.principal },
    async (tx, keyOf) => {
      if (reads.length === 0) {
        const renamed = json_data.replaceAll('"Nadia Haddad"', '"Nadia H."');
        await service.post(path, { id, data_source_id, json_data: renamed }).expect(200);
      }
      const { records } = await tx.run<{ name: string }>(
        'MATCH (n:Entity {key: $key}) RETURN n.name AS name',
        { key: keyOf(principal) },
      );
      reads.push(records[0]?.get('name') ?? '');
      return reads.at(-1);
    },
  )();
  expect(answered).toMatchObject({ right: { answer: 'Nadia Haddad' } });
  expect(reads).toEqual(['Nadia H.', 'Nadia Haddad']);
});
