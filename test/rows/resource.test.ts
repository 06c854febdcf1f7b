import { problemsOf, rowAt, rowsOf } from './told-rows';

const drive = (resources: readonly object[], rest: object = {}): object => ({
  applications: [{ name: 'Drive', application_type: 'T', resources }],
  identity_to_permissions: [{ identity: 'nobody' }],
  ...rest,
});
const granting = (resources: readonly object[], ...references: readonly string[]): object =>
  drive(resources, {
    permissions: [{ name: 'p' }],
    identity_to_permissions: [
      {
        identity: 'x',
        application_permissions: [{ application: 'Drive', permission: 'p', resources: references }],
      },
    ],
  });
const keys = (resources: readonly object[]): readonly string[] =>
  rowsOf('application', drive(resources)).rows.flatMap(({ kind, key }) =>
    kind.label === 'Resource' ? [key] : [],
  );

const tree = [
  {
    name: 'a',
    id: '1',
    resource_type: 'Dir',
    sub_resources: [
      {
        name: 'b',
        resource_type: 'Note',
        sub_resources: [{ name: 'c', id: '3', resource_type: 'dir' }],
      },
    ],
  },
];

test('keys tell ids from names, and where a resource without an id stands', () => {
  expect(keys(tree)).toEqual([
    'Resource|Drive|#dir|1',
    'Resource|Drive|#dir|1|/note|b',
    'Resource|Drive|#dir|3',
  ]);
});

test.each<[string, readonly object[]]>([
  [
    'ids of two types',
    [
      { name: 'a', id: '1', resource_type: 'x' },
      { name: 'a', id: '1', resource_type: 'y' },
    ],
  ],
  [
    'an id and a name',
    [
      { name: '1', resource_type: 'x' },
      { name: 'a', id: '1', resource_type: 'y' },
    ],
  ],
  [
    'names of two types',
    [
      { name: 'a', resource_type: 'x' },
      { name: 'a', resource_type: 'y' },
    ],
  ],
  [
    'names that differ by case',
    [
      { name: 'a', resource_type: 'x' },
      { name: 'A', resource_type: 'x' },
    ],
  ],
  [
    'one name in two places',
    [{ name: 'a', resource_type: 'x', sub_resources: [{ name: 'a', resource_type: 'x' }] }],
  ],
  [
    'a name that looks like a place',
    [
      { name: 'a|/x|b', resource_type: 'x' },
      { name: 'a', resource_type: 'x', sub_resources: [{ name: 'b', resource_type: 'x' }] },
    ],
  ],
  [
    'a type that looks like an id',
    [
      { name: 'a', resource_type: '#x' },
      { name: 'b', id: 'a', resource_type: 'x' },
    ],
  ],
])('tells apart %s', (_what, resources) => {
  const all = keys(resources);
  expect(new Set(all).size).toBe(all.length);
});

test('a resource carries its path and its place', () => {
  const rows = rowsOf('application', drive(tree));
  expect(rowAt(rows, 'Resource|Drive|#dir|3')).toEqual({
    key: 'Resource|Drive|#dir|3',
    properties: {
      name: 'c',
      id: '3',
      resource_type: 'dir',
      path: 'a.b.c',
      application: 'Drive',
      application_type: 'T',
    },
    lookups: {
      fold_application_type: 't',
      fold_of_application: 'drive',
      fold_id: '3',
      fold_name: 'c',
      fold_path: 'a.b.c',
      fold_id_path: '1.b.3',
      fold_resource_type: 'dir',
    },
    states: ['Resource|Drive|#dir|1|/note|b CONTAINS'],
  });
  expect(rowAt(rows, 'Resource|Drive|#dir|1').states).toEqual(['Application|Drive CONTAINS']);
});

test('two spellings of one path that fold to one are kept once', () => {
  const { lookups } = rowAt(
    rowsOf('application', drive([{ name: 'Top', id: 'top', resource_type: 't' }])),
    'Resource|Drive|#t|top',
  );
  expect(lookups).not.toHaveProperty('fold_id_path');
});

test.each([
  ['x', 255, 3, true],
  ['x', 255, 4, false],
  ['\u0130', 127, 2, true],
  ['\u0130', 127, 3, false],
])(
  'a path of %s %i times, %i deep, is looked up if any text can name it',
  (letter, times, depth, isFound) => {
    const name = letter.repeat(times);
    const nested = Array.from({ length: depth - 1 }).reduce<object>(
      (below) => ({ name, resource_type: 't', sub_resources: [below] }),
      { name, id: '1', resource_type: 'u' },
    );
    const { lookups } = rowAt(rowsOf('application', drive([nested])), 'Resource|Drive|#u|1');
    expect('fold_path' in lookups).toBe(isFound);
    expect(lookups.fold_id).toBe('1');
  },
);

test('a resource deeper than calls may nest has its row', () => {
  const deep = Array.from({ length: 99 }).reduce<object>(
    (below) => ({ name: 'x', resource_type: 't', sub_resources: [below] }),
    { name: 'x', resource_type: 't', tags: [{ key: 'deepest' }] },
  );
  const { rows } = rowsOf('application', drive([deep]));
  const last = rows.filter(({ kind }) => kind.label === 'Resource').at(-1);
  expect(last?.tags).toEqual(['Tag|deepest|']);
  expect(last?.properties.path).toBe(Array.from({ length: 100 }, () => 'x').join('.'));
  expect(Buffer.byteLength(last?.key ?? '')).toBeLessThanOrEqual(475);
});

test.each([
  ['an id', '3', '#dir|3'],
  ['a path of names', 'a.b.c', '#dir|3'],
  ['a path of ids', '1.b.3', '#dir|3'],
  ['a path without regard to case', 'A.B', '#dir|1|/note|b'],
  ['a name', 'b', '#dir|1|/note|b'],
])('a statement names a resource by %s', (_how, reference, key) => {
  const { states } = rowAt(rowsOf('application', granting(tree, reference)), 'Grant|Drive|idp|x|p');
  expect(states).toContain(`ON Resource|Drive|${key}`);
});

test.each<[string, readonly object[], string, string]>([
  ['a path that mixes both spellings', tree, 'a.b.3', 'UNKNOWN_REFERENCE'],
  ['a path from the middle', tree, 'b.c', 'UNKNOWN_REFERENCE'],
  ['a path that begins with the application', tree, 'Drive.a', 'UNKNOWN_REFERENCE'],
  [
    'a name that two have',
    [
      { name: 'n', id: '1', resource_type: 'x' },
      { name: 'n', id: '2', resource_type: 'x' },
    ],
    'n',
    'AMBIGUOUS_REFERENCE',
  ],
  [
    'an id that two types have',
    [
      { name: 'm', id: '1', resource_type: 'x' },
      { name: 'n', id: '1', resource_type: 'y' },
    ],
    '1',
    'AMBIGUOUS_REFERENCE',
  ],
  [
    'a path that two have',
    [
      { name: 'a.b', resource_type: 'x' },
      { name: 'a', resource_type: 'x', sub_resources: [{ name: 'b', resource_type: 'x' }] },
    ],
    'a.b',
    'AMBIGUOUS_REFERENCE',
  ],
])('a statement cannot name a resource by %s', (_how, resources, reference, code) => {
  expect(problemsOf('application', granting(resources, reference))).toEqual([
    `/identity_to_permissions/0/application_permissions/0/resources/0 ${code}`,
  ]);
});

test('connections name what is outside, folded, once', () => {
  const connections = [
    { node_type: 'Role', id: 'ARN:X' },
    { node_type: 'role', id: 'arn:x' },
  ];
  const rows = rowsOf('application', drive([{ name: 'r', resource_type: 't', connections }]));
  expect(rowAt(rows, 'Resource|Drive|/t|r').states).toEqual([
    'Application|Drive CONTAINS',
    'CONNECTS_TO ExternalEntity|role|arn:x',
  ]);
  expect([...rows.shared.values()].map(({ properties }) => properties)).toEqual([
    { node_type: 'role', id: 'arn:x' },
  ]);
});
