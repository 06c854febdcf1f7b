import { crm, idp, Scene } from './scene';

const ann = { name: 'ann' };
const view = { name: 'view', permission_type: ['DataRead'] };

describe('warnings (docs/rules.md: Warnings)', () => {
  test('unknown identities, owners, roles and roles without permissions, in payload order', () => {
    const scene = new Scene().with('I', idp({ users: [ann] }));
    const warnings = scene.warnings(
      'A',
      crm(
        {
          owners: [{ external_id: 'boss' }],
          local_users: [{ name: 'u', identities: ['Bob', 'ANN', '', 'bob', 'cy'] }],
          local_roles: [{ name: 'r', permissions: [] }],
        },
        {
          permissions: [view],
          identity_to_permissions: [
            { identity: 'nobody' },
            {
              identity: 'Dan',
              application_permissions: [{ application: 'crm', permission: 'view' }],
            },
            {
              identity: 'dan',
              application_permissions: [{ application: 'crm', permission: 'view' }],
            },
          ],
        },
      ),
    );
    expect(warnings).toEqual([
      'Cannot find identity by names ["Bob","cy"] (local user "u" of application "crm": identities)',
      'Cannot find identity by names ["boss"] (application "crm": owners)',
      'Role is missing permission (local role "r" of application "crm")',
      'Cannot find identity by names ["Dan"] (identity_to_permissions)',
    ]);
    expect(
      scene.warnings(
        'I',
        idp({ users: [{ ...ann, assumed_role_arns: { identity: ['r', 'arn:1', 'arn:1'] } }] }),
      ),
    ).toEqual(['Cannot find IAM role by names ["arn:1"] (user "ann": assumed_role_arns)']);
  });
});
