/** @more access */

import { rowsOf, type TokenPage } from '../../src/questions/access/access-lists';
import { testDriver, testNeo4j } from '../support/neo4j';
import { keyOf, pushCompany } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let nadia: string;
let motor: string;
const driver = testDriver();

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  nadia = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  motor = await keyOf(service, 'Resource', 'Firmware.motor-control');
});
afterAll(async () => {
  await service.close();
  await driver.close();
});

type Fields = Readonly<Record<string, unknown>>;

interface Told extends Fields {
  readonly values: readonly (Fields & { readonly id: string })[];
  readonly value: Fields;
  readonly cypher: { readonly query: string; readonly parameters: Fields };
}

const asked = async (path: string, query: Readonly<Record<string, string>>): Promise<Told> => {
  const search = new URLSearchParams({ ...query, cypher: 'true' }).toString();
  const { status, body } = (await service.send('get', `/api/v1/${path}?${search}`)) as {
    status: number;
    body: unknown;
  };
  expect(status).toBe(200);
  return body as Told;
};

/** A map of Cypher, as people paste it behind `:params`. */
const written = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${name}: ${written(each)}`);
  return `{${entries.join(', ')}}`;
};

/** The rows that the told query gives in Neo4j, with parameters as `:params` sets them. */
const rowsOfTold = async ({ cypher: { query, parameters } }: Told): Promise<readonly Fields[]> => {
  const { database } = testNeo4j();
  const set = await driver.executeQuery(`RETURN ${written(parameters)} AS all`, {}, { database });
  const all = set.records[0]?.get('all') as Fields;
  const { records } = await driver.executeQuery(query, all, { database });
  return records.map((record) => record.toObject());
};

test.each([
  { filter: 'name co "a"', page_size: '7' },
  { label: 'LocalUser', order_by: 'last_login_at desc', page_size: '5' },
  { filter: 'since gt "2020-01-01T00:00:00Z"', label: 'IdpUser' },
  { filter: 'email eq "no such"' },
])('the query of a search gives its page: %j', async (query) => {
  const told = await asked('entities', query);
  const keys = (await rowsOfTold(told)).map(({ properties }) =>
    new Map(properties as [string, unknown][]).get('key'),
  );
  expect(keys).toEqual(told.values.map(({ id }) => id));
});

test('the query of the next page gives that page', async () => {
  const query = { label: 'LocalUser', order_by: 'since', page_size: '3' };
  const { next_page_token } = await asked('entities', query);
  const told = await asked('entities', { ...query, page_token: String(next_page_token) });
  const rows = await rowsOfTold(told);
  expect(rows.map(({ name }) => name)).toEqual(told.values.map(({ name }) => name));
});

test.each(['principal', 'resource'] as const)(
  'the query of a list of access gives its page, by %s',
  async (of) => {
    for (const more of [
      {},
      { permission_type: 'DataRead', page_size: '2' },
      { order_by: 'largest_application' },
      { order_by: 'largest_application desc', entities: of === 'resource' ? 'true' : '' },
    ]) {
      const told = await asked('access', { [of]: of === 'principal' ? nadia : motor, ...more });
      const [row] = await rowsOfTold(told);
      const listed = rowsOf(row as unknown as TokenPage);
      expect(Number(row?.total)).toBe(told.total);
      expect(listed.map(({ about, permissions }) => [about.id, permissions])).toEqual(
        told.values.map(({ id, permissions }) => [
          id,
          (permissions as Fields[]).map(({ name, permission_type }) => ({ name, permission_type })),
        ]),
      );
    }
  },
);

test.each([{ permission_type: 'DataWrite' }, { permission: 'push TAG' }, { permission: 'none' }])(
  'the query of a check gives its answer: %j',
  async (what) => {
    const told = await asked('access:check', {
      principal: nadia,
      resource: motor,
      ...(what as Record<string, string>),
    });
    expect(await rowsOfTold(told)).toEqual([told.value]);
  },
);

test('the query of an explanation gives what its paths are made of', async () => {
  const told = await asked('access:explain', { principal: nadia, resource: motor });
  const [row] = await rowsOfTold(told);
  const { paths } = told.value as { paths: { hops: { id: string; relationship: string }[] }[] };
  const types = new Set((row?.ways as string[][]).map(([, , type]) => type));
  const told_types = paths.flatMap(({ hops }) => hops.slice(1).map((hop) => hop.relationship));
  expect(told_types.length).toBeGreaterThan(0);
  expect([...types]).toEqual(expect.arrayContaining(told_types));
});

test.each(['principal', 'resource'] as const)(
  'the query of reviewers gives their reasons, by %s',
  async (of) => {
    const id = of === 'principal' ? nadia : motor;
    const told = await asked('reviewers', { [of]: id });
    const reasons = (await rowsOfTold(told))
      .map(({ about, why, through }) => [(about as Fields).id, why, (through as Fields).id])
      .filter(([reviewer]) => reviewer !== id);
    const wanted = told.values.flatMap((reviewer) =>
      (reviewer.reasons as { type: string; of: Fields }[]).map((reason) => [
        reviewer.id,
        reason.type,
        reason.of.id,
      ]),
    );
    expect(wanted.length).toBeGreaterThan(0);
    expect(reasons.toSorted()).toEqual(wanted.toSorted());
  },
);

test('without the parameter there is no query', async () => {
  const { body } = (await service.send('get', '/api/v1/entities?page_size=1')) as { body: unknown };
  expect(body).not.toHaveProperty('cypher');
});
