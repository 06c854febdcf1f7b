import { crm, idp, Scene } from './scene';

describe('nodes (docs/rules.md: Nodes)', () => {
  test('a user carries its own fields, the domain and the type of its provider', () => {
    const scene = new Scene().with(
      'I',
      idp({
        name: 'People',
        idp_description: '',
        users: [
          {
            name: 'ann',
            email: '',
            identity: 'U1',
            full_name: null,
            is_active: false,
            department: ['Sales', '', 'Admin'],
            source_identity: { identity: 'x', provider_type: 'any' },
            custom_properties: {
              level: -0,
              note: '',
              topics: [],
              hired: '2024-01-02T03:04:05.1200+02:00',
            },
            dynamic_properties: { desk: '' },
          },
        ],
        custom_property_definition: {
          user_properties: {
            level: 'NUMBER',
            note: 'STRING',
            topics: 'STRING_LIST',
            hired: 'TIMESTAMP',
          },
        },
      }),
    );
    expect(scene.node('I|IdpUser|U1')).toEqual({
      label: 'IdpUser',
      key: 'I|IdpUser|U1',
      labels: ['Entity', 'IdpUser', 'Principal'],
      properties: {
        key: 'I|IdpUser|U1',
        data_source: 'I',
        provider: 'people',
        since: { instant: '1' },
        changed: { instant: '1' },
        name: 'ann',
        identity: 'U1',
        is_active: false,
        department: ['Sales', 'Admin'],
        source_identity: 'x',
        source_identity_provider_type: 'any',
        domain: 'corp',
        idp_type: 'okta',
        dynprop_desk: '',
        customprop_level: 0,
        customprop_note: '',
        customprop_hired: { instant: '2024-01-02T01:04:05.12Z' },
      },
    });
    expect(scene.node('I|IdpDomain|corp')?.properties).toMatchObject({
      name: 'corp',
      domain: 'corp',
      idp_type: 'okta',
      idp_name: 'People',
    });
    expect(scene.all('FROM')).toEqual(['I|IdpDomain|corp > I']);
  });

  test('a permission is one node for each listed type, its sets sorted and folded', () => {
    const scene = new Scene().with(
      'A',
      crm(
        {},
        {
          permissions: [
            {
              name: 'view',
              resource_types: ['repo', 'Repo', 'Wiki'],
              application_type: ['b', 'B', 'a'],
            },
            {
              name: 'write',
              permission_type: ['NonData', 'DataRead', 'NonData'],
              apply_to_sub_resources: false,
            },
          ],
        },
      ),
    );
    expect(scene.keys('Permission')).toEqual([
      'A|Permission|view|repo',
      'A|Permission|view|wiki',
      'A|Permission|write',
    ]);
    expect(scene.node('A|Permission|view|repo')?.properties).toMatchObject({
      name: 'view',
      resource_type: 'Repo',
      permission_type: ['Uncategorized'],
      application_types: ['B', 'a'],
    });
    expect(scene.node('A|Permission|write')?.properties).toEqual({
      key: 'A|Permission|write',
      data_source: 'A',
      provider: 'apps',
      since: { instant: '1' },
      changed: { instant: '1' },
      name: 'write',
      permission_type: ['DataRead', 'NonData'],
      apply_to_sub_resources: false,
    });
  });

  test('keys escape, shorten and tell apart (docs/rules.md: Keys)', () => {
    const long = 'é'.repeat(121);
    const folder = (name: string, inside?: object) => ({
      name,
      resource_type: 'Folder',
      ...(inside === undefined ? {} : { sub_resources: [inside] }),
    });
    const scene = new Scene().with(
      'A',
      crm({
        local_users: [{ name: 'a|b%' }],
        resources: [
          { name: 'x', id: 'X1', resource_type: 'Repo', sub_resources: [folder('in')] },
          folder(long, folder(`x${long}`, folder('deep'))),
        ],
      }),
    );
    expect(scene.keys('LocalUser')).toEqual(['A|LocalUser|crm|a%7Cb%25']);
    const keys = scene.keys('Resource');
    expect(keys).toContain('A|Resource|crm|#repo|X1');
    expect(keys).toContain('A|Resource|crm|#repo|X1|/folder|in');
    expect(keys).toHaveLength(5);
    // The second level is too long: a whole é no longer fits in the last of 410 bytes after `A|`.
    const shortened = keys.filter((key) => key.includes('#') && !key.includes('#repo'));
    expect(shortened.map((key) => Buffer.byteLength(key.split('#')[0] ?? ''))).toEqual([411, 411]);
  });
});
