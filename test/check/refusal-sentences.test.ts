import type { Template } from '../../src/templates/templates';
import { MemorySource } from '../increment/memory';

const CORP = {
  domains: [{ name: 'corp.example' }],
  users: [{ name: 'ann', identity: 'u1' }],
  groups: [
    { name: 'Staff', identity: 'g1' },
    { name: 'Staff', identity: 'g2' },
  ],
};

const CRM = {
  custom_property_definition: {
    applications: [{ application_type: 'crm', local_user_properties: { level: 'NUMBER' } }],
  },
  applications: [
    {
      name: 'CRM',
      application_type: 'crm',
      local_users: [{ name: 'ann' }, { name: 'bob', unique_id: 'u2' }],
      local_groups: [{ name: 'sales' }, { name: 'sailors' }],
      local_roles: [{ name: 'admin' }],
      resources: [
        { name: 'a', resource_type: 'box', sub_resources: [{ name: 'x', resource_type: 'box' }] },
        { name: 'b', resource_type: 'box', sub_resources: [{ name: 'x', resource_type: 'box' }] },
      ],
    },
  ],
  permissions: [{ name: 'View' }, { name: 'Write' }],
};

const said = (template: Template, payload: object, before?: object): readonly string[] => {
  const source = new MemorySource(template);
  if (before !== undefined) expect(source.push(JSON.stringify(before))).toEqual([]);
  return source
    .take(JSON.stringify(payload))
    .map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
};

const corp = (user: object, more: object = {}) => ({
  ...CORP,
  ...more,
  users: [...CORP.users, { name: 'eve', ...user }],
});

const crm = (user: object) => {
  const [application] = CRM.applications;
  const local_users = [...(application?.local_users ?? []), { name: 'eve', ...user }];
  return { ...CRM, applications: [{ ...application, local_users }] };
};

const granted = (element: object) => ({
  ...CRM,
  identity_to_permissions: [
    {
      identity: 'ann',
      identity_type: 'local_user',
      application_permissions: [{ application: 'CRM', permission: 'View', ...element }],
    },
  ],
});

const element = '/identity_to_permissions/0/application_permissions/0';

describe('a refusal says what may have been meant', () => {
  test.each<[string, Template, object, string]>([
    [
      'a field',
      'identity_provider',
      { ...CORP, usrs: [] },
      '/usrs UNKNOWN_FIELD: identity provider payload has no field "usrs"; did you mean "users"?',
    ],
    [
      'a value of an enumeration',
      'application',
      { ...CRM, permissions: [{ name: 'View', permission_type: ['Dataread'] }] },
      '/permissions/0/permission_type/0 UNKNOWN_VALUE: "Dataread" is none of DataRead, DataWrite, MetadataRead, MetadataWrite, ' +
        'NonData, DataCreate, DataDelete, MetadataCreate, MetadataDelete, Uncategorized; did you mean "DataRead"?',
    ],
    [
      'a declared property',
      'application',
      crm({ custom_properties: { levle: 3 } }),
      '/applications/0/local_users/2/custom_properties/levle UNDECLARED_PROPERTY: is not declared in this payload: add "levle":"NUMBER" to /custom_property_definition/applications/0/local_user_properties; did you mean "level"?',
    ],
    [
      'a group, the closest first',
      'application',
      crm({ groups: ['salse'] }),
      '/applications/0/local_users/2/groups/0 UNKNOWN_REFERENCE: nothing is named "salse"; did you mean "sales"?',
    ],
    [
      'a permission',
      'application',
      granted({ permission: 'Veiw' }),
      `${element}/permission UNKNOWN_REFERENCE: nothing is named "Veiw"; did you mean "View"?`,
    ],
    [
      'a path of a resource',
      'application',
      granted({ resources: ['a.y'] }),
      `${element}/resources/0 UNKNOWN_REFERENCE: nothing is named "a.y"; did you mean "a.x"?`,
    ],
    [
      'nothing where nothing is close',
      'application',
      crm({ groups: ['warehouse'] }),
      '/applications/0/local_users/2/groups/0 UNKNOWN_REFERENCE: nothing is named "warehouse"',
    ],
  ])('%s', (_what, template, payload, sentence) => {
    expect(said(template, payload)).toContain(sentence);
  });
});

describe('a refusal tells apart what a reference may mean', () => {
  test('by their ids', () => {
    expect(said('identity_provider', corp({ groups: [{ identity: 'Staff' }] }))).toEqual([
      '/users/1/groups/0/identity AMBIGUOUS_REFERENCE: "Staff" may mean group "Staff" (id "g1") or group "Staff" (id "g2")',
    ]);
  });

  test('by their paths', () => {
    expect(said('application', granted({ resources: ['x'] }))).toEqual([
      `${element}/resources/0 AMBIGUOUS_REFERENCE: "x" may mean resource "a.x" or resource "b.x"`,
    ]);
  });

  test('and counts the rest of many', () => {
    const groups = Array.from({ length: 1_000 }, (_, at) => ({ name: 'All', identity: `g${at}` }));
    expect(said('identity_provider', corp({ groups: [{ identity: 'All' }] }, { groups }))).toEqual([
      '/users/1/groups/0/identity AMBIGUOUS_REFERENCE: "All" may mean group "All" (id "g0") or group "All" (id "g1") ' +
        'or group "All" (id "g2") or group "All" (id "g3") or group "All" (id "g4") or 995 more',
    ]);
  });
});

test.each<[string, object, string]>([
  [
    'a tag',
    { tags: [{ key: 'cost center' }] },
    '/users/1/tags/0/key BAD_NAME: "cost center" may only have letters with their marks, digits and _',
  ],
  [
    'a property',
    { dynamic_properties: { 'level-2': 1 } },
    '/users/1/dynamic_properties/level-2 BAD_NAME: "level-2" may only have letters with their marks, digits and _, at least one, and no digit or mark first',
  ],
])('a refusal says which characters the name of %s may have', (_what, user, sentence) => {
  expect(said('identity_provider', corp(user))).toEqual([sentence]);
});

describe('a refused increment says what may have been meant', () => {
  const inCrm = (more: object) => ({
    incremental_change: true,
    applications: [{ name: 'CRM', ...more }],
  });

  test('by an entry that differs from what stands by case alone', () => {
    const entries = { local_users: [{ name: 'ANN', operation: 'modify', is_active: true }] };
    expect(said('application', inCrm(entries), CRM)).toEqual([
      '/applications/0/local_users/0 UNKNOWN_ENTITY: there is no local user "ANN" of application "CRM"; did you mean "ann"?',
    ]);
  });

  test('by a permission that differs by case alone', () => {
    const payload = {
      incremental_change: true,
      permissions: [{ name: 'view', operation: 'modify', permission_type: ['DataRead'] }],
    };
    expect(said('application', payload, CRM)).toEqual([
      '/permissions/0 UNKNOWN_ENTITY: there is no permission "view"; did you mean "View"?',
    ]);
  });

  test('by a reference to what the payload itself adds', () => {
    const entries = {
      local_groups: [{ name: 'warehouse', operation: 'add' }],
      local_users: [{ name: 'ann', operation: 'modify', groups: ['warehose'] }],
    };
    expect(said('application', inCrm(entries), CRM)).toEqual([
      '/applications/0/local_users/0/groups/0 UNKNOWN_REFERENCE: nothing is named "warehose"; did you mean "warehouse"?',
    ]);
  });

  test('by listing the operations of the kind', () => {
    const payload = {
      incremental_change: true,
      users: [{ name: 'ann', identity: 'u1', operation: 'add_resource' }],
    };
    expect(said('identity_provider', payload, CORP)).toEqual([
      '/users/0/operation OPERATION_NOT_ALLOWED: a user has no operation "add_resource", only add, modify, delete, add_tag, remove_tag, delete_tag',
    ]);
  });

  test('by an entry that fits several, by their ids', () => {
    const payload = {
      incremental_change: true,
      groups: [{ name: 'Staff', operation: 'delete' }],
    };
    expect(said('identity_provider', payload, CORP)).toEqual([
      '/groups/0 AMBIGUOUS_REFERENCE: may mean group "Staff" (id "g1") or group "Staff" (id "g2")',
    ]);
  });
});
