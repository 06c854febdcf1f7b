import { crm, idp, Scene } from './scene';

describe('shared nodes and late binding (docs/rules.md: Shared nodes)', () => {
  const people = idp({
    users: [
      { name: 'Ann', email: 'ann@x', identity: '7' },
      { name: 'bob', manager_id: '7' },
    ],
  });
  const app = crm({ local_users: [{ name: 'u', identities: ['ANN@X'] }] });

  test('an identity is known in either order, and no longer when the person leaves', () => {
    const expected = ['I|IdpUser|7 > Identity|ann@x'];
    expect(new Scene().with('I', people).with('A', app).all('KNOWN_AS')).toEqual(expected);
    const scene = new Scene().with('A', app).with('I', people);
    expect(scene.all('KNOWN_AS')).toEqual(expected);
    expect(scene.with('I', idp({})).all('KNOWN_AS')).toEqual([]);
    expect(scene.keys('Identity')).toEqual(['Identity|ann@x']);
    expect(scene.with('A', crm({})).keys('Identity')).toEqual([]);
  });

  test('managers by id, folded, never oneself', () => {
    const users = [
      { name: 'ann', manager_id: 'ANN' },
      { name: 'Ann' },
      { name: 'x', identity: 'y', manager_id: 'x' },
    ];
    expect(new Scene().with('I', idp({ users })).all('MANAGED_BY')).toEqual([
      'I|IdpUser|ann > I|IdpUser|Ann',
    ]);
  });

  test.each([
    ['any', null, 1],
    ['custom', 'whatever', 1],
    ['active_directory', 'Active-Directory', 1],
    ['azure_ad', 'AzureAD', 1],
    ['okta', 'one login', 0],
    ['okta', null, 0],
  ])('a source identity of type %s in a provider of type %s', (providerType, idpType, count) => {
    const scene = new Scene()
      .with(
        'I',
        idp({
          users: [
            { name: 'a', source_identity: { identity: 'B', provider_type: providerType } },
            { name: 'b' },
          ],
        }),
      )
      .with('J', idp({ idp_type: idpType, users: [{ name: 'b' }], groups: [{ name: 'b' }] }));
    expect(scene.all('SOURCE_IDENTITY_OF')).toEqual(Array(count).fill('J|IdpUser|b > I|IdpUser|a'));
  });

  test('what is owned resolves, and its owners are managers with a tag beside a stated one', () => {
    const scene = new Scene()
      .with(
        'I',
        idp({
          users: [
            {
              name: 'Ann',
              entities_owned: { node_type: 'oaa.SALES.Folder.subresource', id: 'TOP.x' },
            },
          ],
        }),
      )
      .with(
        'A',
        crm({
          resources: [
            {
              name: 'top',
              id: 't',
              resource_type: 'Root',
              sub_resources: [
                {
                  name: 'x',
                  resource_type: 'folder',
                  tags: [{ key: 'SYSTEM_resource_managers', value: 'Ann' }],
                },
              ],
            },
          ],
        }),
      );
    const resource = 'A|Resource|crm|#root|t|/folder|x';
    const tag = 'Tag|SYSTEM_resource_managers|Ann';
    expect(scene.all('RESOLVES_TO')).toEqual([
      `ExternalEntity|oaa.sales.folder.subresource|top.x > ${resource}`,
    ]);
    expect(scene.all('SYSTEM_resource_managers')).toEqual([`${resource} > I|IdpUser|Ann`]);
    expect(scene.all('TAGGED')).toEqual(Array(2).fill(`${resource} > ${tag}`));
    expect(scene.with('I', idp({})).all('TAGGED')).toEqual([`${resource} > ${tag}`]);
  });

  test.each([
    [{ node_type: 'Root', id: 't' }, ['#root|t']],
    [{ node_type: 'Root', id: 'top' }, ['#root|t']],
    [{ node_type: 'folder', id: 'X' }, ['#root|t|/folder|x']],
    [{ node_type: 'folder', id: 'T.x' }, ['#root|t|/folder|x']],
    [{ node_type: 'table', id: 'x.y' }, []],
  ])('%j resolves to %j', (connection, expected) => {
    const scene = new Scene()
      .with('B', crm({ resources: [{ name: 'z', resource_type: 'Z', connections: [connection] }] }))
      .with(
        'A',
        crm({
          resources: [
            {
              name: 'top',
              id: 't',
              resource_type: 'Root',
              sub_resources: [{ name: 'x', resource_type: 'Folder' }],
            },
          ],
        }),
      );
    expect(scene.all('RESOLVES_TO').map((pair) => pair.split(' > A|Resource|crm|')[1])).toEqual(
      expected,
    );
  });

  test('applications, principals and roles with an ARN resolve too; an ARN acts as roles exactly', () => {
    const connections = [
      { node_type: 'application', id: 'CRM' },
      { node_type: 'SALES', id: 'crm' },
      { node_type: 'localgroup', id: 'G' },
      { node_type: 'localmodel', id: 'm' },
      { node_type: 'AwsIamRole', id: 'ARN:X' },
    ];
    const scene = new Scene()
      .with('B', {
        applications: [
          {
            name: 'z',
            application_type: 'z',
            resources: [{ name: 'z', resource_type: 'Z', connections }],
          },
        ],
        identity_to_permissions: [{ identity: 'ann' }],
      })
      .with(
        'A',
        crm({
          local_groups: [{ name: 'g' }],
          local_models: [{ name: 'm' }],
          local_roles: [{ name: 'r', id: 'arn:x', unique_id: '1' }],
        }),
      )
      .with(
        'I',
        idp({
          users: [{ name: 'u', assumed_role_arns: [{ identity: 'arn:x' }, { identity: 'arn:X' }] }],
        }),
      );
    expect(scene.all('RESOLVES_TO')).toEqual([
      'ExternalEntity|application|crm > A|Application|crm',
      'ExternalEntity|awsiamrole|arn:x > A|LocalRole|crm|1',
      'ExternalEntity|localgroup|g > A|LocalGroup|crm|g',
      'ExternalEntity|sales|crm > A|Application|crm',
    ]);
    expect(scene.all('ACTS_AS')).toEqual(['CloudRole|arn:x > A|LocalRole|crm|1']);
    expect(scene.keys('Identity')).toEqual([]);
  });
});
