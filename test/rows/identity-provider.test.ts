import { problemsOf, rowAt, rowsOf } from './told-rows';

const directory = (more: object): object => ({
  idp_type: 'Corp_LDAP',
  domains: [{ name: 'corp.example' }],
  ...more,
});
const user = (more: object, rest: object = {}): ReturnType<typeof rowAt> =>
  rowAt(
    rowsOf('identity_provider', directory({ users: [{ name: 'ann', ...more }], ...rest })),
    `IdpUser|${'identity' in more ? String(more.identity) : 'ann'}`,
  );
const group = (more: object, rest: object = {}): ReturnType<typeof rowAt> =>
  rowAt(
    rowsOf('identity_provider', directory({ groups: [{ name: 'staff', ...more }], ...rest })),
    'IdpGroup|staff',
  );

test('a domain carries what the payload says of itself', () => {
  const payload = directory({ name: 'Directory', idp_description: 'Notes.' });
  expect(rowAt(rowsOf('identity_provider', payload), 'IdpDomain|corp.example')).toEqual({
    key: 'IdpDomain|corp.example',
    properties: {
      name: 'corp.example',
      domain: 'corp.example',
      idp_type: 'Corp_LDAP',
      idp_description: 'Notes.',
      idp_name: 'Directory',
    },
    lookups: {
      fold_name: 'corp.example',
      fold_of_idp_type: 'corp_ldap',
      fold_of_idp_description: 'notes.',
      fold_of_idp_name: 'directory',
    },
    states: ['FROM '],
  });
});

test('a user with nothing but a name has nothing but its name', () => {
  expect(user({})).toEqual({
    key: 'IdpUser|ann',
    properties: { name: 'ann', domain: 'corp.example', idp_type: 'Corp_LDAP' },
    lookups: {
      fold_id: 'ann',
      fold_name: 'ann',
      fold_idp_type: 'corpldap',
      fold_of_idp_type: 'corp_ldap',
    },
    states: [],
  });
});

const OWN = ['name', 'domain', 'idp_type', 'identity'];

test.each<[string, object, object]>([
  ['texts in NFC', { full_name: 'Zoe\u0308' }, { full_name: 'Zo\u00eb' }],
  ['no empty texts', { email: '', full_name: null, manager_id: '' }, {}],
  ['false', { is_active: false, is_guest: null }, { is_active: false }],
  ['one department as a list', { department: 'Ops' }, { department: ['Ops'] }],
  ['departments in order', { department: ['b', '', 'a', 'b'] }, { department: ['b', 'a', 'b'] }],
  ['no department at all', { department: [] }, {}],
  ['no empty department', { department: '' }, {}],
  ['what kind of identity', { identity_type: 'NONHUMAN' }, { identity_type: 'NONHUMAN' }],
  [
    'the source identity in two properties',
    { source_identity: { identity: 'x', provider_type: 'azure_ad' } },
    { source_identity: 'x', source_identity_provider_type: 'azure_ad' },
  ],
  [
    'dynamic properties, unset ones left out',
    { dynamic_properties: { a: '', b: 0, c: false, d: ['', 'x'], e: null, f: [] } },
    { dynprop_a: '', dynprop_b: 0, dynprop_c: false, dynprop_d: ['', 'x'] },
  ],
])('a user keeps %s', (_what, sent, kept) => {
  const { properties } = user(sent);
  const others = Object.entries(properties).filter(([name]) => !OWN.includes(name));
  expect(Object.fromEntries(others)).toEqual(kept);
});

test.each<[string, object, object]>([
  ['its identity before its name', { identity: 'U-1' }, { fold_id: 'u-1', fold_name: 'ann' }],
  ['its email', { email: 'Ann@Corp.Example' }, { fold_email: 'ann@corp.example' }],
  ["its manager's id", { manager_id: 'U-2' }, { fold_manager_id: 'u-2' }],
  [
    'its source of one type',
    { source_identity: { identity: 'X', provider_type: 'google_workspace' } },
    { fold_source_identity: 'x', fold_source_type: 'googleworkspace' },
  ],
  [
    'its source of any type',
    { source_identity: { identity: 'X', provider_type: 'custom' } },
    { fold_source_identity: 'x' },
  ],
])('a user is looked up by %s', (_what, sent, lookups) => {
  const found = user(sent).lookups;
  expect(found).toMatchObject(lookups);
  expect('fold_source_type' in found).toBe('fold_source_type' in lookups);
});

const groups = [{ name: 'Staff', identity: 'g1' }, { name: 'Café' }];
const apps = [{ id: 'a1', name: 'Wiki' }];

test.each<[string, object, readonly string[]]>([
  [
    'its groups by id and by name, each once',
    { groups: [{ identity: 'g1' }, { identity: 'staff' }, { identity: 'CAFÉ' }] },
    ['MEMBER_OF IdpGroup|Café', 'MEMBER_OF IdpGroup|g1'],
  ],
  [
    'roles in a list',
    { assumed_role_arns: [{ identity: 'arn:X' }, { identity: 'arn:x' }, { identity: 'arn:X' }] },
    ['ASSUMES_ROLE CloudRole|arn:X', 'ASSUMES_ROLE CloudRole|arn:x'],
  ],
  [
    'roles in an object',
    { assumed_role_arns: { identity: ['arn:X'] } },
    ['ASSUMES_ROLE CloudRole|arn:X'],
  ],
  ['no roles', { assumed_role_arns: { identity: null } }, []],
  [
    'what it owns',
    {
      entities_owned: [
        { node_type: 'Repo', id: 'R' },
        { node_type: 'REPO', id: 'r' },
      ],
    },
    ['OWNS ExternalEntity|repo|r'],
  ],
  [
    'one thing that it owns',
    { entities_owned: { node_type: 'a|b', id: '%' } },
    ['OWNS ExternalEntity|a%7Cb|%25'],
  ],
  [
    'tags, with and without value',
    {
      tags: [
        { key: 'a' },
        { key: 'a', value: '' },
        { key: 'a', value: null },
        { key: 'a', value: '1' },
        { key: 'A' },
      ],
    },
    ['TAGGED Tag|A|', 'TAGGED Tag|a|', 'TAGGED Tag|a|1'],
  ],
  [
    'assignments to one app, told apart by id',
    {
      app_assignments: [
        { id: '1', name: 'One', app_id: 'a1' },
        { id: '2', name: '', app_id: 'WIKI' },
      ],
    },
    ['ASSIGNED_TO IdpApp|a1 {"id":"1","name":"One"}', 'ASSIGNED_TO IdpApp|a1 {"id":"2"}'],
  ],
])('a user states %s', (_what, sent, states) => {
  expect(user(sent, { groups, apps }).states).toEqual(states);
});

test('custom properties keep what they are, by their declared types', () => {
  const { properties, states } = user(
    {
      custom_properties: {
        level: -0,
        seen: '2024-01-01T01:00:00+01:00',
        Note: '',
        sites: ['b', 'a'],
        none: [],
        on: false,
        unset: null,
      },
      app_assignments: [
        { id: '1', app_id: 'a1', custom_properties: { until: '2024-01-01T00:00:00.50Z' } },
      ],
    },
    {
      apps,
      custom_property_definition: {
        user_properties: {
          level: 'NUMBER',
          seen: 'TIMESTAMP',
          Note: 'STRING',
          sites: 'STRING_LIST',
          none: 'STRING_LIST',
          on: 'BOOLEAN',
          unset: 'STRING',
        },
        app_assignment_properties: { until: 'TIMESTAMP' },
      },
    },
  );
  const custom = Object.entries(properties).filter(([name]) => name.startsWith('customprop_'));
  expect(Object.fromEntries(custom)).toEqual({
    customprop_level: 0,
    customprop_seen: '2024-01-01T00:00:00Z',
    customprop_Note: '',
    customprop_sites: ['b', 'a'],
    customprop_on: false,
  });
  expect(states).toEqual([
    'ASSIGNED_TO IdpApp|a1 {"id":"1","customprop_until":"2024-01-01T00:00:00.5Z"}',
  ]);
});

test('a text that looks like a time stays a text', () => {
  const { properties } = user(
    { custom_properties: { note: '2024-01-01T01:00:00+01:00' } },
    { custom_property_definition: { user_properties: { note: 'STRING' } } },
  );
  expect(properties.customprop_note).toBe('2024-01-01T01:00:00+01:00');
});

const parents = [{ name: 'staff' }, { name: 'All', identity: 'g1' }, { name: 'identity' }];

test.each<[string, readonly object[], readonly string[]]>([
  ['by identity', [{ identity: 'g1' }], ['MEMBER_OF IdpGroup|g1']],
  ['by marks in one object', [{ g1: 'parent', ALL: 'parent' }], ['MEMBER_OF IdpGroup|g1']],
  [
    'in both ways',
    [{ identity: 'identity' }, { all: 'parent' }],
    ['MEMBER_OF IdpGroup|g1', 'MEMBER_OF IdpGroup|identity'],
  ],
])('a group names its parents %s', (_how, sent, states) => {
  const rows = rowsOf(
    'identity_provider',
    directory({ groups: [{ name: 'staff', groups: sent }, ...parents.slice(1)] }),
  );
  expect(rowAt(rows, 'IdpGroup|staff').states).toEqual(states);
});

test('a group keeps its own fields and is looked up as a user is', () => {
  const sent = {
    full_name: 'All staff',
    is_security_group: false,
    source_identity: { identity: 'Everyone', provider_type: 'one_login' },
  };
  const { properties, lookups } = group(sent);
  expect(properties).toMatchObject({
    full_name: 'All staff',
    is_security_group: false,
    source_identity: 'Everyone',
    source_identity_provider_type: 'one_login',
  });
  expect(lookups).toEqual({
    fold_id: 'staff',
    fold_name: 'staff',
    fold_source_identity: 'everyone',
    fold_source_type: 'onelogin',
    fold_idp_type: 'corpldap',
    fold_of_full_name: 'all staff',
    fold_of_idp_type: 'corp_ldap',
  });
});

test('an app is told apart by its id', () => {
  const rows = rowsOf(
    'identity_provider',
    directory({
      apps: [
        { id: 'a1', name: 'Wiki' },
        { id: 'A1', name: 'Wiki', description: 'x' },
      ],
    }),
  );
  expect(rowAt(rows, 'IdpApp|a1').lookups).toEqual({
    fold_id: 'a1',
    fold_name: 'wiki',
    fold_of_idp_type: 'corp_ldap',
  });
  expect(rowAt(rows, 'IdpApp|A1').properties).toMatchObject({ id: 'A1', description: 'x' });
});

test.each<[string, object, readonly string[]]>([
  [
    'an unknown group',
    { users: [{ name: 'a', groups: [{ identity: 'x' }] }] },
    ['/users/0/groups/0/identity UNKNOWN_REFERENCE'],
  ],
  [
    'an unknown app',
    { users: [{ name: 'a', app_assignments: [{ id: '1', app_id: 'x' }] }] },
    ['/users/0/app_assignments/0/app_id UNKNOWN_REFERENCE'],
  ],
  [
    'two groups of one name',
    {
      users: [{ name: 'a', groups: [{ identity: 'g' }] }],
      groups: [
        { name: 'g', identity: '1' },
        { name: 'g', identity: '2' },
      ],
    },
    ['/users/0/groups/0/identity AMBIGUOUS_REFERENCE'],
  ],
  [
    'a group that is its own parent',
    { groups: [{ name: 'g', identity: '1', groups: [{ G: 'parent' }] }] },
    ['/groups/0/groups/0/G SELF_REFERENCE'],
  ],
  [
    'no longer circles',
    {
      groups: [
        { name: 'g', groups: [{ identity: 'h' }] },
        { name: 'h', groups: [{ identity: 'g' }] },
      ],
    },
    [],
  ],
  [
    'an unknown parent whose name holds a slash',
    { groups: [{ name: 'g', groups: [{ 'a/b~c': 'parent' }] }] },
    ['/groups/0/groups/0/a~1b~0c UNKNOWN_REFERENCE'],
  ],
])('refuses %s', (_what, more, problems) => {
  expect(problemsOf('identity_provider', directory(more))).toEqual(problems);
});

test('tells the type of the provider', () => {
  expect(rowsOf('identity_provider', directory({})).types).toEqual({
    application_types: [],
    resource_types: [],
    idp_types: ['Corp_LDAP'],
  });
});
