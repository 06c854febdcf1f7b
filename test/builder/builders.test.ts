import {
  ApplicationBuilder,
  type Application,
  HrisBuilder,
  IdentityProviderBuilder,
  type IdpUser,
  validatePayload,
} from '../../src/library';

const problemsOf = (template: Parameters<typeof validatePayload>[0], payload: object) =>
  validatePayload(template, JSON.stringify(payload)).problems.map(({ code, pointer }) => [
    code,
    pointer,
  ]);

test('an application: what one holder holds stands in one entry', () => {
  const ann = { identity: 'ann', identity_type: 'local_user' };
  const payload = new ApplicationBuilder({ name: 'wiki', application_type: 'wiki' })
    .define({ name: 'edit', permission_type: ['DataWrite'] })
    .add('local_users', { name: 'ann' }, { name: 'bob' })
    .add('local_roles', { name: 'editor', permissions: ['edit'] })
    .add('resources', { name: 'Handbook', resource_type: 'space' })
    .grant(ann, 'edit')
    .grant({ identity: 'ann@example.org' }, 'edit', { resources: ['Handbook'] })
    .assign(ann, 'editor', { resources: ['Handbook'] })
    .build();
  expect(payload).toEqual({
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        local_users: [{ name: 'ann' }, { name: 'bob' }],
        local_roles: [{ name: 'editor', permissions: ['edit'] }],
        resources: [{ name: 'Handbook', resource_type: 'space' }],
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
    identity_to_permissions: [
      {
        ...ann,
        application_permissions: [
          { application: 'wiki', permission: 'edit', apply_to_application: true },
        ],
        role_assignments: [{ application: 'wiki', role: 'editor', resources: ['Handbook'] }],
      },
      {
        identity: 'ann@example.org',
        application_permissions: [
          { application: 'wiki', permission: 'edit', resources: ['Handbook'] },
        ],
        role_assignments: [],
      },
    ],
  });
  expect(problemsOf('application', payload)).toEqual([]);
});

test('an identity provider and an HR system', () => {
  const directory = new IdentityProviderBuilder({ name: 'Directory', idp_type: 'ldap' })
    .add('domains', { name: 'example.org' })
    .add('users', { name: 'ann', groups: [{ identity: 'staff' }] })
    .add('groups', { name: 'staff' })
    .build();
  expect(problemsOf('identity_provider', directory)).toEqual([]);
  const people = new HrisBuilder({ name: 'People', system: { id: 'p', name: 'People' } })
    .add('groups', { id: 'sales', name: 'Sales', group_type: 'department' })
    .build();
  expect(people).toEqual({
    name: 'People',
    system: { id: 'p', name: 'People' },
    groups: [{ id: 'sales', name: 'Sales', group_type: 'department' }],
  });
  expect(problemsOf('hris', people)).toEqual([]);
});

test('the compiler refuses what the service would refuse', () => {
  // @ts-expect-error A user needs a name.
  const nameless: IdpUser = { email: 'ann@example.org' };
  // @ts-expect-error A flag is no text.
  const active: IdpUser = { name: 'ann', is_active: 'yes' };
  // @ts-expect-error There is no such kind of user.
  const robot: IdpUser = { name: 'ann', identity_type: 'ROBOT' };
  const directory = new IdentityProviderBuilder({}).add('domains', { name: 'd' });
  directory.add('users', nameless, active, robot);
  expect(problemsOf('identity_provider', directory.build())).toEqual([
    ['MISSING_FIELD', '/users/0/name'],
    ['WRONG_TYPE', '/users/1/is_active'],
    ['UNKNOWN_VALUE', '/users/2/identity_type'],
  ]);

  // @ts-expect-error An application has a type.
  const typeless: Application = { name: 'wiki' };
  const wiki = new ApplicationBuilder(typeless);
  // @ts-expect-error There is no such field.
  wiki.add('local_users', { name: 'ann', e_mail: 'ann@example.org' });
  // @ts-expect-error There is no such list.
  wiki.add('lokal_users', { name: 'ann' });
  expect(problemsOf('application', wiki.build())).toEqual([
    ['UNKNOWN_FIELD', '/applications/0/local_users/0/e_mail'],
    ['UNKNOWN_FIELD', '/applications/0/lokal_users'],
    ['MISSING_FIELD', '/applications/0/application_type'],
  ]);

  // @ts-expect-error A payload has one system, not a list.
  const systems = new HrisBuilder({ system: [{ id: 'h', name: 'H' }] });
  expect(problemsOf('hris', systems.build())).toEqual([['WRONG_TYPE', '/system']]);
});
