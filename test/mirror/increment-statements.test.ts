import { change, crm, Scene } from './scene';

describe('statements (docs/rules.md: Increments)', () => {
  const view = { application: 'crm', permission: 'view' };
  const admin = { application: 'crm', role: 'admin' };
  const standing = () =>
    new Scene().with(
      'A',
      crm(
        {
          local_users: [{ name: 'ann' }, { name: 'bob' }],
          local_roles: [{ name: 'admin', permissions: ['view'] }, { name: 'guest' }],
          resources: ['a', 'b'].map((name) => ({ name, resource_type: 'F' })),
        },
        {
          permissions: [{ name: 'view' }, { name: 'edit' }],
          custom_property_definition: {
            applications: [
              { application_type: 'sales', role_assignment_properties: { until: 'TIMESTAMP' } },
            ],
          },
          identity_to_permissions: [
            {
              identity: 'ann',
              identity_type: 'local_user',
              application_permissions: [{ ...view, resources: ['a'] }],
              role_assignments: [
                { ...admin, custom_properties: { until: '2024-01-01T00:00:00Z' } },
              ],
            },
            { identity: 'Fed', application_permissions: [view] },
          ],
        },
      ),
    );
  const entry = (parts: object) => change({ identity_to_permissions: [parts] });
  const anns = (element: object, parts: object = {}) =>
    entry({
      identity: 'ANN',
      identity_type: 'local_user',
      ...parts,
      application_permissions: [{ ...view, ...element }],
    });
  const grant = 'A|Grant|crm|local_user|ann|view';
  const scope = (scene: Scene, key = grant) =>
    scene
      .all('ON')
      .filter((pair) => pair.startsWith(`${key} >`))
      .map((pair) => pair.split('|').at(-1));

  test.each<[string, object, readonly string[]]>([
    ['add unites scopes', { operation: 'add', resources: ['B'] }, ['a', 'b']],
    ['add without a scope brings the default', { operation: 'add' }, ['crm', 'a']],
    [
      'add of no scope brings none',
      { operation: 'add', apply_to_application: false, resources: [] },
      ['a'],
    ],
    ['modify sets the resources', { operation: 'modify', resources: ['b'] }, ['b']],
    ['modify to no resources', { operation: 'modify', resources: null }, []],
    [
      'modify sets the application',
      { operation: 'modify', apply_to_application: true },
      ['crm', 'a'],
    ],
    ['modify of neither half', { operation: 'modify' }, ['a']],
    ['add_resource', { operation: 'add_resource', resources: ['b', 'a'] }, ['a', 'b']],
    ['delete_resource', { operation: 'delete_resource', resources: ['A', 'a'] }, []],
  ])('%s', (_name, element, expected) => {
    const scene = standing().with('A', anns(element));
    expect(scope(scene)).toEqual(expected);
    expect(scene.node(grant)).toBeDefined();
  });

  test.each([null, false])(
    'modify to apply_to_application %s takes the application away',
    (value) => {
      const scene = standing().with('A', anns({ operation: 'add' }));
      scene.with('A', anns({ operation: 'modify', apply_to_application: value }));
      expect(scope(scene)).toEqual(['a']);
    },
  );

  test('an entry counts for its elements without an operation', () => {
    const scene = standing().with('A', anns({ resources: ['b'] }, { operation: 'add' }));
    expect(scope(scene)).toEqual(['a', 'b']);
    expect(scene.with('A', anns({}, { operation: 'delete' })).node(grant)).toBeUndefined();
  });

  test('modify and add_resource of what does not stand are errors, deletions warnings', () => {
    const edit = { permission: 'edit', resources: ['a'] };
    for (const operation of ['modify', 'add_resource']) {
      expect(standing().problems('A', anns({ ...edit, operation }))).toEqual([
        '/identity_to_permissions/0/application_permissions/0 UNKNOWN_ENTITY',
      ]);
    }
    for (const operation of ['delete', 'delete_resource']) {
      expect(standing().warnings('A', anns({ ...edit, operation }))).toEqual([
        `Cannot find application permission "edit" of application "crm" for local user "ANN" (${operation})`,
      ]);
    }
    expect(
      standing().warnings(
        'A',
        anns({ operation: 'delete_resource', resources: ['b', 'no', 'a', 'no'] }),
      ),
    ).toEqual([
      'Cannot find resources ["b","no"] (application permission "view" of application "crm" for local user "ANN": delete_resource)',
    ]);
    expect(
      standing().warnings(
        'A',
        entry({
          identity: 'nobody',
          identity_type: 'local_group',
          operation: 'delete',
          role_assignments: [{ application: 'no', role: 'no', custom_properties: { no: 1 } }],
        }),
      ),
    ).toEqual([
      'Cannot find role assignment "no" of application "no" for local group "nobody" (delete)',
    ]);
    expect(standing().warnings('A', anns({ permission: 'edit' }))).toEqual([
      'Cannot find application permission "edit" of application "crm" for local user "ANN" (context)',
    ]);
  });

  test('what is added must be known', () => {
    expect(
      standing().problems(
        'A',
        entry({
          identity: 'no',
          identity_type: 'local_user',
          operation: 'add',
          application_permissions: [{ ...view, resources: ['no'] }],
          role_assignments: [{ ...admin, role: 'no', custom_properties: { no: 1 } }],
        }),
      ),
    ).toEqual([
      '/identity_to_permissions/0/application_permissions/0/resources/0 UNKNOWN_REFERENCE',
      '/identity_to_permissions/0/identity UNKNOWN_REFERENCE',
      '/identity_to_permissions/0/role_assignments/0/custom_properties/no UNDECLARED_PROPERTY',
      '/identity_to_permissions/0/role_assignments/0/role UNKNOWN_REFERENCE',
    ]);
  });

  test('role assignments are told apart by their custom properties, compared by value', () => {
    const until = { custom_properties: { until: '2024-01-01T01:00:00+01:00' } };
    const assignments = (operation: string, more: object) =>
      entry({
        identity: 'ann',
        identity_type: 'local_user',
        role_assignments: [{ ...admin, operation, ...more }],
      });
    const scene = standing().with('A', assignments('add', {}));
    expect(scene.keys('RoleAssignment')).toHaveLength(2);
    expect(scene.warnings('A', assignments('delete', until))).toEqual([]);
    expect(scene.keys('RoleAssignment')).toEqual(['A|RoleAssignment|crm|local_user|ann|admin|']);
  });

  test('delete of a whole entry without elements removes all that the identity holds', () => {
    const all = (parts: object) => entry({ operation: 'delete', ...parts });
    const scene = standing().with(
      'A',
      all({ identity: 'ann', identity_type: 'local_user', role_assignments: [] }),
    );
    expect(scene.keys('Entitlement')).toEqual(['A|Grant|crm|idp|fed|view']);
    expect(scene.with('A', all({ identity: 'FED' })).keys('Entitlement')).toEqual([]);
    expect(scene.warnings('A', all({ identity: 'fed' }))).toEqual([
      'Cannot find identity "fed" (delete)',
    ]);
    expect(scene.warnings('A', all({ identity: 'no', identity_type: 'local_role' }))).toEqual([
      'Cannot find local role "no" (delete)',
    ]);
  });

  test('modify of a whole entry makes each list that is present the whole list', () => {
    const whole = (parts: object) =>
      entry({ identity: 'ann', identity_type: 'local_user', operation: 'modify', ...parts });
    const edit = { application: 'crm', permission: 'edit' };
    const scene = standing().with('A', whole({ application_permissions: [edit] }));
    expect(scene.keys('Grant')).toEqual([
      'A|Grant|crm|idp|fed|view',
      'A|Grant|crm|local_user|ann|edit',
    ]);
    expect(scope(scene, 'A|Grant|crm|local_user|ann|edit')).toEqual(['crm']);
    expect(scene.keys('RoleAssignment')).toHaveLength(1);
    scene.with('A', whole({ application_permissions: [{ ...edit, resources: ['a'] }] }));
    expect(scope(scene, 'A|Grant|crm|local_user|ann|edit')).toEqual(['a']);
    // Elements with an operation are in the list as well, and carry it out on what stands.
    scene.with(
      'A',
      whole({ application_permissions: [{ ...edit, operation: 'add', resources: ['b'] }, view] }),
    );
    expect(scope(scene, 'A|Grant|crm|local_user|ann|edit')).toEqual(['a', 'b']);
    expect(scope(scene)).toEqual(['crm']);
    scene.with('A', whole({ application_permissions: [], role_assignments: null }));
    expect(scene.keys('Entitlement')).toEqual(['A|Grant|crm|idp|fed|view']);
    expect(
      scene.problems(
        'A',
        entry({
          identity: 'no',
          identity_type: 'local_user',
          operation: 'modify',
          role_assignments: [],
        }),
      ),
    ).toEqual(['/identity_to_permissions/0/identity UNKNOWN_REFERENCE']);
    expect(
      scene.problems(
        'A',
        entry({ identity: 'no', identity_type: 'local_user', operation: 'modify' }),
      ),
    ).toEqual([]);
  });

  test('a federated identity that nobody knows is warned of when it got something, or lost resources', () => {
    const fed = (element: object) =>
      entry({ identity: 'FED', application_permissions: [{ ...view, ...element }] });
    const expected = ['Cannot find identity by names ["FED"] (identity_to_permissions)'];
    expect(standing().warnings('A', fed({ operation: 'add' }))).toEqual(expected);
    expect(standing().warnings('A', fed({ operation: 'delete_resource' }))).toEqual(expected);
    expect(standing().warnings('A', fed({ operation: 'delete' }))).toEqual([]);
    expect(standing().warnings('A', fed({}))).toEqual([]);
  });
});
