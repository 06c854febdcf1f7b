/** A directory whose people the applications' accounts belong to. */
export const DIRECTORY = {
  name: 'Corp',
  idp_type: 'ldap',
  domains: [{ name: 'corp.example' }],
  users: [
    { name: 'ann', email: 'ann@corp.example', groups: [{ identity: 'staff' }] },
    { name: 'bob', email: 'bob@corp.example', manager_id: 'ann', groups: [{ identity: 'staff' }] },
    {
      name: 'eve',
      email: 'eve@corp.example',
      entities_owned: [{ node_type: 'OAA.sales.folder.Resource', id: 'offers' }],
    },
  ],
  groups: [{ name: 'staff' }],
};

const permissions = [
  { name: 'read', permission_type: ['DataRead'], apply_to_sub_resources: true },
  { name: 'write', permission_type: ['DataRead', 'DataWrite'] },
];

const application = {
  name: 'crm',
  application_type: 'sales',
  tags: [{ key: 'tier', value: '1' }],
  owners: [{ external_id: 'eve@corp.example', owner_type: 'Technical' }],
};

/** An application's whole, with something of every step of a push: rows, shared nodes, what is derived. */
export const FIRST_WHOLE = {
  applications: [
    {
      ...application,
      local_users: [
        { name: 'ann', identities: ['ann@corp.example'], groups: ['team'], tags: [{ key: 'vip' }] },
        { name: 'bob', identities: ['bob@corp.example'], is_active: true },
      ],
      local_groups: [{ name: 'team', identities: ['staff'] }],
      local_roles: [{ name: 'seller', permissions: ['read', 'write'] }],
      resources: [
        {
          name: 'offers',
          resource_type: 'folder',
          sub_resources: [{ name: 'may', resource_type: 'file' }],
        },
      ],
    },
  ],
  permissions,
  identity_to_permissions: [
    {
      identity: 'ann',
      identity_type: 'local_user',
      role_assignments: [{ application: 'crm', role: 'seller', resources: ['offers'] }],
    },
    {
      identity: 'bob@corp.example',
      identity_type: 'idp',
      application_permissions: [{ application: 'crm', permission: 'read', resources: ['offers'] }],
    },
  ],
};

const crowd = Array.from({ length: 16 }, (_, at) => `person${at}`);

/** The same with so many people that one transaction does not hold what it changes (`LARGE_ROWS`). */
export const LARGE_WHOLE = {
  ...FIRST_WHOLE,
  applications: FIRST_WHOLE.applications.map((one) => ({
    ...one,
    local_users: [
      ...one.local_users.slice(1),
      ...crowd.map((name) => ({
        name,
        identities: [`${name}@corp.example`, 'ann@corp.example'],
        groups: ['team'],
      })),
    ],
  })),
  identity_to_permissions: crowd.map((identity) => ({
    identity,
    identity_type: 'local_user',
    role_assignments: [{ application: 'crm', role: 'seller', resources: ['offers'] }],
  })),
};

/** What one transaction may hold: enough for all the others. */
export const LARGE_ROWS = 100;

/** Another whole of it: rows, mentions and what is derived come, change and go. */
export const OTHER_WHOLE = {
  applications: [
    {
      ...application,
      local_users: [
        { name: 'ann', identities: ['eve@corp.example'], tags: [{ key: 'moved', value: 'may' }] },
        { name: 'carl', identities: ['carl@partner.example'], groups: ['team'] },
      ],
      local_groups: [{ name: 'team' }],
      local_roles: [{ name: 'seller', permissions: ['read'] }],
      resources: [
        { name: 'offers', resource_type: 'folder', description: 'Sent ones' },
        { name: 'bills', resource_type: 'folder', owners: [{ external_id: 'ann@corp.example' }] },
      ],
    },
  ],
  permissions,
  identity_to_permissions: [
    {
      identity: 'carl',
      identity_type: 'local_user',
      role_assignments: [{ application: 'crm', role: 'seller', resources: ['bills'] }],
    },
    {
      identity: 'eve@corp.example',
      identity_type: 'idp',
      application_permissions: [{ application: 'crm', permission: 'write', resources: ['bills'] }],
    },
  ],
};

/** Changes to the other whole. */
export const INCREMENT = {
  incremental_change: true,
  applications: [
    {
      name: 'crm',
      application_type: 'sales',
      local_users: [
        { name: 'dora', identities: ['bob@corp.example'], operation: 'add' },
        { name: 'carl', operation: 'delete' },
        { name: 'ann', is_active: false, operation: 'modify' },
      ],
      resources: [
        {
          name: 'bills',
          resource_type: 'folder',
          tags: [{ key: 'moved', value: 'june' }],
          operation: 'add_tag',
        },
      ],
    },
  ],
  identity_to_permissions: [
    {
      identity: 'dora',
      identity_type: 'local_user',
      role_assignments: [
        { application: 'crm', role: 'seller', resources: ['offers'], operation: 'add' },
      ],
    },
  ],
};

/** A whole whose roles and accounts name what nobody has: refused when it has been read under the data source's lock. */
export const REFUSED = {
  ...OTHER_WHOLE,
  applications: [
    {
      ...application,
      local_users: [{ name: 'ann', groups: ['nobody'] }],
      local_roles: [{ name: 'seller', permissions: ['nothing'] }],
    },
  ],
};
