/** @more erasure */

import { ask } from '../../src/neo4j/ask';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeEach(async () => {
  service = await serviceUnderTest();
});
afterEach(() => service.close());

const PATH = '/api/v1/erase';
const ANN = 'ann.x1@corp.example';

const directory = (...names: readonly string[]): string =>
  JSON.stringify({
    domains: [{ name: 'corp.example' }],
    users: names.map((name) => ({ name, email: name })),
  });

const pushed = async (...names: readonly string[]) => {
  const source = await service.register('identity_provider');
  const { path, ...ids } = source;
  await service.post(path, { ...ids, json_data: directory(...names) }).expect(200);
  return source;
};

interface Told {
  readonly erased: boolean;
  readonly confirmation: string;
  readonly [field: string]: unknown;
}

const planned = async (principal: string): Promise<Told> =>
  ((await service.post(PATH, { principal }).expect(200)).body as { readonly value: Told }).value;

const confirmed = (principal: string, token: string) =>
  service.post(PATH, { principal }).set('Grantgraph-Confirm-Removal', token);

const people = async (): Promise<readonly unknown[]> =>
  (await ask(service.graph, 'MATCH (u:IdpUser) RETURN u.name AS name ORDER BY name')).map(
    ({ name }) => name,
  );

test('the plan changes nothing; its token erases, once', async () => {
  const source = await pushed(ANN, 'bob');
  const plan = await planned(ANN);
  expect(plan).toMatchObject({
    erased: false,
    names: [ANN],
    shared_names: [],
    removed: 1,
    changed: 0,
    person: [`${source.data_source_id}|IdpUser|${ANN}`],
    entities: {
      total: 1,
      truncated: false,
      values: [{ label: 'IdpUser', name: ANN, change: 'removed', loses: [] }],
    },
    kept: { total: 0, truncated: false, values: [] },
  });
  expect(await people()).toEqual([ANN, 'bob']);
  const done = await confirmed(ANN, plan.confirmation).expect(200);
  expect(done.body).toEqual({ value: { ...plan, erased: true } });
  expect(await people()).toEqual(['bob']);
  const again = await confirmed(ANN, plan.confirmation);
  expect([again.status, again.body]).toEqual([404, expect.objectContaining({ code: 'NotFound' })]);
});

test('the event of an erasure tells who did it and how much, and names nobody', async () => {
  await pushed(ANN, 'bob');
  const { confirmation } = await planned(ANN);
  await confirmed(ANN, confirmation).expect(200);
  const { events } = (await service.send('get', '/api/v1/events').expect(200)).body as {
    readonly events: readonly Readonly<Record<string, unknown>>[];
  };
  const event = events.find(({ event_type }) => event_type === 'PERSON_ERASED');
  expect(event).toMatchObject({
    severity: 'INFO',
    name: 'Person erased',
    category: 'SYSTEM',
    entity: 'SERVICE',
    message: expect.stringContaining('1 row removed') as unknown,
    metadata: { removed: 1, changed: 0, by: { name: 'API_KEY' } },
  });
  expect(JSON.stringify(events)).not.toContain('ann.x1');
  expect(service.logged.map((line) => JSON.stringify(line)).join('\n')).not.toContain('ann.x1');
});

test('a token that no plan has returned erases nothing', async () => {
  const { path, ...ids } = await pushed(ANN);
  const { confirmation } = await planned(ANN);
  await service.post(path, { ...ids, json_data: directory(ANN, 'bob') }).expect(200);
  for (const token of ['', 'x', 'f'.repeat(64)]) {
    const answer = await confirmed(ANN, token);
    expect([answer.status, answer.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'FailedPrecondition',
        message: expect.stringContaining('nothing was erased') as unknown,
      }),
    ]);
  }
  expect(await people()).toEqual([ANN, 'bob']);
  // Bob is none of ann's concern.
  await confirmed(ANN, confirmation).expect(200);
});

test.each([
  [{}, 'MISSING_FIELD'],
  [{ principal: '' }, 'EMPTY'],
  [{ principal: 7 }, 'WRONG_TYPE'],
  [{ principal: ANN, force: true }, 'UNKNOWN_FIELD'],
  [{ principal: 'x'.repeat(2_000) }, 'TOO_LONG'],
])('%j is refused', async (body, code) => {
  const answer = await service.post(PATH, body);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(code)]);
});

test('a name of several people is refused, with their keys and what tells them apart', async () => {
  const [one, two] = [await pushed('Zed'), await pushed('zed')];
  const answer = await service.post(PATH, { principal: 'ZED' });
  expect(answer.status).toBe(400);
  for (const { data_source_id } of [one, two]) expect(answer.text).toContain(data_source_id);
  expect(answer.text).toContain('AMBIGUOUS_REFERENCE');
  const same = await service.post(PATH, { principal: 'Zed', also: [] });
  expect(JSON.parse(same.text)).toMatchObject({
    details: [
      {
        field_violations: [
          {
            description: expect.stringMatching(
              /IdpUser "[Zz]ed" \(key "[^"]+"\), IdpUser "[Zz]ed" \(key "[^"]+"\); name one by its key/,
            ) as unknown,
          },
        ],
      },
    ],
  });
});

test('only a key with admin and without limits erases', async () => {
  const source = await pushed(ANN);
  const keyWith = async (scopes: readonly string[], providers: readonly string[] = []) =>
    (
      (await service.post('/api/preview/teamkeys', { name: 'k', scopes, providers }).expect(200))
        .body as { readonly value: { readonly access_key: string } }
    ).value.access_key;
  const statusWith = async (key: string): Promise<number> =>
    (await service.post(PATH, { principal: ANN }).set('authorization', `Bearer ${key}`)).status;
  expect(await statusWith(await keyWith(['push', 'read']))).toBe(403);
  expect(await statusWith(await keyWith(['push'], [source.id]))).toBe(403);
  expect(await statusWith(await keyWith(['admin']))).toBe(200);
  expect(await people()).toEqual([ANN]);
});

test('a list that was read before an erasure shows nobody after it', async () => {
  await pushed(ANN, 'bob', 'carl');
  const list = async (token = ''): Promise<string> =>
    (
      await service
        .send('get', `/api/v1/entities?label=IdpUser&page_size=1${token && `&page_token=${token}`}`)
        .expect(200)
    ).text;
  const first = JSON.parse(await list()) as { readonly next_page_token: string };
  const { confirmation } = await planned('bob');
  await confirmed('bob', confirmation).expect(200);
  expect(await list(first.next_page_token)).not.toContain('"bob"');
});
