/** @more pushes */

import { ask } from '../../src/neo4j/ask';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let people: RegisteredIds;
let directory: RegisteredIds;

const employee = (id: string, more: object = {}): object => ({
  id,
  name: id,
  employee_number: id,
  first_name: id,
  last_name: id,
  is_active: true,
  employment_status: 'ACTIVE',
  ...more,
});
const system = { id: 'hr', name: 'HR' };
const groups = [{ id: 'sales', name: 'Sales', group_type: 'department' }];
const staff = {
  name: 'People',
  hris_type: 'workday',
  system,
  groups,
  employees: [
    employee('E1', { email: 'Ann@x', department: { id: 'sales' }, managers: [{ id: 'E2' }] }),
    employee('E2', { idp_id: 'U-2', email: 'nobody@x', managers: [{ id: 'E2' }] }),
    employee('E3', { groups: [{ id: 'sales' }], cost_center: { id: 'sales' } }),
  ],
};
const users = {
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  users: [
    { name: 'ann', email: 'ann@x' },
    { name: 'bob', identity: 'u-2', email: 'bob@x' },
    { name: 'e3' },
  ],
};

type Body = Readonly<Record<string, unknown>>;

const post = (verb: string, { path, ...ids }: RegisteredIds, payload: object) =>
  service.post(path.replace(/:push$/, `:${verb}`), { ...ids, json_data: JSON.stringify(payload) });

const accept = async (ids: RegisteredIds, payload: object, verb = 'push'): Promise<Body> => {
  const answer = await post(verb, ids, payload);
  expect(answer.body).not.toHaveProperty('details');
  expect(answer.status).toBe(200);
  return answer.body as Body;
};

const increment = (more: object): object => ({ incremental_change: true, ...more });

/** Every relationship that leads from an employee, and what the employee has. */
const stated = async (): Promise<readonly string[]> => {
  const rows = await ask(
    service.graph,
    'MATCH (e:Employee)-[r]->(other) RETURN e.id + " " + type(r) + " " + other.name AS told ORDER BY told',
  );
  return rows.map(({ told }) => String(told));
};

const accounts = async (): Promise<readonly string[]> =>
  (await stated()).filter((one) => one.includes(' HAS_ACCOUNT '));

const ALL_ACCOUNTS = ['E1 HAS_ACCOUNT ann', 'E2 HAS_ACCOUNT bob', 'E3 HAS_ACCOUNT e3'];

const expectSound = async (): Promise<void> => {
  for (const ids of [people, directory]) {
    expect(await accept(ids, {}, 'verify')).toMatchObject({
      sound: true,
      findings: { total: 0, values: [] },
    });
  }
};

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());
beforeEach(async () => {
  for (const { path } of [people, directory].filter((ids) => ids !== undefined)) {
    await service.send('delete', path.replace(/:push$/, ''));
  }
  people = await service.register('hris');
  directory = await service.register('identity_provider');
});

test('an HR system is registered and pushed; pushed again, in another order, nothing changes', async () => {
  const templates = await service.send('get', '/api/v1/providers/custom/templates');
  expect((templates.body as { values: readonly { name: string }[] }).values).toContainEqual(
    expect.objectContaining({ name: 'hris' }),
  );
  expect(await accept(people, staff)).toMatchObject({ warnings: [], unchanged: false });
  expect(await stated()).toEqual([
    'E1 IN_DEPARTMENT Sales',
    'E1 MANAGED_BY E2',
    'E3 IN_COST_CENTER Sales',
    'E3 MEMBER_OF Sales',
  ]);
  const [found] = await ask(
    service.graph,
    `MATCH (s:HrisSystem)-[:FROM]->(d:DataSource)
     RETURN s.name AS name, s.hris_name AS said, s.hris_type AS type, d.key = $id AS is_ours`,
    { id: people.data_source_id },
  );
  expect(found).toEqual({ name: 'HR', said: 'People', type: 'workday', is_ours: true });

  expect(await accept(people, staff)).toMatchObject({ unchanged: true });
  const turned = { ...staff, employees: [...staff.employees].reverse() };
  expect(await accept(people, turned)).toMatchObject({ unchanged: true });
  await expectSound();
});

test.each([
  ['before', true],
  ['after', false],
])('employees have the accounts of a directory that is pushed %s them', async (_when, isBefore) => {
  const pushes = [() => accept(directory, users), () => accept(people, staff)];
  for (const push of isBefore ? pushes : pushes.reverse()) await push();
  expect(await accounts()).toEqual(ALL_ACCOUNTS);
  await expectSound();
});

test('accounts come and go with what either end says', async () => {
  await accept(people, staff);
  await accept(directory, users);
  await accept(directory, increment({ users: [{ name: 'e3', operation: 'delete' }] }));
  expect(await accounts()).toEqual(ALL_ACCOUNTS.slice(0, 2));
  // Known by its email and by its id alike.
  const moved = increment({ employees: [{ id: 'E2', idp_id: 'BOB@X', operation: 'modify' }] });
  await accept(people, moved);
  expect(await accounts()).toEqual(ALL_ACCOUNTS.slice(0, 2));
  // Without `idp_id` the email decides, and nobody has that.
  await accept(people, increment({ employees: [{ id: 'E2', idp_id: '', operation: 'modify' }] }));
  expect(await accounts()).toEqual(ALL_ACCOUNTS.slice(0, 1));
  await expectSound();
});

test('an increment adds, modifies and deletes employees, and renames the system', async () => {
  await accept(directory, users);
  await accept(people, staff);
  await accept(
    people,
    increment({
      system: { id: 'hr', name: 'Human Resources', operation: 'modify' },
      employees: [
        { ...employee('E4', { email: 'bob@x', managers: [{ id: 'E1' }] }), operation: 'add' },
        {
          id: 'E3',
          employment_status: 'TERMINATED',
          department: { id: 'sales' },
          operation: 'modify',
        },
        { id: 'E2', operation: 'delete' },
      ],
    }),
  );
  expect(await stated()).toEqual([
    'E1 HAS_ACCOUNT ann',
    'E1 IN_DEPARTMENT Sales',
    'E3 HAS_ACCOUNT e3',
    'E3 IN_COST_CENTER Sales',
    'E3 IN_DEPARTMENT Sales',
    'E3 MEMBER_OF Sales',
    'E4 HAS_ACCOUNT bob',
    'E4 MANAGED_BY E1',
  ]);
  const systems = await ask(
    service.graph,
    'MATCH (n:HrisSystem|Employee|HrisGroup) RETURN DISTINCT n.system AS name',
  );
  expect(systems).toEqual([{ name: 'Human Resources' }]);
  await expectSound();
});

interface Line {
  readonly principal_label: string;
  readonly name: string;
  readonly drawn_together: readonly string[];
}

test('an employee gains what its accounts gain, and is the one person of them', async () => {
  const wiki = await service.register('application');
  await accept(wiki, {
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        local_users: [
          { name: 'ann of wiki', identities: ['ann@x'] },
          { name: 'bob of wiki', identities: ['bob@x'] },
        ],
      },
    ],
    permissions: [{ name: 'view' }],
    identity_to_permissions: ['ann of wiki', 'bob of wiki'].map((identity) => ({
      identity,
      identity_type: 'local_user',
      application_permissions: [
        { application: 'wiki', permission: 'view', apply_to_application: true },
      ],
    })),
  });
  await accept(directory, users);
  const resource = `${wiki.data_source_id}|Application|wiki`;
  const list = async (): Promise<readonly string[]> => {
    const query = new URLSearchParams({ resource, person: 'true' }).toString();
    const answer = await service.send('get', `/api/v1/access?${query}`);
    expect(answer.status).toBe(200);
    const { values } = answer.body as { readonly values: readonly Line[] };
    return values.map(
      ({ principal_label, name, drawn_together }) =>
        `${principal_label} ${name}: ${drawn_together.map((key) => key.replace(/^[^|]*-[^|]*\|/, '')).join(', ')}`,
    );
  };
  const bob = 'IdpUser bob: Identity|bob@x, LocalUser|wiki|bob of wiki';
  expect(await list()).toEqual(['IdpUser ann: Identity|ann@x, LocalUser|wiki|ann of wiki', bob]);
  await accept(people, { system, employees: [employee('E1', { email: 'ann@x' })] });
  expect(await list()).toEqual([
    'Employee E1: IdpUser|ann, Identity|ann@x, LocalUser|wiki|ann of wiki',
    bob,
  ]);
  const principal = `${people.data_source_id}|Employee|E1`;
  const query = new URLSearchParams({ principal, resource, permission: 'view' }).toString();
  const check = await service.send('get', `/api/v1/access:check?${query}`);
  expect(check.body).toMatchObject({ value: { allowed: true } });
  const explained = await service.send('get', `/api/v1/access:explain?${query}`);
  expect(JSON.stringify(explained.body)).toContain('HAS_ACCOUNT');
  await service.send('delete', wiki.path.replace(/:push$/, ''));
});

test('a plan tells the accounts that employees would gain', async () => {
  await accept(directory, users);
  const planned = await accept(people, staff, 'plan');
  expect(planned).toMatchObject({
    unchanged: false,
    nodes: { created: 5 },
    derived_relationships: { created: 3, removed: 0 },
  });
  expect(await accounts()).toEqual([]);
});

test.each<[string, object, object]>([
  ['no system', { ...staff, system: null }, { pointer: '/system', code: 'MISSING_FIELD' }],
  [
    'an employee without a status',
    { system, employees: [{ ...employee('E1'), employment_status: null }] },
    { pointer: '/employees/0/employment_status', code: 'MISSING_FIELD' },
  ],
  [
    'an unknown manager',
    { system, employees: [employee('E1', { managers: [{ id: 'E1' }, { id: 'E9' }] })] },
    { pointer: '/employees/0/managers/1/id', code: 'UNKNOWN_REFERENCE' },
  ],
  ['a list of systems', { ...staff, system: [system] }, { pointer: '/system', code: 'WRONG_TYPE' }],
])('a push is refused that has %s', async (_what, payload, problem) => {
  const answer = await post('push', people, payload);
  expect(answer.status).toBe(400);
  expect(JSON.parse(JSON.stringify(answer.body))).toMatchObject({
    details: [{ field_violations: [problem] }],
  });
  expect(await stated()).toEqual([]);
});

test('the system cannot leave by an increment', async () => {
  await accept(people, staff);
  const answer = await post(
    'push',
    people,
    increment({ system: { id: 'hr', operation: 'delete' } }),
  );
  expect(answer.status).toBe(400);
  expect(JSON.parse(JSON.stringify(answer.body))).toMatchObject({
    details: [{ field_violations: [{ pointer: '/system', code: 'MISSING_FIELD' }] }],
  });
});
