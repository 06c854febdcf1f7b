/** A person as she stands in all that names her. */
export const ERIN = {
  id: 'u-7731',
  login: 'erin.q7x',
  email: 'erin.q7x@corp.example',
  name: 'Erin Quatermass',
  former: 'Erin Vexler',
} as const;

/** All by which she may be found. */
export const ERINS_NAMES: readonly string[] = Object.values(ERIN);

type Json = Readonly<Record<string, unknown>>;

const only = <A>(isThere: boolean, ...values: readonly A[]): readonly A[] =>
  isThere ? values : [];

const declared = {
  custom_property_definition: { user_properties: { contact: 'STRING', backups: 'STRING_LIST' } },
};

/** A directory: Erin, who manages Bob, owns a page and comes from another directory. */
export const directory = (isThere: boolean, fullName: string = ERIN.name): Json => ({
  name: 'corp',
  idp_type: 'okta',
  domains: [{ name: 'corp.example' }],
  groups: [{ name: 'staff' }],
  apps: [{ id: 'mail', name: 'Mail' }],
  users: [
    {
      name: 'bob',
      identity: 'u-1',
      email: 'bob@corp.example',
      groups: [{ identity: 'staff' }],
      custom_properties: {
        backups: ['carl', ...only(isThere, ERIN.login)],
        ...(isThere && { contact: `Ask ${ERIN.email}.` }),
      },
      ...(isThere && { manager_id: ERIN.id }),
    },
    ...only(isThere, {
      name: ERIN.login,
      identity: ERIN.id,
      email: ERIN.email,
      full_name: fullName,
      groups: [{ identity: 'staff' }],
      app_assignments: [{ id: 'a1', app_id: 'mail', name: 'Mail of Erin' }],
      entities_owned: [{ node_type: 'page', id: 'home' }],
    }),
  ],
  ...declared,
});

/** Another directory, in which she has a user that names the first one as its source. */
export const cloud = (isThere: boolean): Json => ({
  name: 'cloud',
  idp_type: 'custom',
  domains: [{ name: 'cloud.example' }],
  users: [
    {
      name: 'carl',
      ...(isThere && { source_identity: { identity: ERIN.id, provider_type: 'one_login' } }),
    },
    ...only(isThere, {
      name: 'q7x',
      identity: 'cloud-00a1',
      source_identity: { identity: ERIN.id, provider_type: 'okta' },
    }),
  ],
});

const employee = (id: string, first: string, last: string): Json => ({
  id,
  name: `${first} ${last}`,
  employee_number: `no-${id}`,
  first_name: first,
  last_name: last,
  is_active: true,
  employment_status: 'ACTIVE',
});

/** An HR system: Erin is the manager of Bob. */
export const people = (isThere: boolean): Json => ({
  name: 'people',
  hris_type: 'workday',
  system: { id: 'hr', name: 'HR' },
  groups: [{ id: 'g', name: 'Staff' }],
  employees: [
    { ...employee('e1', 'Bob', 'Bobson'), managers: only(isThere, { id: 'e2' }) },
    ...only(isThere, {
      ...employee('e2', 'Erin', 'Quatermass'),
      email: ERIN.email,
      groups: [{ id: 'g' }],
    }),
  ],
});

const grant = (identity: string, type?: string): Json => ({
  identity,
  ...(type !== undefined && { identity_type: type }),
  application_permissions: [{ application: 'Wiki', permission: 'read', resources: ['home'] }],
  role_assignments: [{ application: 'Wiki', role: 'editor', apply_to_application: true }],
});

/** An application: accounts, grants, owners, tags, a mailbox, and a group of which she is a member. */
export const wiki = (isThere: boolean): Json => ({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      owners: [{ external_id: 'bob@corp.example' }, ...only(isThere, { external_id: ERIN.email })],
      local_groups: [{ name: 'writers' }],
      local_roles: [{ name: 'editor', permissions: ['read'] }],
      local_users: [
        { name: 'bob', identities: ['bob@corp.example'], groups: ['writers'] },
        // Bob and Erin share this account.
        { name: 'desk', identities: ['u-1', ...only(isThere, ERIN.id)] },
        ...only<Json>(
          isThere,
          {
            name: 'erin',
            id: 'w-9',
            identities: [ERIN.email, 'erins-old-login'],
            groups: ['writers'],
          },
          { name: ERIN.login, id: 'w-10' },
        ),
      ],
      resources: [
        {
          name: 'home',
          id: 'home',
          resource_type: 'page',
          tags: [
            { key: 'state', value: 'new' },
            ...only(isThere, { key: 'author', value: ERIN.login }),
          ],
        },
        ...only(isThere, {
          name: ERIN.email,
          id: 'm1',
          resource_type: 'mailbox',
          sub_resources: [{ name: 'Inbox', id: 'm2', resource_type: 'folder' }],
        }),
      ],
    },
  ],
  permissions: [{ name: 'read', permission_type: ['DataRead'], apply_to_sub_resources: true }],
  identity_to_permissions: [
    grant('bob@corp.example'),
    grant('bob', 'local_user'),
    ...only(isThere, grant(ERIN.email), grant('w-9', 'local_user'), grant(ERIN.name)),
  ],
});
