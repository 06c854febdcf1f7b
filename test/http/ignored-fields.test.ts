import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const push = async ({ path, ...ids }: RegisteredIds, payload: object): Promise<unknown> => {
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
};

const ignored = (pointer: string, kind: string, name: string, field: string, inside?: string) => ({
  message: `Ignored fields ["${field}"] (${kind} "${name}"${inside === undefined ? '' : ` of application "${inside}"`}): an operation is missing; write "operation": "modify" to change them`,
  code: 'MISSING_OPERATION',
  pointer,
  subject: { kind, name, ...(inside === undefined ? {} : { application: inside }) },
});

test('an identity provider increment tells which fields it ignores without an operation', async () => {
  const ids = await service.register('identity_provider');
  const whole = {
    domains: [{ name: 'd' }],
    users: [{ name: 'postgres', is_active: true }],
    groups: [{ name: 'g' }],
    apps: [{ id: '1', name: 'a' }],
  };
  await push(ids, whole);
  const told = await push(ids, {
    incremental_change: true,
    domains: [{ name: 'd', tags: [{ key: 'k' }] }],
    users: [{ name: 'postgres', is_active: false }],
    groups: [{ name: 'g', full_name: 'G' }],
    apps: [{ id: '1', name: 'a', description: 'A' }],
  });
  expect(told).toMatchObject({
    unchanged: true,
    warnings: [
      ignored('/domains/0', 'domain', 'd', 'tags'),
      ignored('/users/0', 'user', 'postgres', 'is_active'),
      ignored('/groups/0', 'group', 'g', 'full_name'),
      ignored('/apps/0', 'app', 'a', 'description'),
    ],
  });
  const unknown = { incremental_change: true, users: [{ name: 'new', email: 'x', groups: [] }] };
  expect(await push(ids, unknown)).toMatchObject({
    warnings: [
      {
        message: 'Cannot find user "new" (context)',
        code: 'UNKNOWN_CONTEXT',
        pointer: '/users/0',
        subject: { kind: 'user', name: 'new' },
      },
      ignored('/users/0', 'user', 'new', 'email'),
    ],
  });
});

test('so does an increment of applications, whatever the kind of entry', async () => {
  const ids = await service.register('application');
  const statement = { application: 'crm', permission: 'view' };
  const entry = { identity: 'ann', identity_type: 'local_user' };
  const folder = { name: 'f', resource_type: 'Folder' };
  const page = { name: 'p', resource_type: 'Page' };
  await push(ids, {
    applications: [
      {
        name: 'crm',
        application_type: 'crm',
        local_users: [{ name: 'ann' }],
        local_groups: [{ name: 'g' }],
        local_roles: [{ name: 'r', permissions: ['view'] }],
        local_access_creds: [{ id: 'k' }],
        local_agents: [{ name: 'a' }],
        local_models: [{ name: 'm' }],
        resources: [{ ...folder, sub_resources: [page] }],
      },
    ],
    permissions: [{ name: 'view' }],
    identity_to_permissions: [{ ...entry, application_permissions: [statement] }],
  });
  const inCrm = '/applications/0';
  const told = await push(ids, {
    incremental_change: true,
    applications: [
      {
        name: 'crm',
        description: 'C',
        local_users: [{ name: 'ann', is_active: false }],
        local_groups: [{ name: 'g', groups: ['g'] }],
        local_roles: [{ name: 'r', roles: ['r'] }],
        local_access_creds: [{ id: 'k', is_active: false }],
        local_agents: [{ name: 'a', ai_platform: 'x' }],
        local_models: [{ name: 'm', ai_platform: 'x' }],
        resources: [
          {
            ...folder,
            description: 'F',
            sub_resources: [{ ...page, owners: [{ external_id: 'o' }] }],
          },
        ],
      },
    ],
    permissions: [{ name: 'view', permission_type: ['DataRead'] }],
    identity_to_permissions: [
      { ...entry, application_permissions: [{ ...statement, resources: ['f'] }] },
    ],
  });
  const element = '/identity_to_permissions/0/application_permissions/0';
  expect(told).toMatchObject({
    unchanged: true,
    warnings: [
      ignored(inCrm, 'application', 'crm', 'description'),
      ignored(`${inCrm}/local_users/0`, 'local user', 'ann', 'is_active', 'crm'),
      ignored(`${inCrm}/local_groups/0`, 'local group', 'g', 'groups', 'crm'),
      ignored(`${inCrm}/local_roles/0`, 'local role', 'r', 'roles', 'crm'),
      ignored(`${inCrm}/local_access_creds/0`, 'access credential', 'k', 'is_active', 'crm'),
      ignored(`${inCrm}/local_agents/0`, 'agent', 'a', 'ai_platform', 'crm'),
      ignored(`${inCrm}/local_models/0`, 'model', 'm', 'ai_platform', 'crm'),
      ignored(`${inCrm}/resources/0`, 'resource', 'f', 'description', 'crm'),
      ignored(`${inCrm}/resources/0/sub_resources/0`, 'resource', 'p', 'owners', 'crm'),
      ignored('/permissions/0', 'permission', 'view', 'permission_type'),
      {
        message:
          'Ignored fields ["resources"] (application permission "view" of application "crm" for local user "ann"): an operation is missing; write "operation": "modify" to change them',
        code: 'MISSING_OPERATION',
        pointer: element,
        subject: { kind: 'application permission', name: 'view', application: 'crm' },
      },
    ],
  });
});
