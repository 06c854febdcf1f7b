import * as E from 'fp-ts/Either';

import { systemOf } from '../../src/cli/csv-options';
import { csvPayload, type CsvSystem } from '../../src/csv/payload';
import type { Template } from '../../src/templates/templates';

const SYSTEM: CsvSystem = { name: 'wiki', type: 'wiki-type' };

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;

const payloadOf = (template: Template, text: string, system = SYSTEM): object => {
  const made = csvPayload(template, text, system);
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left));
  return made.right.payload;
};

const refusal = (template: Template, text: string, system = SYSTEM) => {
  const made = csvPayload(template, text, system);
  if (E.isRight(made)) throw new Error(JSON.stringify(made.right.payload));
  return made.left.problems.map(({ row, column, code }) => [row, column, code]);
};

test('an export of accounts becomes an application: what rows mention is made from its name', () => {
  const text = lines(
    'Name,Email,Is Active,identities,groups,permissions,roles',
    'ann,ann@example.org,yes,ann@example.org; ann,staff;leads,,editor',
    'bob,,False,,Staff,"read",',
  );
  expect(payloadOf('application', text)).toEqual({
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki-type',
        local_users: [
          {
            name: 'ann',
            email: 'ann@example.org',
            is_active: true,
            identities: ['ann@example.org', 'ann'],
            groups: ['staff', 'leads'],
          },
          { name: 'bob', is_active: false, groups: ['Staff'] },
        ],
        local_groups: [{ name: 'staff' }, { name: 'leads' }, { name: 'Staff' }],
        local_roles: [{ name: 'editor' }],
      },
    ],
    permissions: [{ name: 'read' }],
    identity_to_permissions: [
      {
        identity: 'ann',
        identity_type: 'local_user',
        application_permissions: [],
        role_assignments: [{ application: 'wiki', role: 'editor', apply_to_application: true }],
      },
      {
        identity: 'bob',
        identity_type: 'local_user',
        application_permissions: [
          { application: 'wiki', permission: 'read', apply_to_application: true },
        ],
        role_assignments: [],
      },
    ],
  });
});

test('rows of all kinds, resources in resources, grants, tags and custom properties', () => {
  const text = lines(
    'kind,name,resource_type,parent,permission_type,permissions,roles,identity,resources,tags,custom_properties.level:NUMBER',
    'local_user,ann,,,,,,,,team=blue;new,3',
    'local_role,editor,,,,edit,,,,,',
    'permission,edit,,,DataRead;DataWrite,,,,,,',
    'resource,Salaries,page,Handbook,,,,,,,7',
    'resource,Handbook,space,,,,,,,,',
    'grant,,,,,edit,editor,ann@example.org,Handbook.Salaries;Handbook,,',
  );
  const scope = { application: 'wiki', resources: ['Handbook.Salaries', 'Handbook'] };
  expect(payloadOf('application', text)).toEqual({
    custom_property_definition: {
      applications: [
        {
          application_type: 'wiki-type',
          local_user_properties: { level: 'NUMBER' },
          resources: [{ resource_type: 'page', properties: { level: 'NUMBER' } }],
        },
      ],
    },
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki-type',
        local_users: [
          {
            name: 'ann',
            tags: [{ key: 'team', value: 'blue' }, { key: 'new' }],
            custom_properties: { level: 3 },
          },
        ],
        local_roles: [{ name: 'editor', permissions: ['edit'] }],
        resources: [
          {
            name: 'Handbook',
            resource_type: 'space',
            sub_resources: [
              { name: 'Salaries', resource_type: 'page', custom_properties: { level: 7 } },
            ],
          },
        ],
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataRead', 'DataWrite'] }],
    identity_to_permissions: [
      {
        identity: 'ann@example.org',
        application_permissions: [{ ...scope, permission: 'edit' }],
        role_assignments: [{ ...scope, role: 'editor' }],
      },
    ],
  });
});

test('an identity provider, with columns that are named otherwise', () => {
  const text = lines(
    'login,full name,manager,groups,seat,custom_properties.level:number',
    'ann,Ann Lee,,staff,G-17,3',
    'bob,Bob May,ann,,,',
  );
  const system = {
    name: 'example.org',
    type: 'staff',
    columns: { login: 'name', manager: 'manager_id', seat: '' },
  };
  expect(payloadOf('identity_provider', text, system)).toEqual({
    name: 'example.org',
    idp_type: 'staff',
    custom_property_definition: { user_properties: { level: 'NUMBER' } },
    domains: [{ name: 'example.org' }],
    users: [
      {
        name: 'ann',
        full_name: 'Ann Lee',
        groups: [{ identity: 'staff' }],
        custom_properties: { level: 3 },
      },
      { name: 'bob', full_name: 'Bob May', manager_id: 'ann' },
    ],
    groups: [{ name: 'staff' }],
  });
});

test('a byte order mark, as spreadsheets write it, is no part of the first name', () => {
  const made = payloadOf('identity_provider', lines('\ufeffname', 'ann'));
  expect(made).toMatchObject({ users: [{ name: 'ann' }] });
});

test('an HR system', () => {
  const text = lines('id,name,department', 'e1,Ann Lee,sales').concat('\n\n');
  expect(payloadOf('hris', text)).toEqual({
    name: 'wiki',
    hris_type: 'wiki-type',
    system: { id: 'wiki', name: 'wiki' },
    employees: [{ id: 'e1', name: 'Ann Lee', department: { id: 'sales' } }],
  });
});

describe('a file that is no payload is refused by row and column', () => {
  test.each<[string, readonly string[], readonly unknown[]]>([
    ['nothing', [''], [[1, undefined, 'NOT_CSV']]],
    ['an open quote', ['name,email', 'ann,"a'], [[2, undefined, 'NOT_CSV']]],
    ['a quote in a cell', ['name', 'ann', 'b"o"b'], [[3, undefined, 'NOT_CSV']]],
    [
      'uneven rows',
      ['name,email', 'ann', '', 'bob,b,c'],
      [
        [2, undefined, 'NOT_CSV'],
        [4, undefined, 'NOT_CSV'],
      ],
    ],
    ['an unknown column', ['name,emial', 'ann,x'], [[1, 'emial', 'UNKNOWN_FIELD']]],
    ['a column without a name', ['name,,email', 'ann,x,y'], [[1, '', 'UNKNOWN_FIELD']]],
    ['one column twice', ['name,Name', 'ann,x'], [[1, 'Name', 'REPEATED_FIELD']]],
    ['an unknown kind', ['kind,name', 'lokal_user,x'], [[2, 'kind', 'UNKNOWN_VALUE']]],
    ['no boolean', ['name,Is-Active', 'ann,true', 'bob,maybe'], [[3, 'Is-Active', 'WRONG_TYPE']]],
    [
      'a field of another kind',
      ['kind,name,email', 'local_group,x,x@example.org'],
      [[2, 'email', 'UNKNOWN_FIELD']],
    ],
    [
      'an unknown parent',
      ['kind,name,resource_type,parent', 'resource,a,page,Handbok'],
      [[2, 'parent', 'UNKNOWN_REFERENCE']],
    ],
    ['an empty grant', ['kind,identity', 'grant,ann'], [[2, undefined, 'MISSING_FIELD']]],
    [
      'an unknown type',
      ['name,custom_properties.a:INT', 'ann,1'],
      [[1, 'custom_properties.a:INT', 'UNKNOWN_VALUE']],
    ],
    [
      'no number',
      ['name,custom_properties.a:NUMBER', 'ann,one'],
      [[2, 'custom_properties.a:NUMBER', 'WRONG_TYPE']],
    ],
  ])('%s', (_, rows, expected) => {
    expect(refusal('application', lines(...rows))).toEqual(expected);
  });

  // Spreadsheets of many countries write these. A stranger was told of a field "login;mail".
  test.each(['Login;Mail', 'Login\tMail'])('%j: commas separate cells', (header) => {
    const made = csvPayload('application', lines(header, 'ann'), SYSTEM);
    expect(E.isLeft(made) && made.left.problems.map(({ message }) => message)).toEqual([
      `no entity has a field ${JSON.stringify(header.toLowerCase())}; commas separate cells, not semicolons or tabs`,
    ]);
  });

  test('a mapping of a column that is not there', () => {
    const system = { ...SYSTEM, columns: { login: 'name' } };
    expect(refusal('application', lines('Login', 'ann'), system)).toEqual([
      [1, 'Login', 'UNKNOWN_FIELD'],
      [1, 'login', 'UNKNOWN_FIELD'],
    ]);
  });
});

describe('places in the payload lead back to row and column', () => {
  const made = csvPayload(
    'application',
    lines(
      'kind,Name,resource_type,parent,groups,roles,permissions,identity',
      'local_user,ann,,,staff,editor,,',
      'resource,Handbook,space,,,,,',
      'resource,Salaries,page,Handbook,,,,',
      'grant,,,,,,edit,bob',
    ),
    SYSTEM,
  );
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left));
  const { places } = made.right;
  const of = (pointer: string): unknown => places.of(pointer);

  test.each([
    ['/applications/0/local_users/0/name', { row: 2, column: 'Name' }],
    ['/applications/0/local_users/0/groups/0', { row: 2, column: 'groups' }],
    ['/applications/0/local_users/0/email', { row: 2 }],
    ['/applications/0/resources/0', { row: 3 }],
    ['/applications/0/resources/0/sub_resources/0/name', { row: 4, column: 'Name' }],
    ['/applications/0/local_groups/0/name', { row: 2, column: 'groups' }],
    ['/permissions/0/name', { row: 5, column: 'permissions' }],
    ['/identity_to_permissions/0/role_assignments/0/role', { row: 2, column: 'roles' }],
    [
      '/identity_to_permissions/1/application_permissions/0/permission',
      { row: 5, column: 'permissions' },
    ],
    ['/identity_to_permissions/1/identity', { row: 5, column: 'identity' }],
    ['/applications/0/name', {}],
    ['', {}],
  ])('%s', (pointer, place) => {
    expect(of(pointer)).toEqual(place);
  });
});

describe('a file of mistakes alone is refused with the first hundred, and with how many there are', () => {
  const MANY = 50_000;
  const names = (prefix: string): readonly string[] =>
    Array.from({ length: MANY }, (_, index) => `${prefix}${index}`);
  const rows = (header: string, cells: readonly string[]): string =>
    `${header}\n${cells.join('\n')}\n`;

  test.each([
    [
      'names of columns that it does not have',
      () => `${names('a').join()}\n${names('b').join()}\n`,
      () => Object.fromEntries(names('x').map((name) => [name, 'name'])),
      2 * MANY,
    ],
    ['kinds that no row has', () => rows('kind', names('x')), () => ({}), MANY],
  ])('%s', (_, text, columns, total) => {
    const made = csvPayload('application', text(), { ...SYSTEM, columns: columns() });
    if (E.isRight(made)) throw new Error('taken');
    expect([made.left.problems.length, made.left.total]).toEqual([100, total]);
  });

  test.each([
    ['rows that are too long', () => rows('name', Array<string>(MANY).fill('a,b'))],
    ['rows that are empty', () => rows('name,email', Array<string>(MANY).fill(''))],
  ])('%s, which are no longer read after the thousandth', (_, text) => {
    const made = csvPayload('application', text(), SYSTEM);
    if (E.isRight(made)) throw new Error('taken');
    expect(made.left.problems).toMatchObject([{ code: 'NOT_CSV', row: 1_002 }]);
  });
});

describe('nothing that a file says is changed or dropped in silence', () => {
  const first = (text: string): unknown =>
    (
      payloadOf('application', text) as {
        applications: [{ local_users: readonly Record<string, unknown>[] }];
      }
    ).applications[0].local_users[0];

  test.each([
    ['\r\n', '\n'],
    ['\n', '\r\n'],
    ['\r', '\n'],
    ['\n', '\r'],
  ])('line ends %j, then %j', (one, other) => {
    expect(payloadOf('application', `name${one}ann${other}bob${one}`)).toMatchObject({
      applications: [{ local_users: [{ name: 'ann' }, { name: 'bob' }] }],
    });
  });

  test.each(['"  "', '0x1F', '0b1', '1_000', 'Infinity', '1e999', '--1'])(
    '%s is no number',
    (cell) => {
      const text = `name,custom_properties.n:NUMBER\nann,${cell}\n`;
      expect(refusal('application', text)).toEqual([
        [2, 'custom_properties.n:NUMBER', 'WRONG_TYPE'],
      ]);
    },
  );

  test.each([
    ['31', 31],
    ['-0.5', -0.5],
    ['+7', 7],
    ['007', 7],
    ['1e3', 1000],
  ])('%s is the number %d', (cell, value) => {
    expect(first(`name,custom_properties.n:NUMBER\nann,${cell}\n`)).toMatchObject({
      custom_properties: { n: value },
    });
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    '%s is no flag, and a property like any other',
    (word) => {
      expect(refusal('application', `name,is_active\nann,${word}\n`)).toEqual([
        [2, 'is_active', 'WRONG_TYPE'],
      ]);
      const { custom_properties: custom } = first(
        `name,custom_properties.${word}\nann,hello\n`,
      ) as { custom_properties: object };
      expect(Object.entries(custom)).toEqual([[word, 'hello']]);
    },
  );

  test('names that differ by case are two, and a parent that may be two is refused', () => {
    expect(payloadOf('application', 'name,roles\nann,Admin\nbob,admin\n')).toMatchObject({
      applications: [{ local_roles: [{ name: 'Admin' }, { name: 'admin' }] }],
    });
    const text = lines(
      'kind,name,resource_type,parent',
      'resource,Docs,space,',
      'resource,docs,space,',
      'resource,a,page,Docs',
      'resource,b,page,docs',
    );
    expect(payloadOf('application', text)).toMatchObject({
      applications: [
        {
          resources: [
            { name: 'Docs', sub_resources: [{ name: 'a' }] },
            { name: 'docs', sub_resources: [{ name: 'b' }] },
          ],
        },
      ],
    });
    expect(refusal('application', `${text}resource,c,page,DOCS\n`)).toEqual([
      [6, 'parent', 'AMBIGUOUS_REFERENCE'],
    ]);
  });
});

test('an option of a column ends its name at the last equals sign', () => {
  const options = { csv: true, systemName: undefined, systemType: undefined };
  const system = systemOf({ ...options, column: ['a=b=name', 'c='] }, SYSTEM);
  expect(system).toEqual({ ...SYSTEM, columns: { 'a=b': 'name', c: '' } });
  expect(payloadOf('hris', 'a=b,c\nann,ignored\n', system)).toMatchObject({
    employees: [{ name: 'ann' }],
  });
});
