import { change, crm, inCrm, people, Scene } from './scene';

const ann = 'I|IdpUser|1';

describe('context (docs/rules.md: Increments)', () => {
  test('is not changed; what is not known is one warning for the outermost', () => {
    const scene = people();
    const outcome = scene.push(
      'I',
      change({
        users: [{ name: 'ann', identity: '1', email: 'other', tags: [{ key: 'z' }] }],
        groups: [{ name: 'G' }, { name: 'g', groups: [{ no: 'parent' }] }],
      }),
    );
    expect(outcome).toEqual({
      accepted: true,
      unchanged: true,
      warnings: [
        {
          message:
            'Ignored fields ["email","tags"] (user "ann"): an operation is missing; write "operation": "modify" to change them',
          code: 'MISSING_OPERATION',
          pointer: '/users/0',
        },
        {
          message: 'Cannot find group "G" (context)',
          code: 'UNKNOWN_CONTEXT',
          pointer: '/groups/0',
        },
        {
          message:
            'Ignored fields ["groups"] (group "g"): an operation is missing; write "operation": "modify" to change them',
          code: 'MISSING_OPERATION',
          pointer: '/groups/1',
        },
      ],
    });
    const nested = change({
      applications: [
        {
          name: 'no',
          local_users: [{ name: 'x' }, { name: 'y', operation: 'delete' }],
          resources: [
            {
              name: 'r',
              resource_type: 'F',
              sub_resources: [{ name: 's', resource_type: 'F', operation: 'remove_tag' }],
            },
          ],
        },
      ],
    });
    expect(new Scene().with('A', crm({})).warnings('A', nested)).toEqual([
      'Cannot find application "no" (context)',
    ]);
  });

  test('that is not known is an error with other operations inside', () => {
    const outer = (operation: string) =>
      inCrm({
        local_users: [{ name: 'no' }],
        resources: [
          {
            name: 'no',
            resource_type: 'F',
            sub_resources: [
              {
                name: 'a',
                resource_type: 'F',
                sub_resources: [{ name: 'b', resource_type: 'F', operation }],
              },
            ],
          },
        ],
      });
    const scene = new Scene().with('A', crm({}));
    expect(scene.problems('A', outer('add_tag'))).toEqual([
      '/applications/0/resources/0 UNKNOWN_ENTITY',
    ]);
    expect(scene.problems('A', outer('delete'))).toEqual([]);
  });
});

describe('what an increment ends in (docs/rules.md: Increments)', () => {
  test.each<[string, object, readonly string[]]>([
    [
      'no domain',
      { domains: [{ name: 'corp', operation: 'delete' }] },
      ['/domains/0 DOMAIN_COUNT'],
    ],
    [
      'two domains',
      { domains: [{ name: 'corp' }, { name: 'Corp', operation: 'add' }] },
      ['/domains/1 DOMAIN_COUNT'],
    ],
    [
      'another domain',
      {
        domains: [
          { name: 'corp', operation: 'delete' },
          { name: 'new', operation: 'add' },
        ],
      },
      [],
    ],
    [
      'six dynamic properties, counted in the end',
      {
        users: [
          { name: 'ann', operation: 'modify', dynamic_properties: { c: 1, d: 1, e: 1, f: 1 } },
          {
            name: 'bob',
            operation: 'add',
            dynamic_properties: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 },
          },
          { name: 'bob', operation: 'modify', dynamic_properties: { f: null } },
        ],
      },
      ['/users/0/dynamic_properties TOO_MANY_DYNAMIC_PROPERTIES'],
    ],
  ])('%s', (_name, payload, expected) => {
    expect(people().problems('I', change(payload))).toEqual(expected);
  });

  test('no application, nobody', () => {
    const gone = { name: 'crm', operation: 'delete' };
    expect(new Scene().with('A', crm({})).problems('A', change({ applications: [gone] }))).toEqual([
      '/applications/0 NO_APPLICATION',
      '/applications/0 NO_IDENTITY',
    ]);
    const fed = { identity: 'f', application_permissions: [{ application: 'a', permission: 'p' }] };
    const scene = new Scene().with('A', {
      applications: [{ name: 'a', application_type: 'a' }],
      permissions: [{ name: 'p' }],
      identity_to_permissions: [fed],
    });
    expect(
      scene.problems('A', change({ identity_to_permissions: [{ ...fed, operation: 'delete' }] })),
    ).toEqual(['/identity_to_permissions/0/application_permissions/0 NO_IDENTITY']);
    expect(
      scene.problems('A', change({ permissions: [{ name: 'p', operation: 'delete' }] })),
    ).toEqual(['/permissions/0 NO_IDENTITY']);
  });

  test('fields at the top merge; definitions are remembered and stay', () => {
    const scene = people().with(
      'I',
      change({ idp_type: null, name: 'People', idp_description: 'd' }),
    );
    expect(scene.node('I|IdpDomain|corp')?.properties).toMatchObject({ idp_name: 'People' });
    expect(scene.node(ann)?.properties).not.toHaveProperty('idp_type');
    scene.with('I', change({ name: '' }));
    const { properties } = scene.node('I|IdpDomain|corp') ?? {};
    expect(properties).toMatchObject({ idp_description: 'd' });
    expect(properties).not.toHaveProperty('idp_name');
    const stating = (custom_properties: object, more: object = {}) =>
      change({ users: [{ name: 'bob', operation: 'modify', custom_properties }], ...more });
    const definitions = (type: string) => ({
      custom_property_definition: { user_properties: { level: type, more: 'STRING' } },
    });
    expect(scene.problems('I', stating({ level: 'x', more: 1 }))).toEqual([
      '/users/0/custom_properties/level PROPERTY_TYPE',
      '/users/0/custom_properties/more UNDECLARED_PROPERTY',
    ]);
    expect(scene.problems('I', stating({}, definitions('STRING')))).toEqual([
      '/custom_property_definition/user_properties/level PROPERTY_TYPE_CHANGED',
    ]);
    expect(scene.problems('I', stating({ more: 'x' }, definitions('NUMBER')))).toEqual([]);
    expect(scene.problems('I', stating({ more: 'y' }))).toEqual([]);
  });
});

describe('operations (docs/rules.md: Increments)', () => {
  test('that a kind does not have are errors', () => {
    const scene = people().with('A', crm({}, { permissions: [{ name: 'p' }] }));
    const onUser = { users: [{ name: 'ann', Operation: 'add_resource' }] };
    expect(scene.problems('I', change(onUser))).toEqual([
      '/users/0/Operation OPERATION_NOT_ALLOWED',
    ]);
    const element = { application: 'crm', permission: 'p', operation: 'add_tag' };
    expect(
      scene.problems(
        'A',
        inCrm(
          { resources: [{ name: 'r', resource_type: 'F', operation: 'delete_resource' }] },
          {
            permissions: [{ name: 'p', operation: 'remove_tag' }],
            identity_to_permissions: [
              { identity: 'f', application_permissions: [element] },
              { identity: 'f', operation: 'add_resource', application_permissions: [element] },
            ],
          },
        ),
      ),
    ).toEqual([
      '/applications/0/resources/0/operation OPERATION_NOT_ALLOWED',
      '/identity_to_permissions/0/application_permissions/0/operation OPERATION_NOT_ALLOWED',
      '/identity_to_permissions/1/operation OPERATION_NOT_ALLOWED',
      '/permissions/0/operation OPERATION_NOT_ALLOWED',
    ]);
  });
});

describe('warnings (docs/rules.md: Warnings)', () => {
  test('are about what the push states, judged after it', () => {
    const scene = new Scene().with(
      'A',
      crm(
        {
          local_users: [{ name: 'u', identities: ['x'], owners: [{ external_id: 'boss' }] }],
          local_roles: [{ name: 'r', permissions: ['p'] }, { name: 'empty' }],
        },
        { permissions: [{ name: 'p' }] },
      ),
    );
    const warned = (inside: object, beside: object = {}) =>
      scene.warnings('A', inCrm(inside, beside));
    expect(warned({ local_users: [{ name: 'u', operation: 'modify', email: 'e' }] })).toEqual([]);
    expect(
      warned({
        local_users: [
          { name: 'u', operation: 'modify', identities: ['x'] },
          { name: 'u', operation: 'modify', identities: ['y'] },
          { name: 'v', operation: 'add', identities: ['z'] },
          { name: 'v', operation: 'delete' },
        ],
        local_roles: [
          { name: 'empty', operation: 'modify', tags: [{ key: 't' }] },
          { name: 'r', operation: 'modify', roles: ['empty'], permissions: null },
        ],
      }),
    ).toEqual([
      'Cannot find identity by names ["y"] (local user "u" of application "crm": identities)',
    ]);
    expect(warned({ local_roles: [{ name: 'r', operation: 'modify', roles: [] }] })).toEqual([
      'Role is missing permission (local role "r" of application "crm")',
    ]);
  });
});
