import { change, crm, inCrm, people, Scene } from './scene';

const ann = 'I|IdpUser|1';

describe('add (docs/rules.md: Increments)', () => {
  test('puts own fields as a full push would, keeps tags, is harmless when repeated', () => {
    const added = change({
      users: [{ name: 'Ann', identity: '1', operation: 'add', groups: [{ identity: 'H' }] }],
    });
    const scene = people().with('I', added);
    expect(scene.node(ann)?.properties).toEqual({
      key: ann,
      name: 'Ann',
      identity: '1',
      domain: 'corp',
      idp_type: 'okta',
      data_source: 'I',
      provider: 'people',
      since: { instant: '1' },
      changed: { instant: '2' },
    });
    expect(scene.all('MEMBER_OF')).toEqual([`${ann} > I|IdpGroup|h`]);
    expect(scene.all('ASSIGNED_TO')).toEqual([]);
    expect(scene.all('TAGGED')).toHaveLength(3);
    expect(scene.push('I', added)).toEqual({ accepted: true, warnings: [], unchanged: true });
  });

  test('adds what is nested in it, keeps what it contains', () => {
    const scene = new Scene()
      .with('A', crm({ local_users: [{ name: 'old' }], description: 'x' }))
      .with(
        'A',
        inCrm({
          operation: 'add',
          application_type: 'sales',
          local_users: [{ name: 'new' }, { name: 'gone', operation: 'delete' }],
          resources: [
            { name: 'r', resource_type: 'F', sub_resources: [{ name: 's', resource_type: 'F' }] },
          ],
        }),
      );
    expect(scene.keys('LocalUser')).toEqual(['A|LocalUser|crm|new', 'A|LocalUser|crm|old']);
    expect(scene.keys('Resource')).toEqual(['A|Resource|crm|/f|r', 'A|Resource|crm|/f|r|/f|s']);
    expect(scene.node('A|Application|crm')?.properties.description).toBeUndefined();
  });

  test('means the entity of its own id, else a new one', () => {
    const scene = people().with('I', change({ users: [{ name: 'ann', operation: 'add' }] }));
    expect(scene.keys('IdpUser')).toEqual([ann, 'I|IdpUser|ann', 'I|IdpUser|bob']);
  });

  test('two adds of one id without a deletion between are never a silent merge', () => {
    const eve = { name: 'eve', operation: 'add' };
    const del = { name: 'eve', operation: 'delete' };
    expect(people().problems('I', change({ users: [eve, eve, del, eve] }))).toEqual([
      '/users/1 DUPLICATE_ID',
    ]);
  });
});

describe('modify (docs/rules.md: Increments)', () => {
  const modify = (fields: object): Scene =>
    people().with('I', change({ users: [{ identity: '1', operation: 'modify', ...fields }] }));

  test('what is absent stays, null and empty text unset, a list replaces the list', () => {
    const scene = modify({
      email: null,
      department: ['c', '', 'a'],
      is_active: false,
      full_name: '',
      groups: [{ identity: 'h' }],
      tags: [{ key: 'v' }],
    });
    expect(scene.node(ann)?.properties).toMatchObject({
      name: 'ann',
      department: ['c', 'a'],
      is_active: false,
      source_identity: 'z',
      customprop_level: 1,
      dynprop_a: 1,
    });
    expect(Object.keys(scene.node(ann)?.properties ?? {})).not.toContain('email');
    expect(scene.all('MEMBER_OF')).toEqual([`${ann} > I|IdpGroup|h`]);
    expect(scene.all('ASSIGNED_TO')).toEqual([`${ann} > I|IdpApp|p`]);
    expect(scene.all('TAGGED')).toHaveLength(4);
    expect(modify({ groups: [], app_assignments: null }).all('MEMBER_OF')).toEqual([]);
  });

  test('custom and dynamic properties merge one by one; an empty object changes nothing', () => {
    const merged = modify({
      custom_properties: { level: null, note: 'n' },
      dynamic_properties: { a: [], c: '' },
    }).node(ann)?.properties;
    expect(merged).toMatchObject({ customprop_note: 'n', dynprop_b: 2, dynprop_c: '' });
    expect(merged).not.toHaveProperty('customprop_level');
    expect(merged).not.toHaveProperty('dynprop_a');
    const cleared = modify({
      custom_properties: null,
      dynamic_properties: null,
      source_identity: null,
    });
    expect(
      Object.keys(cleared.node(ann)?.properties ?? {}).filter((p) => /prop_|source_i/.test(p)),
    ).toEqual([]);
    const scene = people();
    const nothing = { custom_properties: {}, dynamic_properties: {}, source_identity: {} };
    expect(
      scene.push('I', change({ users: [{ identity: '1', operation: 'modify', ...nothing }] })),
    ).toMatchObject({ unchanged: true });
  });

  test('finds its entity by id, then other ids, then name, exactly; an own id is for good', () => {
    const scene = new Scene().with(
      'A',
      crm({
        local_users: [
          { name: 'n', id: 'i', unique_id: 'u' },
          { name: 'twin', id: '1' },
          { name: 'twin', id: '2' },
        ],
      }),
    );
    const user = (fields: object) => inCrm({ local_users: [{ operation: 'modify', ...fields }] });
    expect(scene.problems('A', user({ name: 'N' }))).toEqual([
      '/applications/0/local_users/0 UNKNOWN_ENTITY',
    ]);
    expect(scene.problems('A', user({ name: 'twin' }))).toEqual([
      '/applications/0/local_users/0 AMBIGUOUS_REFERENCE',
    ]);
    expect(scene.problems('A', user({ name: 'n', id: null, unique_id: null }))).toEqual([
      '/applications/0/local_users/0 UNKNOWN_ENTITY',
    ]);
    expect(scene.problems('A', user({ unique_id: 'i' }))).toEqual([
      '/applications/0/local_users/0 UNKNOWN_ENTITY',
    ]);
    scene.with('A', user({ id: 'i', name: 'renamed', email: 'e' }));
    scene.with('A', user({ name: 'renamed', user_type: 'human' }));
    expect(scene.node('A|LocalUser|crm|u')?.properties).toMatchObject({
      name: 'renamed',
      email: 'e',
      user_type: 'human',
      id: 'i',
      unique_id: 'u',
    });
  });

  test('references bind to the state after all entities, and a later change of a name moves none', () => {
    const scene = people().with(
      'I',
      change({
        users: [
          { name: 'bob', operation: 'modify', groups: [{ identity: 'nobody' }] },
          { name: 'bob', operation: 'modify', groups: [{ identity: 'New' }] },
        ],
        groups: [{ name: 'new', identity: '9', operation: 'add' }],
      }),
    );
    const expected = ['I|IdpUser|bob > I|IdpGroup|9', `${ann} > I|IdpGroup|g`].toSorted();
    expect(scene.all('MEMBER_OF').toSorted()).toEqual(expected);
    scene.with('I', change({ groups: [{ name: 'other', identity: '9', operation: 'modify' }] }));
    scene.with('I', change({ groups: [{ name: 'New', operation: 'add' }] }));
    expect(scene.all('MEMBER_OF').toSorted()).toEqual(expected);
    expect(
      scene.problems(
        'I',
        change({
          users: [{ name: 'bob', operation: 'modify', groups: [{ identity: 'h' }] }],
          groups: [{ name: 'h', operation: 'delete' }],
        }),
      ),
    ).toEqual(['/users/0/groups/0/identity UNKNOWN_REFERENCE']);
  });

  test('of a permission keeps what it does not have, and its nodes follow its types', () => {
    const scene = new Scene()
      .with(
        'A',
        crm(
          { local_roles: [{ name: 'r', permissions: ['p'] }] },
          { permissions: [{ name: 'p', permission_type: ['DataRead'], application_type: ['X'] }] },
        ),
      )
      .with(
        'A',
        change({
          permissions: [
            { name: 'p', operation: 'modify', resource_types: ['A', 'B'], application_type: [] },
          ],
        }),
      );
    const role = 'A|LocalRole|crm|r';
    expect(scene.all('ALLOWS')).toEqual([
      `${role} > A|Permission|p|a`,
      `${role} > A|Permission|p|b`,
    ]);
    expect(scene.node('A|Permission|p|a')?.properties).toMatchObject({
      permission_type: ['DataRead'],
    });
    expect(scene.node('A|Permission|p|a')?.properties).not.toHaveProperty('application_types');
  });
});

describe('delete (docs/rules.md: Increments)', () => {
  test('takes every bound reference along; deleting what is not there is a warning', () => {
    const scene = people();
    expect(
      scene.warnings(
        'I',
        change({
          groups: [
            { name: 'g', operation: 'delete' },
            { name: 'g', operation: 'delete', groups: [{ identity: 'ignored' }] },
          ],
          apps: [{ id: 'Portal', operation: 'delete' }],
        }),
      ),
    ).toEqual(['Cannot find group "g" (delete)']);
    expect(scene.all('MEMBER_OF')).toEqual([]);
    expect(scene.all('ASSIGNED_TO')).toEqual([]);
  });

  test('delete then add makes a new entity without the old tags; what ends as it stood keeps its since', () => {
    const scene = people().with(
      'I',
      change({
        users: [
          { identity: '1', operation: 'delete' },
          { identity: '1', name: 'ann', operation: 'add', groups: [{ identity: 'g' }] },
        ],
      }),
    );
    expect(scene.all('TAGGED')).toEqual([]);
    expect(scene.dates(ann)).toBe('1/2');
    expect(scene.relationship('MEMBER_OF', `${ann} > I|IdpGroup|g`)?.since).toEqual({
      instant: '1',
    });
  });

  const holding = () =>
    new Scene().with(
      'A',
      crm(
        {
          local_users: [{ name: 'ann', groups: ['g'] }],
          local_groups: [{ name: 'g' }],
          local_roles: [{ name: 'r', permissions: ['p'] }],
          resources: [
            { name: 'a', resource_type: 'F', sub_resources: [{ name: 'b', resource_type: 'F' }] },
          ],
        },
        {
          permissions: [{ name: 'p' }],
          identity_to_permissions: [
            {
              identity: 'ann',
              identity_type: 'local_user',
              application_permissions: [
                { application: 'crm', permission: 'p', resources: ['a', 'a.b'] },
              ],
              role_assignments: [{ application: 'crm', role: 'r' }],
            },
            {
              identity: 'fed',
              role_assignments: [{ application: 'crm', role: 'r', resources: ['a.b'] }],
            },
          ],
        },
      ),
    );

  test('a resource leaves with its sub-resources; statements that lose all of their scope stay', () => {
    const scene = holding().with(
      'A',
      inCrm({ resources: [{ name: 'a', resource_type: 'f', operation: 'delete' }] }),
    );
    expect(scene.keys('Resource')).toEqual([]);
    expect(scene.keys('Entitlement')).toHaveLength(3);
    expect(scene.all('ON')).toEqual(['A|RoleAssignment|crm|local_user|ann|r| > A|Application|crm']);
  });

  test.each([
    ['the holder', { local_users: [{ name: 'ann', operation: 'delete' }] }, {}, 1],
    ['the role', { local_roles: [{ name: 'r', operation: 'delete' }] }, {}, 1],
    ['the permission', {}, { permissions: [{ name: 'p', operation: 'delete' }] }, 2],
  ])('of %s removes the statements of or about it', (_name, inside, beside, left) => {
    expect(holding().with('A', inCrm(inside, beside)).keys('Entitlement')).toHaveLength(left);
  });

  test('of an application removes all that is in it', () => {
    const other = {
      name: 'b',
      application_type: 'b',
      local_users: [{ name: 'u' }],
      operation: 'add',
    };
    const scene = holding().with(
      'A',
      change({ applications: [{ name: 'crm', operation: 'delete' }, other] }),
    );
    expect(scene.keys('Entitlement')).toEqual([]);
    expect(scene.keys('LocalUser')).toEqual(['A|LocalUser|b|u']);
    expect(scene.keys('Permission')).toEqual(['A|Permission|p']);
  });
});

describe('tags (docs/rules.md: Increments)', () => {
  const tag = (operation: string, tags: object[], name = 'ann') =>
    change({ users: [{ name, operation, tags }] });

  test('add_tag adds, remove_tag removes one, and without a value every tag of the key', () => {
    const scene = people().with('I', tag('add_tag', [{ key: 'new' }]));
    scene.with('I', tag('remove_tag', [{ key: 't', value: 'x' }]));
    const tags = () => scene.all('TAGGED').map((pair) => pair.split('> ')[1]);
    expect(tags()).toEqual(['Tag|new|', 'Tag|t|y', 'Tag|u|']);
    scene.with('I', tag('add_tag', [{ key: 't', value: 'z' }]));
    scene.with('I', tag('delete_tag', [{ key: 't', value: '' }, { key: 'new' }]));
    expect(tags()).toEqual(['Tag|u|']);
  });

  test('what is not there to be removed is one warning for the entry', () => {
    const tags = [{ key: 'T' }, { key: 'u', value: 'v' }, { key: 'u' }];
    expect(people().warnings('I', tag('remove_tag', tags))).toEqual([
      'Cannot find tags ["T","u=v"] (user "ann": remove_tag)',
    ]);
    expect(people().warnings('I', tag('delete_tag', tags, 'eve'))).toEqual([
      'Cannot find user "eve" (delete_tag)',
    ]);
    expect(people().problems('I', tag('add_tag', tags, 'eve'))).toEqual([
      '/users/0 UNKNOWN_ENTITY',
    ]);
  });
});
