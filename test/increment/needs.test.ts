import { MemorySource } from './memory';

const source = (template: 'application' | 'identity_provider', whole: object): MemorySource => {
  const memory = new MemorySource(template);
  expect(memory.push(JSON.stringify(whole))).toEqual([]);
  return memory;
};

/** The kinds of what an increment asks for, each time that it asks. */
const asked = (memory: MemorySource, increment: object): readonly (readonly string[])[] => {
  expect(memory.push(JSON.stringify({ incremental_change: true, ...increment }))).toEqual([]);
  return memory.asked.map((needs) => [...new Set(needs.map(({ _tag }) => _tag))].sort());
};

const directory = {
  name: 'Directory',
  idp_type: 'okta',
  domains: [{ name: 'corp' }],
  groups: [{ name: 'all', identity: 'g-all' }],
  users: [{ name: 'ann', identity: 'u-ann', email: 'ann@corp', groups: [{ identity: 'g-all' }] }],
};

const application = {
  permissions: [{ name: 'view', permission_type: ['DataRead'] }],
  applications: [
    {
      name: 'crm',
      application_type: 'CRM',
      local_users: [{ name: 'ann' }, { name: 'bob' }],
      local_roles: [{ name: 'reader', permissions: ['view'] }],
      resources: [
        {
          name: 'top',
          resource_type: 'folder',
          sub_resources: [{ name: 'file', resource_type: 'file' }],
        },
      ],
    },
  ],
  identity_to_permissions: [
    {
      identity: 'ann',
      identity_type: 'local_user',
      application_permissions: [{ application: 'crm', permission: 'view' }],
    },
  ],
};

test('an increment of users asks for what it names, never for the whole data source', () => {
  const users = [
    { operation: 'add', name: 'eve', identity: 'u-eve', groups: [{ identity: 'g-all' }] },
  ];
  for (const needs of asked(source('identity_provider', directory), { users })) {
    expect(needs).not.toContain('all');
  }
});

test('an increment of a renamed domain still takes all rows along', () => {
  const memory = source('identity_provider', directory);
  const needs = asked(memory, {
    domains: [
      { operation: 'delete', name: 'corp' },
      { operation: 'add', name: 'firm' },
    ],
  });
  expect(needs.flat()).toContain('all');
  expect([...memory.rows.values()].map(({ properties }) => properties.domain)).toEqual([
    'firm',
    'firm',
    'firm',
  ]);
});

test('what is in an application is asked for along with it', () => {
  const needs = asked(source('application', application), {
    applications: [
      {
        name: 'crm',
        local_users: [
          { operation: 'add', name: 'eve' },
          { operation: 'delete', name: 'ann' },
        ],
      },
    ],
    identity_to_permissions: [
      {
        operation: 'add',
        identity: 'eve',
        identity_type: 'local_user',
        application_permissions: [{ application: 'crm', permission: 'view', resources: ['file'] }],
        role_assignments: [{ application: 'crm', role: 'reader' }],
      },
    ],
  });
  expect(needs[0]).toEqual(['named', 'row']);
  // What refers to whom it deletes, and the statements that it adds, can be asked for only once those are known.
  expect(needs.length).toBeLessThanOrEqual(3);
});

test('a resource of which the path is not known yet is not taken for one that moved', () => {
  const needs = asked(source('application', application), {
    identity_to_permissions: [
      {
        operation: 'add',
        identity: 'bob',
        identity_type: 'local_user',
        application_permissions: [
          { application: 'crm', permission: 'view', resources: ['top.file'] },
        ],
      },
    ],
  });
  expect(needs.flat()).not.toContain('below');
});

test('a name is asked for in its application alone, where references find it', () => {
  const crm = application.applications[0];
  const memory = source('application', {
    ...application,
    applications: [crm, { ...crm, name: 'erp' }],
  });
  asked(memory, {
    applications: [
      { name: 'crm', local_users: [{ operation: 'modify', name: 'bob', email: 'b' }] },
    ],
  });
  const named = memory.asked.flat().flatMap((need) => (need._tag === 'named' ? [need] : []));
  const accounts = named.filter(({ label }) => label === 'LocalUser');
  expect(accounts.map((need) => need.application)).toEqual(['crm']);
});
