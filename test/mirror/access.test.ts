import { rules, type Rule } from './access';
import type { ApplicationPayload } from './payload';
import { idp, Scene } from './scene';

const A = 'A|Application|crm';
const top = 'A|Resource|crm|/folder|top';
const sub = `${top}|/file|sub`;

/** An application with a folder `top` around a file `sub`, permissions of every sort, and more. */
function app(inside: object, statements: readonly object[], type = 'Sales'): ApplicationPayload {
  return {
    applications: [
      {
        name: 'crm',
        application_type: type,
        local_users: [{ name: 'u' }],
        resources: [
          {
            name: 'top',
            resource_type: 'Folder',
            sub_resources: [{ name: 'sub', resource_type: 'File' }],
          },
        ],
        ...inside,
      },
    ],
    permissions: [
      { name: 'view' },
      { name: 'deep', apply_to_sub_resources: true },
      { name: 'typed', resource_types: ['FILE'], apply_to_sub_resources: true },
      { name: 'sales', application_type: ['SALES'] },
      { name: 'other', application_type: ['other'] },
    ],
    identity_to_permissions: statements as ApplicationPayload['identity_to_permissions'],
  };
}

const grant = (identity: string, type: string, permission: string, more: object = {}) => ({
  identity,
  identity_type: type,
  application_permissions: [{ application: 'crm', permission, ...more }],
});
const assign = (identity: string, type: string, role: string, more: object = {}) => ({
  identity,
  identity_type: type,
  role_assignments: [{ application: 'crm', role, ...more }],
});
const toUser = (permission: string, more: object = {}) =>
  grant('u', 'local_user', permission, more);
const roleToUser = (role: string, more: object = {}) => assign('u', 'local_user', role, more);
const user = 'A|LocalUser|crm|u';
const without = (rule: Rule): ReadonlySet<Rule> => new Set(rules.filter((one) => one !== rule));

/** Each: what is said, whose access, what it is, and the rule without which there is none (or other). */
describe('effective access (docs/rules.md: Effective access)', () => {
  const local = (inside: object, ...statements: readonly object[]): Scene =>
    new Scene().with('A', app(inside, statements));
  const people = (users: readonly object[], more: object = {}) => idp({ users: users, ...more });

  test.each<[string, () => Scene, string, readonly string[], Rule, readonly string[]]>([
    [
      'a grant holds on what it is on',
      () => local({}, toUser('view', { resources: ['top'] })),
      user,
      [`${top}: view`],
      'grant',
      [],
    ],
    [
      'a grant without a scope holds on the application alone',
      () => local({}, toUser('view')),
      user,
      [`${A}: view`],
      'grant on application',
      [],
    ],
    [
      'apply_to_application false and no resources: nothing',
      () => local({}, toUser('view', { apply_to_application: false }), toUser('deep')),
      user,
      [`${A}: deep`, `${sub}: deep`, `${top}: deep`],
      'inheritance from application',
      [`${A}: deep`],
    ],
    [
      'an inherited permission holds on all that a resource contains',
      () =>
        local({}, toUser('deep', { resources: ['top'] }), toUser('view', { resources: ['top'] })),
      user,
      [`${sub}: deep`, `${top}: deep, view`],
      'inheritance from resources',
      [`${top}: deep, view`],
    ],
    [
      'a typed permission granted directly holds anywhere',
      () => local({}, toUser('typed', { resources: ['top'] })),
      user,
      [`${sub}: typed`, `${top}: typed`],
      'types ignored in grants',
      [`${sub}: typed`],
    ],
    [
      'a role assigned on the application holds on all its resources, typed ones on their type',
      () =>
        local({ local_roles: [{ name: 'r', permissions: ['view', 'typed'] }] }, roleToUser('r')),
      user,
      [`${A}: view`, `${sub}: typed, view`, `${top}: view`],
      'typed permissions through roles',
      [`${A}: typed, view`, `${sub}: typed, view`, `${top}: typed, view`],
    ],
    [
      'a role assigned on resources holds there, and below what is inherited',
      () =>
        local(
          { local_roles: [{ name: 'r', permissions: ['view', 'deep', 'typed'] }] },
          roleToUser('r', { resources: ['top'] }),
        ),
      user,
      [`${sub}: deep, typed`, `${top}: deep, view`],
      'role assignment',
      [],
    ],
    [
      'without resources and application a role holds nowhere',
      () =>
        local(
          { local_roles: [{ name: 'r', permissions: ['view'] }] },
          roleToUser('r', { apply_to_application: false }),
          toUser('view'),
        ),
      user,
      [`${A}: view`],
      'grant',
      [],
    ],
    [
      'the whole application is meant by a role on it',
      () =>
        local(
          { local_roles: [{ name: 'r', permissions: ['view'] }] },
          roleToUser('r', { apply_to_application: true, resources: ['sub'] }),
        ),
      user,
      [`${A}: view`, `${sub}: view`, `${top}: view`],
      'role on whole application',
      [`${A}: view`, `${sub}: view`],
    ],
    [
      'included roles to any depth, in cycles too',
      () =>
        local(
          {
            local_roles: [
              { name: 'r', roles: ['s'] },
              { name: 's', roles: ['t'] },
              { name: 't', roles: ['r'], permissions: ['view'] },
            ],
          },
          roleToUser('r', { resources: ['sub'] }),
        ),
      user,
      [`${sub}: view`],
      'permissions of included roles',
      [],
    ],
    [
      'who holds a role, on whatever scope, has what the role itself holds',
      () =>
        local(
          { local_roles: [{ name: 'r' }] },
          roleToUser('r', { apply_to_application: false }),
          grant('r', 'local_role', 'view'),
        ),
      user,
      [`${A}: view`],
      'role as holder',
      [],
    ],
    [
      'and what roles included in it hold',
      () =>
        local(
          { local_roles: [{ name: 'r', roles: ['s'] }, { name: 's' }] },
          roleToUser('r'),
          grant('s', 'local_role', 'view'),
        ),
      user,
      [`${A}: view`],
      'included role as holder',
      [],
    ],
    [
      'application types filter, folded',
      () => local({}, toUser('sales'), toUser('other')),
      user,
      [`${A}: sales`],
      'application_type',
      [`${A}: other, sales`],
    ],
    [
      'types compare folded',
      () => local({}, toUser('sales'), toUser('view')),
      user,
      [`${A}: sales, view`],
      'types compared folded',
      [`${A}: view`],
    ],
    [
      'groups in groups',
      () =>
        local(
          {
            local_users: [{ name: 'u', groups: ['g'] }],
            local_groups: [
              { name: 'g', groups: ['h'] },
              { name: 'h', groups: ['g'] },
            ],
          },
          grant('h', 'local_group', 'view'),
        ),
      user,
      [`${A}: view`],
      'MEMBER_OF',
      [],
    ],
    [
      'credentials',
      () =>
        local(
          { local_users: [{ name: 'u', access_creds: ['k'] }], local_access_creds: [{ id: 'k' }] },
          grant('k', 'local_access_creds', 'view'),
        ),
      user,
      [`${A}: view`],
      'HAS_CREDENTIAL',
      [],
    ],
    [
      'a person by an identity that holds',
      () => local({}, grant('ANN', 'idp', 'view')).with('I', people([{ name: 'x', email: 'Ann' }])),
      'I|IdpUser|x',
      [`${A}: view`],
      'KNOWN_AS',
      [],
    ],
    [
      'a person by an account',
      () =>
        local({ local_users: [{ name: 'u', identities: ['ann'] }] }, toUser('view')).with(
          'I',
          people([{ name: 'ann' }]),
        ),
      'I|IdpUser|ann',
      [`${A}: view`],
      'IDENTITY_OF',
      [],
    ],
    [
      'what is granted to a user is granted to its source identity',
      () =>
        local({}, grant('ann', 'idp', 'view'))
          .with(
            'I',
            people([{ name: 'ann', source_identity: { identity: 'o', provider_type: 'any' } }]),
          )
          .with('J', people([{ name: 'o' }])),
      'J|IdpUser|o',
      [`${A}: view`],
      'SOURCE_IDENTITY_OF',
      [],
    ],
    ...(['ASSIGNED_TO', 'ASSUMES_ROLE', 'ACTS_AS'] as const).map(
      (rule): [string, () => Scene, string, readonly string[], Rule, readonly string[]] => [
        `an app's cloud role acts as a role that holds, not as what it allows (${rule})`,
        () =>
          local(
            { local_roles: [{ name: 'r', id: 'arn:1', permissions: ['deep'] }] },
            grant('r', 'local_role', 'view'),
          ).with(
            'I',
            people([{ name: 'ann', app_assignments: [{ id: '1', app_id: 'p' }] }], {
              apps: [{ id: 'p', name: 'p', assumed_role_arns: [{ identity: 'arn:1' }] }],
            }),
          ),
        'I|IdpUser|ann',
        [`${A}: view`],
        rule,
        [],
      ],
    ),
    [
      'a resource acts with what it connects to, one step',
      () =>
        local(
          {
            local_groups: [{ name: 'g', groups: ['h'] }, { name: 'h' }],
            resources: [
              {
                name: 'top',
                resource_type: 'Folder',
                connections: [{ node_type: 'LocalGroup', id: 'G' }],
              },
              {
                name: 'far',
                resource_type: 'Folder',
                connections: [{ node_type: 'Folder', id: 'top' }],
              },
            ],
          },
          grant('h', 'local_group', 'view'),
          toUser('view', { resources: ['top', 'far'] }),
        ),
      top,
      [`${A}: view`],
      'connections',
      [],
    ],
    [
      'the inactive keep their access',
      () => local({ local_users: [{ name: 'u', is_active: false }] }, toUser('view')),
      user,
      [`${A}: view`],
      'inactive keep access',
      [],
    ],
  ])('%s', (_name, scene, who, expected, rule, left) => {
    expect(scene().access(who)).toEqual([...expected].toSorted());
    expect(scene().access(who, without(rule))).toEqual([...left].toSorted());
  });

  test('access to a connected resource does not pass on what it can do', () => {
    const scene = local(
      {
        local_groups: [{ name: 'g' }],
        resources: [
          {
            name: 'top',
            resource_type: 'Folder',
            connections: [{ node_type: 'LocalGroup', id: 'g' }],
          },
        ],
      },
      grant('g', 'local_group', 'deep'),
      toUser('view', { resources: ['top'] }),
    );
    expect(scene.access(user)).toEqual([`${top}: view`]);
    expect(scene.access(top)).toEqual([`${A}: deep`, `${top}: deep`]);
  });
});
