import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const PROVIDERS = '/api/v1/providers/custom';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Registered {
  readonly value: { readonly id: string; readonly name: string };
}

const register = async (name: string): Promise<Registered['value']> => {
  const answer = await service.post(PROVIDERS, { name, custom_template: 'application' });
  expect(answer.status).toBe(200);
  return (answer.body as Registered).value;
};

/** All properties of a node, times as text. */
const stored = async (label: string, id: string): Promise<unknown> => {
  const [row] = await ask(
    service.graph,
    `MATCH (n:${label} {key: $id}) RETURN n {.*, since: toString(n.since)} AS node`,
    { id },
  );
  return row?.node;
};

const eventsOf = async (id: string): Promise<readonly unknown[]> => {
  const rows = await ask(
    service.graph,
    'MATCH (e:Event {entity_id: $id}) RETURN e {.event_type, .entity, .entity_name, .provider_id, .severity} AS event',
    { id },
  );
  return rows.map(({ event }) => event);
};

describe('registering a provider', () => {
  test('answers its record, and keeps it in the graph with an event', async () => {
    const answer = await service.post(PROVIDERS, {
      name: 'Corporate directory',
      custom_template: 'identity_provider',
      external_lifecycle_management_type: 'SCIM',
      provisioning: true,
    });
    expect(answer.status).toBe(200);
    const { value } = answer.body as Registered;
    expect(value).toEqual({
      id: expect.stringMatching(UUID) as string,
      name: 'Corporate directory',
      custom_template: 'identity_provider',
      state: 'ENABLED',
      application_types: [],
      resource_types: [],
      idp_types: [],
      external_lifecycle_management_type: 'SCIM',
      provisioning: true,
      schema_definition_json: 'e30=',
    });
    expect(await stored('Provider', value.id)).toEqual({
      ...value,
      key: value.id,
      fold_name: 'corporate directory',
      since: expect.stringMatching(/Z$/) as string,
    });
    expect(await eventsOf(value.id)).toEqual([
      {
        event_type: 'PROVIDER_REGISTERED',
        entity: 'PROVIDER',
        entity_name: 'Corporate directory',
        provider_id: value.id,
        severity: 'INFO',
      },
    ]);
  });

  test('is refused for a taken name, exactly compared', async () => {
    await register('Taken');
    const answer = await service.post(PROVIDERS, { name: 'Taken', custom_template: 'application' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'InvalidArgument',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          field_violations: [{ field: 'name', pointer: '/name', code: 'NAME_TAKEN' }],
        },
      ],
    });
    await register('TAKEN');
  });

  test('is refused with blanks at the ends, or if only blanks differ from another name', async () => {
    await register('Two words');
    for (const name of ['Two words ', ' Two words', 'Two  words', ' Of nobody', 'Of nobody ']) {
      const answer = await service.post(PROVIDERS, { name, custom_template: 'application' });
      expect([name, answer.status, answer.text]).toEqual([
        name,
        400,
        expect.stringMatching(/blanks.*: send (that|the) name/) as string,
      ]);
    }
    await register('Other  words');
    const answer = await service.post(PROVIDERS, {
      name: 'Other words',
      custom_template: 'application',
    });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('blanks') as string,
    ]);
    // Visibly different.
    await register('Twowords');
  });

  test('lets one of many at once have a name that differs only by blanks', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        service.post(PROVIDERS, {
          name: `At${' '.repeat(at + 1)}once`,
          custom_template: 'application',
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(7).fill(400)]);
  });

  test('lets one of many at once have a name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        service.post(PROVIDERS, { name: 'Raced', custom_template: 'application' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(11).fill(400)]);
  });

  test.each([
    ['no name', { custom_template: 'application' }, 'name', 'MISSING_FIELD'],
    ['an empty name', { name: '', custom_template: 'application' }, 'name', 'EMPTY'],
    ['a name with a slash', { name: 'a/b', custom_template: 'application' }, 'name', 'BAD_NAME'],
    ['a long name', { name: 'a'.repeat(257), custom_template: 'application' }, 'name', 'TOO_LONG'],
    ['a number as name', { name: 7, custom_template: 'application' }, 'name', 'WRONG_TYPE'],
    ['no template', { name: 'New' }, 'custom_template', 'MISSING_FIELD'],
    [
      'a template of later times',
      { name: 'New', custom_template: 'secret_store' },
      'custom_template',
      'UNKNOWN_VALUE',
    ],
    [
      'a template named as a method of objects',
      { name: 'New', custom_template: 'constructor' },
      'custom_template',
      'UNKNOWN_VALUE',
    ],
  ])('with %s is refused', async (_name, body, field, code) => {
    const before = await service.counts();
    const answer = await service.post(PROVIDERS, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'InvalidArgument',
      details: [{ field_violations: [{ field, pointer: `/${field}`, code }], total: 1 }],
    });
    expect(await service.counts()).toEqual(before);
  });

  test.each([
    ['nothing', '', 'NOT_JSON'],
    ['half of an object', '{"name": ', 'NOT_JSON'],
    ['a list', '[]', 'WRONG_TYPE'],
    ['null', 'null', 'WRONG_TYPE'],
    ['bytes that are not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 'ILL_FORMED_TEXT'],
  ])('with %s as body is refused', async (_name, body, code) => {
    const answer = await supertest(service.app)
      .post(PROVIDERS)
      .set('authorization', `Bearer ${API_KEY}`)
      .set('content-type', 'application/octet-stream')
      .send(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'InvalidArgument',
      details: [{ field_violations: [{ field: '', pointer: '', code }] }],
    });
  });

  test('takes a body without a content type, and one that begins with a byte order mark', async () => {
    const answer = await supertest(service.app)
      .post(PROVIDERS)
      .set('authorization', `Bearer ${API_KEY}`)
      .unset('content-type')
      .send(Buffer.from('\ufeff{"name":"Marked","custom_template":"application"}'));
    expect(answer.status).toBe(200);
  });
});

describe('creating a data source', () => {
  test('answers its record, and keeps it below its provider with an event', async () => {
    const { id } = await register('Code host');
    const answer = await service.post(`${PROVIDERS}/${id}/datasources`, { id, name: 'Main' });
    expect(answer.status).toBe(200);
    const { value } = answer.body as Registered;
    expect(value).toEqual({
      id: expect.stringMatching(UUID) as string,
      name: 'Main',
      status: 'PENDING',
      provider_id: id,
      last_push: null,
      last_push_at: null,
      rows: 0,
      digest: null,
      pending: null,
    });
    expect(await stored('DataSource', value.id)).toMatchObject({
      id: value.id,
      name: 'Main',
      status: 'PENDING',
      key: value.id,
      provider: 'Code host',
    });
    expect(await eventsOf(value.id)).toEqual([
      {
        event_type: 'DATASOURCE_CREATED',
        entity: 'DATASOURCE',
        entity_name: 'Main',
        provider_id: id,
        severity: 'INFO',
      },
    ]);
  });

  test('is refused for a name taken in the provider; another provider may have it', async () => {
    const [first, second] = [await register('First'), await register('Second')];
    const create = ({ id }: { id: string }) =>
      service.post(`${PROVIDERS}/${id}/datasources`, { id, name: 'Main' });
    expect((await create(first)).status).toBe(200);
    expect((await create(second)).status).toBe(200);
    const again = await create(first);
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject({
      details: [{ field_violations: [{ field: 'name', code: 'NAME_TAKEN' }] }],
    });
  });

  test('is refused with blanks at the ends, or if only blanks differ from another name of the provider', async () => {
    const { id } = await register('Blanks');
    const create = (name: string) => service.post(`${PROVIDERS}/${id}/datasources`, { id, name });
    await create('Two words').expect(200);
    for (const name of ['Two words ', 'Two  words', ' Of nobody']) {
      const answer = await create(name);
      expect([name, answer.status, answer.text]).toEqual([
        name,
        400,
        expect.stringMatching(/blanks.*: send (that|the) name/) as string,
      ]);
    }
    await create('Twowords').expect(200);
  });

  test('below a provider whose name has blanks of an earlier time goes on to work', async () => {
    const { id } = await register('Of before');
    const old = 'Of  before ';
    const session = service.graph.driver.session({ database: service.graph.database });
    await session.run('MATCH (p:Provider {key: $id}) SET p.name = $old', { id, old });
    await session.close();
    const again = await service.post(PROVIDERS, { name: old, custom_template: 'application' });
    expect([again.status, again.text]).toEqual([
      400,
      expect.stringContaining('NAME_TAKEN') as string,
    ]);
    const created = await service
      .post(`${PROVIDERS}/${id}/datasources`, { id, name: old })
      .expect(200);
    const { value } = created.body as Registered;
    await service
      .post(`${PROVIDERS}/${id}/datasources/${value.id}:push`, {
        id,
        data_source_id: value.id,
        json_data: JSON.stringify({
          applications: [{ name: 'A', application_type: 'a', local_users: [{ name: 'ann' }] }],
        }),
      })
      .expect(200);
  });

  test('is refused when the id in the body is not the one in the path', async () => {
    const { id } = await register('Path');
    const answer = await service.post(`${PROVIDERS}/${id}/datasources`, { id: 'x', name: 'Main' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: [{ field_violations: [{ field: 'id', pointer: '/id', code: 'ID_MISMATCH' }] }],
    });
  });

  test('is 404 below an unknown provider, before its body is judged', async () => {
    const answer = await service.post(`${PROVIDERS}/nobody/datasources`, 'not json');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'NotFound', details: [] });
  });
});

test.each([
  ['put', PROVIDERS, 'GET, POST'],
  ['post', `${PROVIDERS}/templates`, 'GET'],
  ['post', `${PROVIDERS}/x`, 'GET, PATCH, DELETE'],
  ['get', `${PROVIDERS}/x:icon`, 'POST'],
  ['delete', `${PROVIDERS}/x/datasources`, 'GET, POST'],
  ['post', `${PROVIDERS}/x/datasources/y`, 'GET, DELETE'],
  ['put', `${PROVIDERS}/x/datasources/y:push`, 'POST'],
  ['get', `${PROVIDERS}/x/datasources/y:plan`, 'POST'],
  ['get', `${PROVIDERS}/x/datasources/y:verify`, 'POST'],
] as const)('%s %s is 405 and says what is allowed', async (method, path, allowed) => {
  const answer = await supertest(service.app)
    [method](path)
    .set('authorization', `Bearer ${API_KEY}`);
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe(allowed);
  expect(answer.body).toHaveProperty('code');
});

test.each([
  '/nothing',
  '/api/v1/nothing',
  '/api/v1/__proto__',
  `${PROVIDERS}/x:paint`,
  `${PROVIDERS}/x/datasources/y:pull`,
])('%s is 404', async (path) => {
  const answer = await service.post(path, {});
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: 'NotFound', details: [] });
});

test('a path that is no percent-encoding is 400', async () => {
  const answer = await service.post(`${PROVIDERS}/%E0%A4%A/datasources`, {});
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: 'InvalidArgument' });
});

test('a provider has so many data sources and no more, also if they are created at once', async () => {
  const few = await serviceUnderTest({ dataSources: 3 });
  const created = await few.post(PROVIDERS, { name: 'Few', custom_template: 'application' });
  const { id } = (created.body as Registered).value;
  const path = `${PROVIDERS}/${id}/datasources`;
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map(async (number) => few.post(path, { id, name: `source ${number}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409]);
  const [made] = answers.filter(({ status }) => status === 200);
  const refused = await few.post(path, { id, name: 'one more' });
  expect([refused.status, (refused.body as { message: string }).message]).toEqual([
    409,
    'The provider has 3 data sources, as many as one may have. Delete those that nothing pushes to.',
  ]);
  const one = (made?.body as Registered).value.id;
  expect((await few.send('delete', `${path}/${one}`)).status).toBe(200);
  expect((await few.post(path, { id, name: 'one more' })).status).toBe(200);
  await few.close();
});
