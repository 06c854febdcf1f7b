import { ask } from '../../src/neo4j/ask';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const push = async (to: RegisteredIds, payload: object): Promise<readonly string[]> => {
  const sent = { id: to.id, data_source_id: to.data_source_id, json_data: JSON.stringify(payload) };
  const answer = await service.post(to.path, sent);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as { warnings: readonly { code: string }[] }).warnings.map(
    ({ code }) => code,
  );
};

const directory = (users: readonly object[]) => ({
  name: 'Directory',
  idp_type: 'x',
  domains: [{ name: 'x.example' }],
  users,
});

const employee = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  employee_number: id,
  first_name: name,
  last_name: 'X',
  is_active: true,
  employment_status: 'ACTIVE',
  ...more,
});

const staff = (...employees: readonly object[]) => ({
  name: 'HR',
  hris_type: 'x',
  system: { id: 's', name: 's' },
  employees,
});

const joined = (source: RegisteredIds) =>
  ask(
    service.graph,
    'MATCH (e:Employee {data_source: $id})-[:HAS_ACCOUNT]->(u) RETURN e.name + " " + u.name AS pair ORDER BY pair',
    { id: source.data_source_id },
  ).then((rows) => rows.map(({ pair }) => pair));

test('the number of an employee that is by chance an id of the directory joins nobody; the push warns', async () => {
  const [idp, hr] = [await service.register(), await service.register('hris')];
  const bea = { name: 'bea', identity: '10321', email: 'bea@x.example' };
  await push(idp, directory([bea]));
  const people = staff(
    employee('10321', 'Abe'),
    employee('10399', 'Bea', { email: 'bea@x.example' }),
    employee('7', 'Carl'),
  );
  expect(await push(hr, people)).toEqual(['DOUBTFUL_ACCOUNT']);
  expect(await joined(hr)).toEqual(['Bea bea']);
  expect(await push(hr, people)).toEqual([]);

  // Once a name agrees, they are joined; once it differs again, they are not.
  await push(idp, directory([{ ...bea, full_name: 'ABE' }]));
  expect(await joined(hr)).toEqual(['Abe bea', 'Bea bea']);
  await push(idp, directory([{ ...bea, full_name: 'bea lund' }]));
  expect(await joined(hr)).toEqual(['Bea bea']);
  const renamed = employee('10321', 'Abe', { display_full_name: 'bea lund' });
  expect(await push(hr, staff(renamed))).toEqual([]);
  expect(await joined(hr)).toEqual(['Abe bea']);
  expect(await push(hr, staff(employee('10321', 'Abe', { idp_id: '10321' })))).toEqual([]);
  expect(await joined(hr)).toEqual(['Abe bea']);
});
