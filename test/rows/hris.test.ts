import { MemorySource } from '../increment/memory';
import { problemsOf, rowAt, rowsOf, told } from './told-rows';

const REQUIRED = {
  employee_number: '7',
  first_name: 'Ann',
  last_name: 'Archer',
  is_active: true,
  employment_status: 'ACTIVE',
};
const employee = (id: string, more: object = {}): object => ({
  id,
  name: `Name of ${id}`,
  ...REQUIRED,
  ...more,
});
const hr = (more: object): object => ({
  name: 'People',
  hris_type: 'Workday',
  system: { id: 's1', name: 'HR' },
  ...more,
});
const groups = [
  { id: 'd1', name: 'Sales', group_type: 'department' },
  { id: 'c1', name: 'Costs' },
  { id: 'g1', name: 'Team' },
];

test('the system carries what the payload says of itself', () => {
  const payload = hr({
    system: { id: 's1', name: 'HR', url: 'https://hr.example', idp_providers: ['okta', 'custom'] },
  });
  expect(rowAt(rowsOf('hris', payload), 'HrisSystem|s1')).toEqual({
    key: 'HrisSystem|s1',
    properties: {
      id: 's1',
      name: 'HR',
      url: 'https://hr.example',
      idp_providers: ['custom', 'okta'],
      system: 'HR',
      hris_type: 'Workday',
      hris_name: 'People',
    },
    lookups: {
      fold_name: 'hr',
      fold_of_system: 'hr',
      fold_of_hris_type: 'workday',
      fold_of_hris_name: 'people',
    },
    states: ['FROM '],
  });
});

test('an employee keeps its fields, and states its manager and its groups', () => {
  const payload = hr({
    employees: [
      employee('E1', {
        email: 'Ann@Corp.Example',
        idp_id: '',
        cost_center: { id: 'c1' },
        department: { id: 'd1' },
        managers: [{ id: 'e2' }, { id: 'E1' }],
        groups: [{ id: 'g1' }, { id: 'Team' }],
        start_date: '2024-01-01T01:00:00+01:00',
        termination_date: null,
        employment_types: ['FULL_TIME'],
        custom_properties: { level: 3 },
      }),
      employee('e2', { cost_center: {}, department: null, managers: [] }),
    ],
    groups,
    custom_property_definition: { employee_properties: { level: 'NUMBER' } },
  });
  const rows = rowsOf('hris', payload);
  expect(rowAt(rows, 'Employee|E1')).toEqual({
    key: 'Employee|E1',
    properties: {
      id: 'E1',
      name: 'Name of E1',
      ...REQUIRED,
      email: 'Ann@Corp.Example',
      start_date: '2024-01-01T00:00:00Z',
      employment_types: ['FULL_TIME'],
      customprop_level: 3,
      system: 'HR',
      hris_type: 'Workday',
    },
    lookups: {
      fold_id: 'e1',
      fold_name: 'name of e1',
      fold_email: 'ann@corp.example',
      fold_account: 'ann@corp.example',
      fold_of_employment_status: 'active',
      fold_of_employment_types: ['full_time'],
      fold_of_first_name: 'ann',
      fold_of_last_name: 'archer',
      fold_of_system: 'hr',
      fold_of_hris_type: 'workday',
    },
    states: [
      'IN_COST_CENTER HrisGroup|c1',
      'IN_DEPARTMENT HrisGroup|d1',
      'MANAGED_BY Employee|e2',
      'MEMBER_OF HrisGroup|g1',
    ],
  });
  expect(rowAt(rows, 'Employee|e2').states).toEqual([]);
  expect(rowAt(rows, 'HrisGroup|d1')).toMatchObject({
    properties: { group_type: 'department', system: 'HR', hris_type: 'Workday' },
    states: [],
  });
});

test.each<[string, object, string]>([
  ['its id in the identity provider', { idp_id: 'U-1', email: 'a@x' }, 'u-1'],
  ['else its email', { email: 'A@x' }, 'a@x'],
  ['else its id', {}, 'e1'],
])("an employee's accounts are found by %s", (_what, more, account) => {
  const rows = rowsOf('hris', hr({ employees: [employee('E1', more)] }));
  expect(rowAt(rows, 'Employee|E1').lookups.fold_account).toBe(account);
});

test.each<[string, object, readonly string[]]>([
  ['no system', { name: 'People', employees: [] }, ['/system MISSING_FIELD']],
  ['a system that is null', hr({ system: null }), ['/system MISSING_FIELD']],
  [
    'a manager whom the payload does not know',
    hr({ employees: [employee('E1', { managers: [{ id: 'E1' }, { id: 'who' }] })] }),
    ['/employees/0/managers/1/id UNKNOWN_REFERENCE'],
  ],
  [
    'groups that the payload does not know',
    hr({
      employees: [
        employee('E1', {
          cost_center: { id: 'x' },
          department: { id: 'y' },
          groups: [{ id: 'z' }],
        }),
      ],
    }),
    [
      '/employees/0/cost_center/id UNKNOWN_REFERENCE',
      '/employees/0/department/id UNKNOWN_REFERENCE',
      '/employees/0/groups/0/id UNKNOWN_REFERENCE',
    ],
  ],
  [
    'two employees of one id',
    hr({ employees: [employee('E1'), employee('e1'), employee('E1')] }),
    ['/employees/2 DUPLICATE_ID'],
  ],
  [
    'a property that nothing declares',
    hr({ groups: [{ id: 'g', name: 'g', custom_properties: { size: 1 } }] }),
    ['/groups/0/custom_properties/size UNDECLARED_PROPERTY'],
  ],
  [
    'an operation in a full push',
    hr({ system: { id: 's1', name: 'HR', operation: 'modify' } }),
    ['/system/operation OPERATION_IN_FULL_PUSH'],
  ],
])('refuses %s', (_what, payload, problems) => {
  expect(problemsOf('hris', payload)).toEqual(problems);
});

/** A source in which a small company stands. */
const standing = (): MemorySource => {
  const source = new MemorySource('hris');
  const employees = [
    employee('E1', { managers: [{ id: 'E2' }], groups: [{ id: 'g1' }] }),
    employee('E2', { email: 'bob@x', department: { id: 'd1' } }),
  ];
  expect(source.push(JSON.stringify(hr({ employees, groups })))).toEqual([]);
  return source;
};
const increment = (source: MemorySource, more: object): readonly string[] =>
  source.push(JSON.stringify({ incremental_change: true, ...more }));
const states = (source: MemorySource, key: string): readonly string[] | undefined => {
  const row = source.rows.get(key);
  return row === undefined ? undefined : told(row).states;
};

test('an increment adds, modifies and deletes employees and groups', () => {
  const source = standing();
  expect(
    increment(source, {
      employees: [
        { ...employee('E3', { managers: [{ id: 'E1' }] }), operation: 'add' },
        { id: 'E1', employment_status: 'TERMINATED', email: 'ann@x', operation: 'modify' },
        { id: 'E2', operation: 'delete' },
      ],
      groups: [{ id: 'g1', operation: 'delete' }],
    }),
  ).toEqual([]);
  expect(states(source, 'Employee|E2')).toBeUndefined();
  expect(states(source, 'Employee|E3')).toEqual(['MANAGED_BY Employee|E1']);
  expect(states(source, 'Employee|E1')).toEqual([]);
  expect(source.rows.get('Employee|E1')).toMatchObject({
    properties: { employment_status: 'TERMINATED', system: 'HR' },
    lookups: { fold_account: 'ann@x' },
  });
});

test('an increment renames the system, which every row carries', () => {
  const source = standing();
  const system = { id: 's1', name: 'People & Co', operation: 'modify' };
  expect(increment(source, { hris_type: 'Bamboo', system })).toEqual([]);
  for (const key of ['HrisSystem|s1', 'Employee|E1', 'HrisGroup|d1']) {
    expect(source.rows.get(key)?.properties).toMatchObject({
      system: 'People & Co',
      hris_type: 'Bamboo',
    });
  }
});

test.each<[string, object, readonly string[]]>([
  [
    'takes the system away',
    { system: { id: 's1', operation: 'delete' } },
    ['/system MISSING_FIELD'],
  ],
  [
    'adds a second system',
    { system: { id: 's2', name: 'HR', operation: 'add' } },
    ['/system MISSING_FIELD'],
  ],
  [
    'modifies whom nobody knows',
    { employees: [{ id: 'who', email: 'x', operation: 'modify' }] },
    ['/employees/0 UNKNOWN_ENTITY'],
  ],
  [
    'tags what has no tags',
    { groups: [{ id: 'g1', operation: 'add_tag' }] },
    ['/groups/0/operation OPERATION_NOT_ALLOWED'],
  ],
  [
    'names a manager who leaves',
    {
      employees: [
        { id: 'E2', operation: 'delete' },
        { id: 'E1', managers: [{ id: 'E2' }], operation: 'modify' },
      ],
    },
    ['/employees/1/managers/0/id UNKNOWN_REFERENCE'],
  ],
  [
    'lacks a field that is needed',
    { employees: [{ id: 'E3', name: 'New', operation: 'add' }] },
    [
      '/employees/0/employee_number MISSING_FIELD',
      '/employees/0/first_name MISSING_FIELD',
      '/employees/0/last_name MISSING_FIELD',
      '/employees/0/is_active MISSING_FIELD',
      '/employees/0/employment_status MISSING_FIELD',
    ],
  ],
])('an increment is refused that %s', (_what, more, problems) => {
  expect(increment(standing(), more)).toEqual(problems);
});
