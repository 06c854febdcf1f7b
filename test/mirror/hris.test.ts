import { change, crm, idp, Scene } from './scene';

const employee = (id: string, more: object = {}): object => ({ id, name: id, ...more });
const hr = (...employees: readonly object[]): object => ({
  hris_type: 'workday',
  system: { id: 'hr', name: 'HR' },
  employees,
  groups: [{ id: 'g', name: 'Sales' }],
});

describe('HR systems (docs/rules.md: Application payloads)', () => {
  const directory = idp({
    users: [
      { name: 'ann', identity: '7', email: 'ann@x' },
      { name: 'bob', email: 'BOB@x' },
    ],
  });

  test('an account is found by idp_id, else email, else id, in either order', () => {
    const staff = hr(
      employee('1', { idp_id: '7', email: 'bob@x' }),
      employee('2', { email: 'Bob@X' }),
      employee('BOB'),
      employee('3', { idp_id: 'ann' }),
      // The number of somebody else: names differ.
      { ...employee('7'), name: 'Zoe' },
    );
    const expected = [
      'H|Employee|1 > I|IdpUser|7',
      'H|Employee|2 > I|IdpUser|bob',
      'H|Employee|BOB > I|IdpUser|bob',
    ];
    const scene = new Scene().with('H', staff).with('I', directory);
    expect(scene.all('HAS_ACCOUNT')).toEqual(expected);
    expect(new Scene().with('I', directory).with('H', staff).all('HAS_ACCOUNT')).toEqual(expected);
    expect(scene.with('I', idp({})).all('HAS_ACCOUNT')).toEqual([]);
  });

  test('an employee states managers, groups, a department and a cost center; nobody manages themselves', () => {
    const scene = new Scene().with(
      'H',
      hr(
        employee('1', {
          managers: [{ id: '1' }, { id: '2' }],
          groups: [{ id: 'sales' }],
          department: { id: 'g' },
          cost_center: {},
        }),
        employee('2'),
      ),
    );
    expect(scene.all('MANAGED_BY')).toEqual(['H|Employee|1 > H|Employee|2']);
    expect(scene.all('MEMBER_OF')).toEqual(['H|Employee|1 > H|HrisGroup|g']);
    expect(scene.all('IN_DEPARTMENT')).toEqual(['H|Employee|1 > H|HrisGroup|g']);
    expect(scene.all('IN_COST_CENTER')).toEqual([]);
    const moved = { id: '1', department: null, managers: [], operation: 'modify' };
    scene.with('H', change({ employees: [moved] }));
    expect([...scene.all('IN_DEPARTMENT'), ...scene.all('MANAGED_BY')]).toEqual([]);
    expect(scene.all('MEMBER_OF')).toEqual(['H|Employee|1 > H|HrisGroup|g']);
  });

  test('there is one system', () => {
    const scene = new Scene().with('H', hr());
    expect(scene.problems('H', { employees: [] })).toEqual(['/system MISSING_FIELD']);
    expect(scene.problems('H', change({ system: { id: 'hr', operation: 'delete' } }))).toEqual([
      '/system MISSING_FIELD',
    ]);
  });

  test('an employee gains what its accounts gain', () => {
    const scene = new Scene()
      .with('H', hr(employee('1', { email: 'ann@x' })))
      .with('I', directory)
      .with(
        'A',
        crm(
          {},
          {
            permissions: [{ name: 'view' }],
            identity_to_permissions: [
              {
                identity: 'ann@x',
                application_permissions: [
                  { application: 'crm', permission: 'view', apply_to_application: true },
                ],
              },
            ],
          },
        ),
      );
    expect(scene.access('H|Employee|1')).toEqual(['A|Application|crm: view']);
  });
});
