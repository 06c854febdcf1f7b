import { checkApplication } from '../../src/check/application';
import { Definitions } from '../../src/check/definitions';
import { checkFlat } from '../../src/check/flat';
import type {
  ApplicationEntity as Application,
  ApplicationPayload,
} from '../../src/templates/application/payload';
import {
  identityProvider,
  type IdentityProviderPayload,
} from '../../src/templates/identity-provider/template';

const inApplication = (application: Partial<Application>, more: ApplicationPayload = {}) =>
  checkApplication(
    {
      applications: [
        { name: 'CRM', application_type: 'crm', local_groups: [{ name: 'g' }], ...application },
      ],
      ...more,
    },
    Definitions.none,
  ).problems.problems.map(({ pointer, code }) => `${pointer} ${code}`);

const inProvider = (payload: IdentityProviderPayload) =>
  checkFlat(
    identityProvider,
    { domains: [{ name: 'd' }], ...payload },
    Definitions.none,
  ).problems.problems.map(({ pointer, code }) => `${pointer} ${code}`);

describe('an application payload has an identity when it has', () => {
  const none = { local_groups: null };
  test.each<[string, Partial<Application>, ApplicationPayload]>([
    ['a local user', { ...none, local_users: [{ name: 'a' }] }, {}],
    ['a local group', { local_groups: [{ name: 'a' }] }, {}],
    ['a local role', { ...none, local_roles: [{ name: 'a' }] }, {}],
    ['an agent', { ...none, local_agents: [{ name: 'a' }] }, {}],
    ['a credential', { ...none, local_access_creds: [{ id: 'a' }] }, {}],
    ['an entry without a type', none, { identity_to_permissions: [{ identity: 'a' }] }],
    ['an idp entry', none, { identity_to_permissions: [{ identity: 'a', identity_type: 'idp' }] }],
  ])('%s', (_, application, more) => {
    expect(inApplication(application, more)).toEqual([]);
  });

  test.each<[string, Partial<Application>, ApplicationPayload]>([
    ['a model', { ...none, local_models: [{ name: 'a' }] }, {}],
    [
      'a local entry',
      none,
      { identity_to_permissions: [{ identity: 'a', identity_type: 'local_user' }] },
    ],
  ])('but not with only %s', (_, application, more) => {
    expect(inApplication(application, more)).toEqual([' NO_IDENTITY']);
  });
});

describe('ids are told apart', () => {
  test('exactly: case and spaces count', () => {
    expect(
      inApplication({ local_users: [{ name: 'ann' }, { name: 'Ann' }, { name: 'ann ' }] }),
    ).toEqual([]);
  });

  test('by kind and application', () => {
    const local_users = [{ name: 'a' }];
    const second = { name: 'crm', application_type: 'crm', local_users };
    expect(
      inApplication({ local_users, local_groups: [{ name: 'a' }], local_roles: [{ name: 'a' }] }),
    ).toEqual([]);
    expect(
      checkApplication(
        { applications: [{ name: 'CRM', application_type: 'crm', local_users }, second] },
        Definitions.none,
      ).problems.total,
    ).toBe(0);
  });

  test('by unique_id before id before name, the empty ones passed over', () => {
    expect(
      inApplication({
        local_users: [
          { name: 'x', id: 'y', unique_id: 'z' },
          { name: 'z' },
          { name: 'y', id: '' },
          { name: 'x', unique_id: '' },
        ],
      }),
    ).toEqual(['/applications/0/local_users/1 DUPLICATE_ID']);
  });

  test('for resources by type, in another place only with an id', () => {
    const leaf = { name: 'leaf', resource_type: 'file' };
    const ided = { name: 'x', id: '7', resource_type: 'page' };
    expect(
      inApplication({
        resources: [
          { name: 'a', resource_type: 'folder', sub_resources: [leaf, ided] },
          { name: 'b', resource_type: 'folder', sub_resources: [leaf, { ...ided, name: 'y' }] },
          leaf,
          { ...ided, resource_type: 'post' },
        ],
      }),
    ).toEqual(['/applications/0/resources/1/sub_resources/1 DUPLICATE_ID']);
  });

  test('in document order, whatever the depth', () => {
    const page = (name: string) => ({ name, id: '1', resource_type: 'page' });
    expect(
      inApplication({
        resources: [
          { name: 'a', resource_type: 'folder', sub_resources: [page('first')] },
          page('second'),
        ],
      }),
    ).toEqual(['/applications/0/resources/1 DUPLICATE_ID']);
  });

  test('each later one of three is a problem', () => {
    expect(
      inProvider({ groups: [{ name: 'g' }, { name: 'g' }, { name: 'x', identity: 'g' }] }),
    ).toEqual(['/groups/1 DUPLICATE_ID', '/groups/2 DUPLICATE_ID']);
  });

  test('an assignment id only within its principal', () => {
    const assignment = { id: '1', app_id: 'a' };
    expect(
      inProvider({
        users: [
          { name: 'ann', app_assignments: [assignment] },
          { name: 'bob', app_assignments: [assignment, { ...assignment, app_id: 'b' }] },
        ],
      }),
    ).toEqual(['/users/1/app_assignments/1 DUPLICATE_ID']);
  });
});

test('five dynamic properties are allowed, unset ones are not counted', () => {
  const five = { a: 1, b: 2, c: 3, d: 4, e: 5 };
  expect(
    inProvider({ users: [{ name: 'ann', dynamic_properties: { ...five, f: null } }] }),
  ).toEqual([]);
  expect(inProvider({ groups: [{ name: 'g', dynamic_properties: { ...five, f: '' } }] })).toEqual([
    '/groups/0/dynamic_properties TOO_MANY_DYNAMIC_PROPERTIES',
  ]);
});

describe('custom properties of a role assignment', () => {
  const definition = {
    applications: [
      { application_type: 'CRM', role_assignment_properties: { until: 'TIMESTAMP' as const } },
    ],
  };
  const assigned = (application: string, custom_properties: Record<string, string>) =>
    inApplication(
      {},
      {
        custom_property_definition: definition,
        identity_to_permissions: [
          { identity: 'a', role_assignments: [{ application, role: 'r', custom_properties }] },
        ],
      },
    );
  const at = '/identity_to_permissions/0/role_assignments/0/custom_properties';

  test('are those declared for the type of the application, however it is spelt', () => {
    expect(assigned('crm', { until: '2024-01-01T00:00:00Z' })).toEqual([]);
  });

  test('are of their declared type', () => {
    expect(assigned('CRM', { until: 'soon' })).toEqual([`${at}/until PROPERTY_TYPE`]);
    expect(assigned('CRM', { since: 'x' })).toEqual([`${at}/since UNDECLARED_PROPERTY`]);
  });

  test('are left alone when the application is not known', () => {
    expect(assigned('erp', { since: 'x' })).toEqual([]);
  });
});

test('an unset property needs no declaration', () => {
  expect(inProvider({ users: [{ name: 'ann', custom_properties: { a: null } }] })).toEqual([]);
});
