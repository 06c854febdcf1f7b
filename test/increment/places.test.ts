import { MemorySource } from './memory';

const STANDS = {
  applications: [
    {
      name: 'crm',
      application_type: 'CRM',
      local_users: [{ name: 'ann' }],
      resources: [
        { name: 'outer', id: '1', resource_type: 'repo' },
        { name: 'other', id: '2', resource_type: 'repo' },
      ],
    },
  ],
};

/** The problems of an increment in which an entry that has an operation deletes what it is nested in, before the entry that is given. */
const problemsAfterDeletion = (operation: string, nested: object): readonly string[] => {
  const source = new MemorySource('application');
  expect(source.push(JSON.stringify(STANDS))).toEqual([]);
  const outer = { name: 'outer', id: '1', resource_type: 'repo' };
  return source.push(
    JSON.stringify({
      incremental_change: true,
      applications: [
        {
          name: 'crm',
          resources: [
            { ...outer, operation, sub_resources: [{ ...outer, operation: 'delete' }, nested] },
          ],
        },
      ],
    }),
  );
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
  const repo = (id: string, more: object = {}): object => ({
    ...{ name: `r${id}`, id, resource_type: 'repo' },
    ...more,
  });
  const whole = (resources: readonly object[], incremental_change = false): string =>
    JSON.stringify({
      ...(incremental_change && { incremental_change }),
      applications: [
        { name: 'crm', application_type: 'CRM', local_users: [{ name: 'ann' }], resources },
      ],
    });
  const source = new MemorySource('application');
  expect(source.push(whole([repo('1', { sub_resources: [repo('2')] }), repo('3')]))).toEqual([]);
  const before = new Map(source.rows);
  const moved = repo('2', { operation: 'modify' });
  const increment = whole(
    [
      repo('3', { sub_resources: [moved] }),
      repo('1', { operation: 'delete' }),
      repo('1', { operation: 'add' }),
      repo('1', { sub_resources: [moved] }),
    ],
    true,
  );
  expect(source.push(increment)).toEqual([]);
  expect([...source.rows].sort()).toEqual([...before].sort());
});
