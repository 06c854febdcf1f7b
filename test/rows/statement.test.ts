import { problemsOf, rowAt, rowsOf } from './told-rows';

const application = (name: string, more: object = {}): object => ({
  name,
  application_type: 'T',
  local_users: [{ name: 'ann', unique_id: 'u1' }],
  local_groups: [{ name: 'g' }],
  local_roles: [{ name: 'Admin', unique_id: 'r1', permissions: ['View'] }],
  local_agents: [{ name: 'bot' }],
  local_access_creds: [{ id: 'key' }],
  resources: [
    { name: 'x', resource_type: 'k' },
    { name: 'y', resource_type: 'k' },
  ],
  ...more,
});
const payload = (...entries: readonly object[]): object => ({
  custom_property_definition: {
    applications: [
      {
        application_type: 't',
        role_assignment_properties: { until: 'TIMESTAMP', why: 'STRING', n: 'NUMBER' },
      },
    ],
  },
  applications: [application('A'), application('B')],
  permissions: [{ name: 'View' }, { name: 'Edit', resource_types: ['k', 'm'] }],
  identity_to_permissions: entries,
});
const view = (more: object = {}): object => ({ application: 'A', permission: 'View', ...more });
const admin = (more: object = {}): object => ({ application: 'A', role: 'Admin', ...more });
const grants = (...elements: readonly object[]): object => ({
  identity: 'ann',
  identity_type: 'local_user',
  application_permissions: elements,
});
const assigns = (...elements: readonly object[]): object => ({
  identity: 'ann',
  identity_type: 'local_user',
  role_assignments: elements,
});
const statements = (...entries: readonly object[]): readonly string[] =>
  rowsOf('application', payload(...entries)).rows.flatMap(({ kind, key }) =>
    ['Grant', 'RoleAssignment'].includes(kind.label) ? [key] : [],
  );
const scope = (key: string, ...entries: readonly object[]): readonly string[] =>
  rowAt(rowsOf('application', payload(...entries)), key)
    .states.filter((state) => state.startsWith('ON '))
    .map((state) => state.slice(3));

const GRANT = 'Grant|A|local_user|u1|View';
const ASSIGNMENT = 'RoleAssignment|A|local_user|u1|r1|';
const [A, X, Y] = ['Application|A', 'Resource|A|/k|x', 'Resource|A|/k|y'];

test('a grant is told by who holds what where', () => {
  expect(rowAt(rowsOf('application', payload(grants(view()))), GRANT)).toEqual({
    key: GRANT,
    properties: { name: 'View', application: 'A', application_type: 'T' },
    lookups: {
      fold_application_type: 't',
      fold_of_application: 'a',
      fold_of_name: 'view',
    },
    states: ['LocalUser|A|u1 HOLDS', 'OF Permission|View', 'ON Application|A'],
  });
});

test.each<[string, object, readonly string[]]>([
  ['neither half: the application', {}, [A]],
  ['null for both: the application', { resources: null, apply_to_application: null }, [A]],
  ['no resources listed: the application', { resources: [] }, [A]],
  ['resources alone', { resources: ['x'] }, [X]],
  ['resources, and null', { resources: ['x'], apply_to_application: null }, [X]],
  ['the application alone', { apply_to_application: true }, [A]],
  ['both', { apply_to_application: true, resources: ['x', 'y', 'X'] }, [A, X, Y]],
  ['resources, not the application', { apply_to_application: false, resources: ['y'] }, [Y]],
  ['nothing', { apply_to_application: false }, []],
  ['nothing, in full', { apply_to_application: false, resources: [] }, []],
])('a scope of %s', (_what, given, expected) => {
  expect(scope(GRANT, grants(view(given)))).toEqual(expected);
  expect(scope(ASSIGNMENT, assigns(admin(given)))).toEqual(expected);
});

test.each<[string, readonly object[], readonly string[]]>([
  ['of one entry', [grants(view({ resources: ['x'] }), view({ resources: ['y'] }))], [X, Y]],
  [
    'of two entries',
    [grants(view({ resources: ['x'] })), grants(view({ resources: ['y'] }))],
    [X, Y],
  ],
  [
    'in two spellings',
    [
      grants(view({ resources: ['x'] })),
      { ...grants({ application: 'a', permission: 'VIEW', resources: ['Y'] }), identity: 'U1' },
    ],
    [X, Y],
  ],
  ['after the default is taken for each', [grants(view(), view({ resources: ['x'] }))], [A, X]],
  [
    'of the application and resources',
    [grants(view({ apply_to_application: true }), view({ resources: ['x'] }))],
    [A, X],
  ],
  [
    'of nothing and something',
    [grants(view({ apply_to_application: false }), view({ resources: ['x'] }))],
    [X],
  ],
])('the scopes of one grant %s unite', (_how, entries, expected) => {
  expect(statements(...entries)).toEqual([GRANT]);
  expect(scope(GRANT, ...entries)).toEqual(expected);
});

test.each<[string, object, string, string]>([
  ['idp, its spelling folded', { identity: 'Ann@Corp' }, 'idp|ann@corp', 'Identity|ann@corp'],
  ['idp, said so', { identity: 'ann', identity_type: 'idp' }, 'idp|ann', 'Identity|ann'],
  ['null, which is idp', { identity: 'ann', identity_type: null }, 'idp|ann', 'Identity|ann'],
  [
    'local_user',
    { identity: 'Ann', identity_type: 'local_user' },
    'local_user|u1',
    'LocalUser|A|u1',
  ],
  [
    'local_group',
    { identity: 'g', identity_type: 'local_group' },
    'local_group|g',
    'LocalGroup|A|g',
  ],
  [
    'local_role',
    { identity: 'admin', identity_type: 'local_role' },
    'local_role|r1',
    'LocalRole|A|r1',
  ],
  [
    'local_agent',
    { identity: 'bot', identity_type: 'local_agent' },
    'local_agent|bot',
    'LocalAgent|A|bot',
  ],
  [
    'local_access_creds',
    { identity: 'key', identity_type: 'local_access_creds' },
    'local_access_creds|key',
    'AccessCredential|A|key',
  ],
])('the holder of a statement: %s', (_type, identity, part, key) => {
  const entry = { ...identity, application_permissions: [view()], role_assignments: [admin()] };
  const rows = rowsOf('application', payload(entry));
  expect(rowAt(rows, `Grant|A|${part}|View`).states).toContain(`${key} HOLDS`);
  expect(rowAt(rows, `RoleAssignment|A|${part}|r1|`).states).toContain(`${key} HOLDS`);
});

test('a local identity is looked up in the application of each element', () => {
  expect(statements(grants(view(), view({ application: 'B' })))).toEqual([
    GRANT,
    'Grant|B|local_user|u1|View',
  ]);
});

test('a grant of a typed permission is of each of its nodes', () => {
  const rows = rowsOf('application', payload(grants({ application: 'A', permission: 'edit' })));
  expect(rowAt(rows, 'Grant|A|local_user|u1|Edit').states).toEqual([
    'LocalUser|A|u1 HOLDS',
    'OF Permission|Edit|k',
    'OF Permission|Edit|m',
    'ON Application|A',
  ]);
});

test('an identity and a local user of one name hold each their own', () => {
  expect(statements(grants(view()), { identity: 'u1', application_permissions: [view()] })).toEqual(
    [GRANT, 'Grant|A|idp|u1|View'],
  );
});

test('custom properties tell assignments of one role apart', () => {
  const keys = statements(
    assigns(
      admin(),
      admin({ custom_properties: { why: 'holiday', n: 0 } }),
      admin({ custom_properties: { n: -0, until: null, why: 'holiday' } }),
      admin({ custom_properties: { until: '2024-01-01T01:00:00.50+01:00' } }),
      admin({ custom_properties: { until: '2024-01-01T00:00:00.5Z', why: null } }),
      admin({ custom_properties: {} }),
      admin({ custom_properties: { why: '' } }),
    ),
  );
  expect(keys).toEqual([
    ASSIGNMENT,
    `${ASSIGNMENT}[["n",0],["why","holiday"]]`,
    `${ASSIGNMENT}[["until","2024-01-01T00:00:00.5Z"]]`,
    `${ASSIGNMENT}[["why",""]]`,
  ]);
});

test('an entry without elements states nothing, known or not', () => {
  expect(
    statements(
      { identity: 'nobody', identity_type: 'local_user' },
      { identity: 'ann', application_permissions: [], role_assignments: null },
    ),
  ).toEqual([]);
});

const ENTRY = '/identity_to_permissions/0';

test.each<[string, object, readonly string[]]>([
  [
    'an unknown application, and says no more of it',
    grants(view({ application: 'Z', resources: ['q'] })),
    [`${ENTRY}/application_permissions/0/application UNKNOWN_REFERENCE`],
  ],
  [
    'an unknown permission in an unknown application',
    grants({ application: 'Z', permission: 'q' }),
    [
      `${ENTRY}/application_permissions/0/application UNKNOWN_REFERENCE`,
      `${ENTRY}/application_permissions/0/permission UNKNOWN_REFERENCE`,
    ],
  ],
  [
    'an unknown permission',
    grants(view({ permission: 'q' })),
    [`${ENTRY}/application_permissions/0/permission UNKNOWN_REFERENCE`],
  ],
  [
    'an unknown role',
    assigns(admin({ role: 'q' })),
    [`${ENTRY}/role_assignments/0/role UNKNOWN_REFERENCE`],
  ],
  [
    'each unknown resource',
    grants(view({ resources: ['x', 'q', 'r'] })),
    [
      `${ENTRY}/application_permissions/0/resources/1 UNKNOWN_REFERENCE`,
      `${ENTRY}/application_permissions/0/resources/2 UNKNOWN_REFERENCE`,
    ],
  ],
  [
    'an unknown holder, once',
    { ...grants(view(), view({ application: 'B' })), identity: 'q' },
    [`${ENTRY}/identity UNKNOWN_REFERENCE`],
  ],
  [
    'a holder of another kind',
    { ...grants(view()), identity: 'g' },
    [`${ENTRY}/identity UNKNOWN_REFERENCE`],
  ],
  ['no unknown idp identity', { identity: 'q', application_permissions: [view()] }, []],
  [
    'no role assigned to itself',
    { identity: 'Admin', identity_type: 'local_role', role_assignments: [admin()] },
    [],
  ],
])('refuses %s', (_what, entry, problems) => {
  expect([...problemsOf('application', payload(entry))].sort()).toEqual([...problems].sort());
});
