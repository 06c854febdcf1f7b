import { testDriver, testNeo4j } from '../support/neo4j';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeEach(async () => {
  service = await serviceUnderTest();
});
afterEach(() => service.close());

const EVENTS = '/api/v1/events';

interface Event {
  readonly id: string;
  readonly timestamp: string;
  readonly event_type: string;
  readonly message: string;
}

interface Page {
  readonly events: readonly Event[];
  readonly next_page_token: string;
  readonly has_more: boolean;
}

const read = async (query: Readonly<Record<string, string>> = {}, path = EVENTS): Promise<Page> => {
  const answer = await service.send('get', path).query(query);
  expect(answer.status).toBe(200);
  return answer.body as Page;
};

const types = async (query: Readonly<Record<string, string>> = {}): Promise<readonly string[]> =>
  (await read({ order_by: 'timestamp', ...query })).events.map(({ event_type }) => event_type);

/** Follows the pages as clients do. */
const everyPage = async (
  query: Readonly<Record<string, string>>,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly Event[]> => {
  const events: Event[] = [];
  for (let token = ''; ;) {
    const page = await read({ ...query, page_token: token });
    events.push(...page.events);
    expect(page.has_more).toBe(page.next_page_token !== '');
    if (!page.has_more) return events;
    expect(page.next_page_token).not.toBe(token);
    token = page.next_page_token;
    await between();
  }
};

/** Writes so many events of each moment. */
const happened = async (moments: readonly string[], each: number): Promise<void> => {
  const driver = testDriver();
  await driver.executeQuery(
    `UNWIND $moments AS moment UNWIND range(1, $each) AS index
     WITH moment, randomUUID() AS id, index
     CREATE (:Event {key: id, id: id, timestamp: datetime(moment), category: 'SYSTEM', severity: 'INFO', name: 'Clock', fold_name: 'clock', message: moment, fold_message: moment,
       event_type: 'TICK', entity: 'PROVIDER', entity_id: 'p' + (index % 2), entity_name: 'Clock', fold_entity_name: 'clock', provider_id: 'p' + (index % 2), metadata: '{}'})`,
    { moments, each },
    { database: testNeo4j().database },
  );
  await driver.close();
};

const pushTo = ({ path, ...ids }: RegisteredIds, payload: unknown) =>
  service.post(path, { ...ids, json_data: JSON.stringify(payload) });

const APPLICATION = {
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: [{ name: 'a' }],
      local_roles: [{ name: 'empty' }],
    },
  ],
};

test('each thing that happens is listed, newest first, with all that is known of it', async () => {
  const ids = await service.register('application');
  await pushTo(ids, APPLICATION);
  await pushTo(ids, APPLICATION);
  const refused = await pushTo(ids, { applications: 7 });

  expect(await types()).toEqual([
    'PROVIDER_REGISTERED',
    'DATASOURCE_CREATED',
    'PUSH_ACCEPTED',
    'PUSH_WARNED',
    'PUSH_UNCHANGED',
    'PUSH_WARNED',
    'PUSH_REFUSED',
  ]);
  const { events } = await read();
  // As texts they compare once their fractions are of one length.
  const times = events.map(({ timestamp }) =>
    timestamp.replace(
      /(?:\.(\d+))?Z$/,
      (_end, fraction = '') => `.${String(fraction).padEnd(9, '0')}`,
    ),
  );
  expect(times).toEqual([...times].sort().reverse());
  expect(events.at(-1)).toMatchObject({ event_type: 'PROVIDER_REGISTERED' });
  expect(await read({}, '/api/preview/events')).toEqual(await read());

  const of = (type: string): unknown => events.find(({ event_type }) => event_type === type);
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  const requestId = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
  const common = {
    id: uuid,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    category: 'INTEGRATIONS',
    entity: 'DATASOURCE',
    entity_id: ids.data_source_id,
    entity_name: 'Main',
    provider_id: ids.id,
    error: null,
  };
  const address = expect.stringContaining('127.0.0.1') as string;
  const by = { key_id: null, name: 'API_KEY', address };
  expect(of('PUSH_WARNED')).toEqual({
    ...common,
    severity: 'WARNING',
    name: 'OAA push',
    message: 'A push to data source "Main" has 1 warning.',
    event_type: 'PUSH_WARNED',
    metadata: {
      request_id: requestId,
      by,
      push_id: uuid,
      warning_count: 1,
      warnings: [
        {
          message: 'Role is missing permission (local role "empty" of application "Wiki")',
          code: 'EMPTY_ROLE',
          pointer: '/applications/0/local_roles/0',
          subject: { kind: 'local role', name: 'empty', application: 'Wiki' },
        },
      ],
    },
  });
  expect(of('PUSH_REFUSED')).toEqual({
    ...common,
    severity: 'ERROR',
    name: 'OAA push',
    message: 'A push to data source "Main" is refused: 1 problem.',
    event_type: 'PUSH_REFUSED',
    metadata: { request_id: refused.headers['x-request-id'] as string, by, push_id: uuid },
    error: {
      reason: 'InvalidArgument',
      message: (refused.body as { message: string }).message,
      metadata: {
        problem_count: 1,
        problems: [
          {
            pointer: '/applications',
            code: 'WRONG_TYPE',
            message: expect.any(String) as string,
          },
        ],
      },
      resolution: expect.any(String) as string,
      request_id: refused.headers['x-request-id'] as string,
    },
  });
  // A deletion takes the events before it along.
  await service.send('delete', `/api/v1/providers/custom/${ids.id}`).expect(200);
  expect(await types()).toEqual(['DATASOURCE_DELETED', 'PROVIDER_DELETED']);
  const page = await read();
  expect((page as unknown as { values: unknown }).values).toEqual(page.events);
  expect(page.events[0]).toMatchObject({
    severity: 'INFO',
    entity: 'PROVIDER',
    entity_id: ids.id,
    provider_id: ids.id,
  });
});

describe('paging', () => {
  const MOMENTS = [
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000000001Z',
    '2026-01-02T00:00:00Z',
  ];

  test('gives each event once, also of one moment, while others come', async () => {
    await happened(MOMENTS, 7);
    let later = 0;
    const events = await everyPage({ page_size: '4' }, async () => {
      later += 1;
      await happened([`2026-02-01T00:00:00.${later}Z`], 2);
    });
    expect(events).toHaveLength(21);
    expect(new Set(events.map(({ id }) => id)).size).toBe(21);
    expect(events.map(({ timestamp }) => timestamp)).toEqual(
      [...MOMENTS].reverse().flatMap((moment) => Array<string>(7).fill(moment)),
    );
  });

  test('goes the other way when asked to', async () => {
    await happened(MOMENTS, 3);
    const [newest, oldest] = [
      await everyPage({ page_size: '2', order_by: 'timestamp desc' }),
      await everyPage({ page_size: '2', order_by: 'timestamp' }),
    ];
    expect(oldest).toEqual([...newest].reverse());
    expect(oldest.map(({ timestamp }) => timestamp)).toEqual(
      MOMENTS.flatMap((moment) => Array<string>(3).fill(moment)),
    );
  });

  test('gives at most 100, and says that there are more', async () => {
    await happened(['2026-01-01T00:00:00Z'], 105);
    for (const query of [{}, { page_size: '250' }] as const) {
      const first = await read(query);
      expect(first.events).toHaveLength(100);
      expect(first.has_more).toBe(true);
      const second = await read({ ...query, page_token: first.next_page_token });
      expect(second.events).toHaveLength(5);
      expect(second).toMatchObject({ has_more: false, next_page_token: '' });
    }
  });

  test('holds to what the filter meant on the first page', async () => {
    await happened(['2026-01-01T00:00:00Z'], 5);
    expect(await everyPage({ page_size: '2', filter: 'name eq "CLOCK"' })).toHaveLength(5);
  });

  test.each([
    ['nonsense', 'is no token'],
    [Buffer.from('["a","b","0"]').toString('base64url'), 'of no time'],
    [Buffer.from('["2026-01-01T00:00:00Z","b","7"]').toString('base64url'), 'of another filter'],
  ])('refuses the token %s, which %s', async (page_token) => {
    const answer = await service.send('get', EVENTS).query({ page_token });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: [{ field_violations: [{ pointer: '/page_token', code: 'BAD_PAGE_TOKEN' }] }],
    });
  });
});

describe('a filter', () => {
  test.each([
    ['event_type eq "PUSH_REFUSED"', ['PUSH_REFUSED']],
    ['severity eq error', ['PUSH_REFUSED']],
    ['severity ne "INFO"', ['PUSH_REFUSED']],
    ['message co "REFUSED"', ['PUSH_REFUSED']],
    ['event_type sw "PUSH" and severity eq "INFO"', ['PUSH_ACCEPTED']],
    ['entity eq "DATASOURCE"', ['DATASOURCE_CREATED', 'PUSH_ACCEPTED', 'PUSH_REFUSED']],
    ['timestamp lt "2020-01-01T00:00:00Z"', []],
    [
      'name eq "Provider registered" and timestamp ge 2020-01-01T01:00:00+01:00',
      ['PROVIDER_REGISTERED'],
    ],
    ['entity_name eq "nobody"', []],
  ])('%s', async (filter, expected) => {
    const ids = await service.register();
    await pushTo(ids, { name: 'd', idp_type: 't', domains: [{ name: 'd' }] });
    await pushTo(ids, {});
    expect(await types({ filter })).toEqual(expected);
  });

  test('finds the name of a provider as it was given, whatever it holds', async () => {
    const name = `It's "so" and name eq "x" = (a:b)!`;
    await service.register();
    await service.post('/api/v1/providers/custom', { name, custom_template: 'application' });
    expect(await types({ filter: `entity_name eq "${name}"` })).toEqual(['PROVIDER_REGISTERED']);
  });

  test.each(['metadata co "a"', 'nonsense', 'timestamp co "2026"', 'timestamp ge "yesterday"'])(
    '%s is refused',
    async (filter) => {
      const answer = await service.send('get', EVENTS).query({ filter });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        details: [{ field_violations: [{ pointer: '/filter', code: 'BAD_FILTER' }] }],
      });
    },
  );
});

test.each(['post', 'delete'] as const)('%s is not for events', async (method) => {
  const answer = await service.send(method, EVENTS);
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe('GET');
});
