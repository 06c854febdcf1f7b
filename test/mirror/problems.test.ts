import { crm, idp, Scene } from './scene';

/** The problems of a push as `pointer code`, sorted; an accepted push is none. */
function problemsOf(id: 'I' | 'A', payload: object, scene = new Scene()): readonly string[] {
  const outcome = scene.push(id, payload);
  return outcome.accepted
    ? []
    : outcome.problems.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
}

describe('problems of identity provider payloads (docs/rules.md: Problems)', () => {
  test.each<[string, object, readonly string[]]>([
    ['no domain', { domains: null }, ['/domains DOMAIN_COUNT']],
    ['two domains', { domains: [{ name: 'a' }, { name: 'b' }] }, ['/domains DOMAIN_COUNT']],
    [
      'an unknown and an ambiguous group',
      {
        users: [{ name: 'u', groups: [{ identity: 'no' }, { identity: 'G' }, { identity: 'g' }] }],
        groups: [
          { name: 'g', identity: '1' },
          { name: 'g' },
          { name: 'Gx', identity: 'g2' },
          { name: 'a', identity: 'G' },
        ],
      },
      // `G` is an id exactly; `g` is the id of the group without identity, before any name.
      ['/users/0/groups/0/identity UNKNOWN_REFERENCE'],
    ],
    [
      'a reference that two ids fit in another case',
      {
        users: [{ name: 'u', groups: [{ identity: 'DUP' }] }],
        groups: [{ name: 'dup' }, { name: 'Dup' }],
      },
      ['/users/0/groups/0/identity AMBIGUOUS_REFERENCE'],
    ],
    [
      'two users with one id, in two spellings of one text',
      { users: [{ name: 'é' }, { name: 'x', identity: 'e\u0301' }, { name: 'é' }] },
      ['/users/1 DUPLICATE_ID', '/users/2 DUPLICATE_ID'],
    ],
    [
      'ids that differ by case alone are two',
      { users: [{ name: 'a' }, { name: 'A' }], groups: [{ name: 'a' }] },
      [],
    ],
    [
      'a group in itself, in either shape',
      {
        groups: [
          { name: 'g', groups: [{ G: 'parent' }] },
          { name: 'h/', groups: [{ 'h/': 'parent' }] },
        ],
      },
      ['/groups/0/groups/0/G SELF_REFERENCE', '/groups/1/groups/0/h~1 SELF_REFERENCE'],
    ],
    [
      'assignments: an unknown app, one id twice in one user',
      {
        users: [
          {
            name: 'u',
            app_assignments: [
              { id: '1', app_id: 'p' },
              { id: '1', app_id: 'q' },
            ],
          },
        ],
        groups: [{ name: 'g', app_assignments: [{ id: '1', app_id: 'P' }] }],
        apps: [{ id: 'x', name: 'p' }],
      },
      [
        '/users/0/app_assignments/1 DUPLICATE_ID',
        '/users/0/app_assignments/1/app_id UNKNOWN_REFERENCE',
      ],
    ],
    [
      'properties: undeclared, of another type',
      {
        custom_property_definition: { user_properties: { a: 'NUMBER', t: 'TIMESTAMP' } },
        users: [{ name: 'u', custom_properties: { a: 'x', b: 1, t: '2024-02-30T00:00:00Z' } }],
      },
      [
        '/users/0/custom_properties/a PROPERTY_TYPE',
        '/users/0/custom_properties/b UNDECLARED_PROPERTY',
        '/users/0/custom_properties/t PROPERTY_TYPE',
      ],
    ],
    [
      'six dynamic properties',
      { users: [{ name: 'u', dynamic_properties: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 } }] },
      ['/users/0/dynamic_properties TOO_MANY_DYNAMIC_PROPERTIES'],
    ],
    [
      "an operation in a full push, in the payload's own spelling",
      { Users: [{ name: 'u', Operation: 'delete' }] },
      ['/Users/0/Operation OPERATION_IN_FULL_PUSH'],
    ],
    [
      'a first push that is incremental, whatever else is wrong with it',
      { incremental_change: true, domains: null, users: [{ name: 'u', operation: 'modify' }] },
      ['/incremental_change INCREMENTAL_FIRST_PUSH'],
    ],
  ])('%s', (_name, payload, expected) => {
    expect(problemsOf('I', idp(payload))).toEqual([...expected].toSorted());
  });

  test('a declared type stands until a full push no longer declares it', () => {
    const scene = new Scene()
      .with('I', idp({ custom_property_definition: { user_properties: { a: 'NUMBER' } } }))
      .with('I', { incremental_change: true });
    const changed = {
      custom_property_definition: {
        user_properties: { a: 'STRING' },
        group_properties: { a: 'STRING' },
      },
    };
    expect(problemsOf('I', idp(changed), scene)).toEqual([
      '/custom_property_definition/user_properties/a PROPERTY_TYPE_CHANGED',
    ]);
    expect(problemsOf('I', idp(changed), scene.with('I', idp({})))).toEqual([]);
  });
});

describe('problems of application payloads (docs/rules.md: Problems)', () => {
  const folder = (name: string, more: object = {}) => ({ name, resource_type: 'Folder', ...more });
  const statement = (element: object, identity = 'someone') => ({
    identity_to_permissions: [
      {
        identity,
        identity_type: 'local_user',
        application_permissions: [{ application: 'crm', permission: 'p', ...element }],
      },
    ],
    permissions: [{ name: 'p' }],
  });

  test.each<[string, object, readonly string[]]>([
    ['nothing at all', {}, [' NO_IDENTITY', '/applications NO_APPLICATION']],
    [
      'nobody, as models do not count',
      { applications: [{ name: 'a', application_type: 'a', local_models: [{ name: 'm' }] }] },
      [' NO_IDENTITY'],
    ],
    [
      'an entry without elements counts as an identity and is not looked up',
      {
        applications: [{ name: 'a', application_type: 'a' }],
        identity_to_permissions: [
          { identity: 'x' },
          { identity: 'y', identity_type: 'local_role' },
        ],
      },
      [],
    ],
    [
      'ids on some resources of a type',
      crm({
        resources: [
          folder('a', { id: '1' }),
          { name: 'b', resource_type: 'FOLDER' },
          { name: 'c', resource_type: 'X' },
        ],
      }),
      ['/applications/0/resources/1 MIXED_IDS'],
    ],
    [
      'one id twice in an application, one name twice below one parent',
      crm(
        {
          resources: [
            folder('a', {
              sub_resources: [folder('b'), folder('b'), { name: 'b', resource_type: 'File' }],
            }),
            folder('b'),
          ],
          local_groups: [
            { name: 'x', unique_id: '1' },
            { name: 'y', id: '1' },
            { name: '1', id: '2' },
          ],
        },
        { permissions: [{ name: 'p' }, { name: 'p' }] },
      ),
      [
        '/applications/0/resources/0/sub_resources/1 DUPLICATE_ID',
        '/applications/0/local_groups/1 DUPLICATE_ID',
        '/permissions/1 DUPLICATE_ID',
      ],
    ],
    [
      'references of local entities',
      crm({
        local_users: [{ name: 'u', groups: ['no'], access_creds: ['no'] }],
        local_groups: [{ name: 'g', groups: ['G'] }],
        local_roles: [{ name: 'r', roles: ['r', 'no'], permissions: ['no'] }],
        local_agents: [{ name: 'b', models: ['no'] }],
      }),
      [
        '/applications/0/local_users/0/groups/0 UNKNOWN_REFERENCE',
        '/applications/0/local_users/0/access_creds/0 UNKNOWN_REFERENCE',
        '/applications/0/local_groups/0/groups/0 SELF_REFERENCE',
        '/applications/0/local_roles/0/roles/0 SELF_REFERENCE',
        '/applications/0/local_roles/0/roles/1 UNKNOWN_REFERENCE',
        '/applications/0/local_roles/0/permissions/0 UNKNOWN_REFERENCE',
        '/applications/0/local_agents/0/models/0 UNKNOWN_REFERENCE',
      ],
    ],
    [
      'an id that a second entity has names that one too',
      crm({
        local_roles: [
          { name: 'a', unique_id: '1' },
          { name: 'b', unique_id: '1', roles: ['A'] },
        ],
      }),
      [
        '/applications/0/local_roles/1 DUPLICATE_ID',
        '/applications/0/local_roles/1/roles/0 SELF_REFERENCE',
      ],
    ],
    [
      'a statement of someone unknown: once per entry',
      crm(
        {},
        {
          permissions: [{ name: 'p' }],
          identity_to_permissions: [
            {
              identity: 'no',
              identity_type: 'local_user',
              application_permissions: [
                { application: 'crm', permission: 'p' },
                { application: 'crm', permission: 'q' },
              ],
              role_assignments: [
                { application: 'crm', role: 'no' },
                { application: 'no', role: 'no', resources: ['no'] },
              ],
            },
          ],
        },
      ),
      [
        '/identity_to_permissions/0/identity UNKNOWN_REFERENCE',
        '/identity_to_permissions/0/application_permissions/1/permission UNKNOWN_REFERENCE',
        '/identity_to_permissions/0/role_assignments/0/role UNKNOWN_REFERENCE',
        '/identity_to_permissions/0/role_assignments/1/application UNKNOWN_REFERENCE',
      ],
    ],
    [
      'a resource by path, which may be a name as well',
      crm(
        {
          resources: [
            folder('a', { sub_resources: [folder('b')] }),
            folder('a.b'),
            folder('c', { sub_resources: [folder('b')] }),
          ],
        },
        statement({ resources: ['a.b', 'A', 'c.b', 'b', 'c.B'] }),
      ),
      [
        '/identity_to_permissions/0/application_permissions/0/resources/0 AMBIGUOUS_REFERENCE',
        '/identity_to_permissions/0/application_permissions/0/resources/3 AMBIGUOUS_REFERENCE',
      ],
    ],
    [
      'definitions of one application type in two entries',
      crm(
        {
          custom_properties: { a: 1, b: 'x' },
          resources: [folder('f', { custom_properties: { a: true } })],
        },
        {
          custom_property_definition: {
            applications: [
              {
                application_type: 'Sales',
                application_properties: { a: 'NUMBER' },
                resources: [{ resource_type: 'FOLDER', properties: { a: 'BOOLEAN' } }],
              },
              { application_type: 'sALES', application_properties: { a: 'STRING', b: 'STRING' } },
              { application_type: 'other', application_properties: { a: 'STRING' } },
            ],
          },
        },
      ),
      [
        '/custom_property_definition/applications/1/application_properties/a CONFLICTING_DEFINITION',
      ],
    ],
  ])('%s', (_name, payload, expected) => {
    expect(problemsOf('A', payload)).toEqual([...expected].toSorted());
  });

  test('names of JavaScript objects are names like any other', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const payload = crm({
      local_users: [{ name: 'u', groups: names }],
      local_groups: names.map((name) => ({ name })),
    });
    const scene = new Scene().with('A', payload);
    expect(scene.all('MEMBER_OF')).toHaveLength(3);
    expect(problemsOf('A', crm({ local_users: [{ name: 'u', groups: ['valueOf'] }] }))).toEqual([
      '/applications/0/local_users/0/groups/0 UNKNOWN_REFERENCE',
    ]);
  });
});
