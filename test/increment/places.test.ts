import { MemorySource } from './memory';

const repo = (id: string, more: object = {}): object => ({
  name: `repo ${id}`,
  id,
  resource_type: 'repo',
  ...more,
});

/** What a full push says of an application with these resources, or an increment that leaves all but them as it is. */
const payload = (resources: readonly object[], more: object = {}): string =>
  JSON.stringify({
    ...more,
    applications: [
      { name: 'crm', application_type: 'CRM', local_users: [{ name: 'ann' }], resources },
    ],
  });
const INCREMENT = { incremental_change: true };

/** The problems of an increment in which an entry that has an operation deletes what it is nested in, before the entry that is given. */
const problemsAfterDeletion = (operation: string, nested: object): readonly string[] => {
  const source = new MemorySource('application');
  expect(source.push(payload([repo('1'), repo('2')]))).toEqual([]);
  const outer = repo('1', {
    operation,
    sub_resources: [repo('1', { operation: 'delete' }), nested],
  });
  return source.push(payload([outer], INCREMENT));
};

// Found by `npm run soak`: the resource stood in one that stood no more.
test.each([
  ['add', { name: 'other', id: '2', resource_type: 'repo' }],
  ['add', { name: 'new', resource_type: 'folder' }],
  ['add', { name: 'outer', id: '1', resource_type: 'repo' }],
  ['modify', { id: '2', resource_type: 'repo', operation: 'modify' }],
  ['modify', { name: 'new', resource_type: 'folder', operation: 'add' }],
])(
  'a resource cannot be placed in one that an entry before it has deleted (docs/increments.md 3.8): %s, %j',
  (operation, nested) => {
    expect(problemsAfterDeletion(operation, nested)).toEqual([
      '/applications/0/resources/0/sub_resources/1 UNKNOWN_ENTITY',
    ]);
  },
);

test('what does not place a resource may follow such a deletion', () => {
  const tagged = { id: '2', resource_type: 'repo', tags: [{ key: 'seen' }], operation: 'add_tag' };
  expect(problemsAfterDeletion('add', tagged)).toEqual([]);
});

test('a resource that left before its parent was deleted may come back to the parent that is added anew (docs/increments.md 3.8)', () => {
  const source = new MemorySource('application');
  expect(source.push(payload([repo('1', { sub_resources: [repo('2')] }), repo('3')]))).toEqual([]);
  const before = new Map(source.rows);
  const moved = repo('2', { operation: 'modify' });
  const increment = payload(
    [
      repo('3', { sub_resources: [moved] }),
      repo('1', { operation: 'delete' }),
      repo('1', { operation: 'add' }),
      repo('1', { sub_resources: [moved] }),
    ],
    INCREMENT,
  );
  expect(source.push(increment)).toEqual([]);
  expect([...source.rows].sort()).toEqual([...before].sort());
});

// Found by a random push (`PROPERTY_SEED=560280811`): only resources that the push itself names had their new path.
test('the new path of a resource below a renamed one can be named in the same push (docs/rules.md: References)', () => {
  const source = new MemorySource('application');
  const inner = { name: 'inner', resource_type: 'folder' };
  expect(source.push(payload([repo('1', { sub_resources: [inner] })]))).toEqual([]);
  const element = { application: 'crm', permission: 'read' };
  const naming = (path: string): string =>
    payload([{ ...repo('1', { operation: 'modify' }), name: 'renamed' }], {
      ...INCREMENT,
      permissions: [{ name: 'read', operation: 'add' }],
      identity_to_permissions: [
        {
          identity: 'ann',
          identity_type: 'local_user',
          application_permissions: [{ ...element, resources: [path], operation: 'add' }],
        },
      ],
    });
  expect(source.push(naming('repo 1.inner'))).toEqual([
    '/identity_to_permissions/0/application_permissions/0/resources/0 UNKNOWN_REFERENCE',
  ]);
  expect(source.push(naming('renamed.inner'))).toEqual([]);
});

test('assignments of a role that an increment renames have its new name (docs/increments.md 4)', () => {
  const whole = (role: string): string =>
    JSON.stringify({
      applications: [
        {
          name: 'crm',
          application_type: 'CRM',
          local_users: [{ name: 'ann' }],
          local_roles: [{ name: role, id: '1', permissions: ['read'] }],
        },
      ],
      permissions: [{ name: 'read', permission_type: ['DataRead'] }],
      identity_to_permissions: [
        {
          identity: 'ann',
          identity_type: 'local_user',
          role_assignments: [{ application: 'crm', role: '1' }],
        },
      ],
    });
  const [source, expected] = [new MemorySource('application'), new MemorySource('application')];
  expect(source.push(whole('former'))).toEqual([]);
  expect(expected.push(whole('renamed'))).toEqual([]);
  const renamed = { id: '1', name: 'renamed', operation: 'modify' };
  const application = { name: 'crm', local_roles: [renamed] };
  expect(source.push(JSON.stringify({ ...INCREMENT, applications: [application] }))).toEqual([]);
  const names = ({ rows }: MemorySource): unknown =>
    [...rows].map(([key, row]) => [key, row.properties]).sort();
  expect(names(source)).toEqual(names(expected));
});
