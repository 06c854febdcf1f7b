import { problemsOf, rowAt, rowsOf } from './told-rows';

const crm = (more: object, rest: object = {}): object => ({
  applications: [{ name: 'Sales', application_type: 'CRM', ...more }],
  identity_to_permissions: [{ identity: 'nobody' }],
  ...rest,
});
const row = (key: string, more: object, rest: object = {}): ReturnType<typeof rowAt> =>
  rowAt(rowsOf('application', crm(more, rest)), key);

const inSales = { application: 'Sales', application_type: 'CRM' };
const crmType = { fold_application_type: 'crm', fold_of_application: 'sales' };

test('an application is told by its name', () => {
  const owners = [{ external_id: 'Ann', owner_type: '', primary: null }];
  expect(row('Application|Sales', { description: 'Notes.', owners, tags: [{ key: 'a' }] })).toEqual(
    {
      key: 'Application|Sales',
      properties: { name: 'Sales', description: 'Notes.', ...inSales },
      lookups: { fold_name: 'sales', fold_of_description: 'notes.', ...crmType },
      states: ['FROM ', 'OWNED_BY Identity|ann', 'TAGGED Tag|a|'],
    },
  );
});

test.each<[string, string, object, object, readonly string[]]>([
  [
    'a local user',
    'LocalUser|Sales|ann',
    {
      local_users: [
        { name: 'ann', user_type: 'human', last_login_at: '2024-01-01T00:00:00+01:00' },
      ],
    },
    { name: 'ann', user_type: 'human', last_login_at: '2023-12-31T23:00:00Z' },
    [],
  ],
  [
    'a local user by unique_id',
    'LocalUser|Sales|u',
    {
      local_users: [
        { name: 'ann', id: 'i', unique_id: 'u', identities: ['ANN', 'ann', '', 'Bob'] },
      ],
    },
    { name: 'ann', id: 'i', unique_id: 'u' },
    ['Identity|ann IDENTITY_OF', 'Identity|bob IDENTITY_OF'],
  ],
  [
    'a local group',
    'LocalGroup|Sales|i',
    {
      local_groups: [
        {
          name: 'g',
          id: 'i',
          identities: ['Staff'],
          groups: ['h'],
          created_at: '2024-01-01T00:00:00Z',
        },
        { name: 'h' },
      ],
    },
    { name: 'g', id: 'i', created_at: '2024-01-01T00:00:00Z' },
    ['Identity|staff IDENTITY_OF', 'MEMBER_OF LocalGroup|Sales|h'],
  ],
  [
    'a local role',
    'LocalRole|Sales|r',
    {
      local_roles: [
        { name: 'r', permissions: ['view', 'View'], roles: ['s', 'S'] },
        { name: 's', permissions: ['View'] },
      ],
    },
    { name: 'r' },
    ['ALLOWS Permission|View', 'INCLUDES LocalRole|Sales|s'],
  ],
  [
    'an agent',
    'LocalAgent|Sales|a',
    {
      local_agents: [
        { name: 'a', ai_platform: 'p', models: ['M'], access_creds: ['k'], groups: ['h'] },
      ],
      local_models: [{ name: 'm' }],
      local_access_creds: [{ id: 'k' }],
      local_groups: [{ name: 'h' }],
    },
    { name: 'a', ai_platform: 'p' },
    [
      'HAS_CREDENTIAL AccessCredential|Sales|k',
      'MEMBER_OF LocalGroup|Sales|h',
      'USES_MODEL LocalModel|Sales|m',
    ],
  ],
  [
    'a model',
    'LocalModel|Sales|m',
    { local_models: [{ name: 'm', ai_model_family: 'f', ai_model_series: '' }] },
    { name: 'm', ai_model_family: 'f' },
    [],
  ],
  [
    'a credential without a name',
    'AccessCredential|Sales|u',
    {
      local_access_creds: [
        {
          unique_id: 'u',
          can_expire: false,
          expires_at: null,
          owners: [{ external_id: 'x', primary: false }],
        },
      ],
    },
    { unique_id: 'u', can_expire: false },
    ['OWNED_BY Identity|x {"primary":false}'],
  ],
])('%s becomes a row', (_what, key, more, properties, states) => {
  const found = row(key, more, { permissions: [{ name: 'View' }] });
  expect(found.properties).toEqual({ ...properties, ...inSales });
  expect(found.states).toEqual(states);
});

test.each<[object, object]>([
  [{ name: 'Ann' }, { fold_id: 'ann', fold_name: 'ann' }],
  [
    { name: 'Ann', id: 'I' },
    { fold_id: 'i', fold_name: 'ann', fold_of_id: 'i' },
  ],
  [
    { name: 'Ann', id: 'I', unique_id: 'U' },
    {
      fold_id: 'u',
      fold_other_id: 'i',
      fold_name: 'ann',
      fold_of_id: 'i',
      fold_of_unique_id: 'u',
    },
  ],
  [
    { name: 'Ann', unique_id: 'U' },
    { fold_id: 'u', fold_name: 'ann', fold_of_unique_id: 'u' },
  ],
])('the local user %j is looked up by %j', (user, lookups) => {
  const { rows } = rowsOf('application', crm({ local_users: [user] }));
  const found = rows.find(({ kind }) => kind.label === 'LocalUser');
  expect(found?.lookups).toEqual({ ...lookups, ...crmType });
});

test('each application has its own names', () => {
  const application = (name: string): object => ({
    name,
    application_type: 't',
    local_users: [{ name: 'ann', groups: ['g'] }],
    local_groups: [{ name: 'g', unique_id: `g of ${name}` }],
  });
  const rows = rowsOf('application', { applications: [application('A'), application('B')] });
  expect(rowAt(rows, 'LocalUser|A|ann').states).toEqual(['MEMBER_OF LocalGroup|A|g of A']);
  expect(rowAt(rows, 'LocalUser|B|ann').states).toEqual(['MEMBER_OF LocalGroup|B|g of B']);
});

test('custom properties follow the definitions of the application type and resource type, folded', () => {
  const rest = {
    custom_property_definition: {
      applications: [
        { application_type: 'crm', local_user_properties: { seen: 'TIMESTAMP' } },
        {
          application_type: 'Crm',
          resources: [{ resource_type: 'DOC', properties: { seen: 'TIMESTAMP' } }],
        },
        { application_type: 'other', local_user_properties: { seen: 'STRING' } },
      ],
    },
  };
  const custom_properties = { seen: '2024-01-01T01:00:00+01:00' };
  const more = {
    local_users: [{ name: 'ann', custom_properties }],
    resources: [{ name: 'r', resource_type: 'doc', custom_properties }],
  };
  for (const key of ['LocalUser|Sales|ann', 'Resource|Sales|/doc|r']) {
    expect(row(key, more, rest).properties.customprop_seen).toBe('2024-01-01T00:00:00Z');
  }
});

test.each<[string, object, readonly string[]]>([
  [
    'an unknown group',
    { local_users: [{ name: 'a', groups: ['x'] }] },
    ['/applications/0/local_users/0/groups/0 UNKNOWN_REFERENCE'],
  ],
  [
    'a group of itself',
    { local_groups: [{ name: 'g', unique_id: '1', groups: ['G'] }] },
    ['/applications/0/local_groups/0/groups/0 SELF_REFERENCE'],
  ],
  [
    'a role of itself',
    { local_roles: [{ name: 'r', roles: ['r'] }] },
    ['/applications/0/local_roles/0/roles/0 SELF_REFERENCE'],
  ],
  [
    'an unknown permission',
    { local_roles: [{ name: 'r', permissions: ['x'] }] },
    ['/applications/0/local_roles/0/permissions/0 UNKNOWN_REFERENCE'],
  ],
  [
    'an unknown credential',
    { local_users: [{ name: 'a', access_creds: ['x'] }] },
    ['/applications/0/local_users/0/access_creds/0 UNKNOWN_REFERENCE'],
  ],
  [
    'an unknown model',
    { local_agents: [{ name: 'a', models: ['x'] }] },
    ['/applications/0/local_agents/0/models/0 UNKNOWN_REFERENCE'],
  ],
  [
    'no circle of roles',
    {
      local_roles: [
        { name: 'r', roles: ['s'] },
        { name: 's', roles: ['r'] },
      ],
    },
    [],
  ],
])('refuses %s', (_what, more, problems) => {
  expect(problemsOf('application', crm(more))).toEqual(problems);
});

test('tells the types of applications and resources, one spelling each', () => {
  const payload = {
    applications: [
      { name: 'A', application_type: 'crm', local_users: [{ name: 'a' }] },
      {
        name: 'B',
        application_type: 'CRM',
        resources: [
          { name: 'x', resource_type: 'doc', sub_resources: [{ name: 'y', resource_type: 'Doc' }] },
          { name: 'z', resource_type: 'file' },
        ],
      },
    ],
  };
  expect(rowsOf('application', payload).types).toEqual({
    application_types: ['CRM'],
    resource_types: ['Doc', 'file'],
    idp_types: [],
  });
});
