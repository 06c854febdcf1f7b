import { crm, idp, Scene } from './scene';

const ann = { name: 'ann' };
const view = { name: 'view', permission_type: ['DataRead'] };

describe('relationships (docs/rules.md: Relationships)', () => {
  test('memberships in both shapes of parents, and references in another case', () => {
    const scene = new Scene().with(
      'I',
      idp({
        users: [{ name: 'ann', groups: [{ identity: 'STAFF' }] }],
        groups: [
          { name: 'staff', identity: 'g1', groups: [{ all: 'parent' }] },
          { name: 'all', groups: [{ identity: 'root' }] },
          { name: 'root' },
        ],
      }),
    );
    expect(scene.all('MEMBER_OF')).toEqual([
      'I|IdpGroup|all > I|IdpGroup|root',
      'I|IdpGroup|g1 > I|IdpGroup|all',
      'I|IdpUser|ann > I|IdpGroup|g1',
    ]);
  });

  test('assignments carry their id, name and custom properties', () => {
    const scene = new Scene().with(
      'I',
      idp({
        users: [
          {
            ...ann,
            app_assignments: [
              { id: 'a1', name: 'one', app_id: 'p1', custom_properties: { level: 3 } },
              { id: 'a2', name: '', app_id: 'Portal' },
            ],
          },
        ],
        apps: [{ id: 'p1', name: 'portal', assumed_role_arns: { identity: ['arn:1'] } }],
        custom_property_definition: { app_assignment_properties: { level: 'NUMBER' } },
      }),
    );
    expect(scene.all('ASSIGNED_TO')).toHaveLength(2);
    expect(scene.relationship('ASSIGNED_TO', 'I|IdpUser|ann > I|IdpApp|p1')).toEqual({
      id: 'a1',
      name: 'one',
      customprop_level: 3,
      since: { instant: '1' },
    });
    expect(scene.all('ASSUMES_ROLE')).toEqual(['I|IdpApp|p1 > CloudRole|arn:1']);
  });

  test('an application states its people, agents, roles and resources', () => {
    const scene = new Scene().with(
      'A',
      crm(
        {
          owners: [{ external_id: 'ANN', primary: true }, { external_id: 'ann' }],
          local_users: [
            { name: 'u', access_creds: ['k'], groups: ['g'], identities: ['Ann', '', 'ANN'] },
          ],
          local_groups: [
            { name: 'g', groups: ['h'] },
            { name: 'h', identities: ['devs'] },
          ],
          local_roles: [
            { name: 'r', permissions: ['VIEW', 'view'], roles: ['s'] },
            { name: 's', roles: ['r'] },
          ],
          local_agents: [{ name: 'bot', models: ['m'], access_creds: ['k'], groups: ['g'] }],
          local_models: [{ name: 'm' }],
          local_access_creds: [{ id: 'k' }],
          resources: [
            {
              name: 'top',
              resource_type: 'Folder',
              connections: [{ node_type: 'X', id: 'Y' }],
              sub_resources: [{ name: 'sub', resource_type: 'Folder' }],
            },
          ],
        },
        { permissions: [{ ...view, resource_types: ['a', 'b'] }] },
      ),
    );
    expect(scene.all('IDENTITY_OF')).toEqual([
      'Identity|ann > A|LocalUser|crm|u',
      'Identity|devs > A|LocalGroup|crm|h',
    ]);
    expect(scene.all('OWNED_BY')).toEqual(Array(2).fill('A|Application|crm > Identity|ann'));
    expect(scene.all('HAS_CREDENTIAL')).toEqual([
      'A|LocalAgent|crm|bot > A|AccessCredential|crm|k',
      'A|LocalUser|crm|u > A|AccessCredential|crm|k',
    ]);
    expect(scene.all('USES_MODEL')).toEqual(['A|LocalAgent|crm|bot > A|LocalModel|crm|m']);
    expect(scene.all('ALLOWS')).toEqual([
      'A|LocalRole|crm|r > A|Permission|view|a',
      'A|LocalRole|crm|r > A|Permission|view|b',
    ]);
    expect(scene.all('INCLUDES')).toEqual([
      'A|LocalRole|crm|r > A|LocalRole|crm|s',
      'A|LocalRole|crm|s > A|LocalRole|crm|r',
    ]);
    expect(scene.all('CONTAINS')).toEqual([
      'A|Application|crm > A|Resource|crm|/folder|top',
      'A|Resource|crm|/folder|top > A|Resource|crm|/folder|top|/folder|sub',
    ]);
    expect(scene.all('CONNECTS_TO')).toEqual(['A|Resource|crm|/folder|top > ExternalEntity|x|y']);
    expect(scene.node('A|Resource|crm|/folder|top|/folder|sub')?.properties).toMatchObject({
      path: 'top.sub',
      application: 'crm',
      application_type: 'sales',
      resource_type: 'Folder',
    });
  });

  test('statements unite their scopes; the default scope is taken for each element', () => {
    const grant = (more: object) => ({ application: 'CRM', permission: 'view', ...more });
    const scene = new Scene().with(
      'A',
      crm(
        {
          local_users: [{ name: 'u', id: '7' }],
          local_roles: [{ name: 'r', permissions: ['view'] }],
          resources: [{ name: 'x', resource_type: 'Folder' }],
        },
        {
          permissions: [view, { name: 'write' }],
          custom_property_definition: {
            applications: [
              {
                application_type: 'Sales',
                role_assignment_properties: { until: 'TIMESTAMP', a: 'NUMBER' },
              },
            ],
          },
          identity_to_permissions: [
            { identity: 'ANN', application_permissions: [grant({}), grant({ resources: ['X'] })] },
            {
              identity: 'u',
              identity_type: 'local_user',
              application_permissions: [
                grant({ permission: 'write', apply_to_application: false }),
              ],
              role_assignments: [
                { application: 'crm', role: 'R', resources: ['x'] },
                {
                  application: 'crm',
                  role: 'R',
                  resources: ['x'],
                  custom_properties: { until: '2025-01-01T00:00:00+01:00', a: 1 },
                },
              ],
            },
          ],
        },
      ),
    );
    const assignment = 'A|RoleAssignment|crm|local_user|7|r';
    const dated = `${assignment}|[["a",1],["until","2024-12-31T23:00:00Z"]]`;
    expect(scene.all('HOLDS')).toEqual(
      [
        `A|LocalUser|crm|7 > A|Grant|crm|local_user|7|write`,
        `A|LocalUser|crm|7 > ${assignment}|`,
        `A|LocalUser|crm|7 > ${dated}`,
        'Identity|ann > A|Grant|crm|idp|ann|view',
      ].toSorted(),
    );
    expect(scene.all('ON')).toEqual(
      [
        'A|Grant|crm|idp|ann|view > A|Application|crm',
        'A|Grant|crm|idp|ann|view > A|Resource|crm|/folder|x',
        `${assignment}| > A|Resource|crm|/folder|x`,
        `${dated} > A|Resource|crm|/folder|x`,
      ].toSorted(),
    );
    expect(scene.all('OF')).toContain(`${dated} > A|LocalRole|crm|r`);
    expect(scene.node(dated)?.properties).toMatchObject({ name: 'r', customprop_a: 1 });
  });
});
