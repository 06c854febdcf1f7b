import { MemorySource } from './memory';

const VIEW = { application: 'crm', permission: 'view' };
const STANDS = {
  applications: [
    { name: 'crm', application_type: 'CRM', local_users: [{ name: 'ann' }, { name: 'bob' }] },
  ],
  permissions: [{ name: 'view', permission_type: ['DataRead'] }],
};

/** The problems of an increment to a data source in which two users stand. */
const problemsOf = (increment: object): readonly string[] => {
  const source = new MemorySource('application');
  expect(source.push(JSON.stringify(STANDS))).toEqual([]);
  return source.push(JSON.stringify({ incremental_change: true, ...increment }));
};

// Found by `npm run soak`: only those that stood before the push were told.
test('nobody is left: told at each entry that removed somebody, whom the payload had added too (docs/increments.md 6)', () => {
  const gone = ['ann', 'bob', 'key'].map((name) => ({ name, operation: 'delete' }));
  const added = { name: 'key', operation: 'add' };
  expect(
    problemsOf({
      applications: [
        { name: 'crm', local_access_creds: [added] },
        { name: 'crm', local_users: gone.slice(0, 2), local_access_creds: gone.slice(2) },
      ],
      identity_to_permissions: [
        { identity: 'ann@corp', application_permissions: [{ ...VIEW, operation: 'add' }] },
        { identity: 'ann@corp', application_permissions: [{ ...VIEW, operation: 'delete' }] },
      ],
    }),
  ).toEqual([
    '/applications/1/local_users/0 NO_IDENTITY',
    '/applications/1/local_users/1 NO_IDENTITY',
    '/applications/1/local_access_creds/0 NO_IDENTITY',
    '/identity_to_permissions/1/application_permissions/0 NO_IDENTITY',
  ]);
});

test('no application is left: told at each entry that deleted one, which the payload had added too (docs/increments.md 6)', () => {
  const entry = (name: string, operation: string): object => ({
    name,
    operation,
    ...(operation === 'add' ? { application_type: 'CRM' } : {}),
  });
  const problems = problemsOf({
    applications: [entry('hr', 'add'), entry('hr', 'delete'), entry('crm', 'delete')],
    identity_to_permissions: [],
  });
  expect(problems.filter((problem) => problem.endsWith('NO_APPLICATION'))).toEqual([
    '/applications/1 NO_APPLICATION',
    '/applications/2 NO_APPLICATION',
  ]);
});

// Found by `npm run soak`: told at the entry that modified it.
test('ids on some of a type: told at the entry that added a resource, not at a later one that modifies it (docs/increments.md 6)', () => {
  const page = { name: 'home', resource_type: 'Page' };
  const numbered = { name: 'news', id: '1', resource_type: 'Page', operation: 'add' };
  expect(
    problemsOf({
      applications: [
        { name: 'crm', resources: [{ ...page, operation: 'add' }] },
        { name: 'crm', resources: [{ ...page, operation: 'modify', description: 'First' }] },
        { name: 'crm', resources: [numbered] },
      ],
    }),
  ).toEqual(['/applications/0/resources/0 MIXED_IDS']);
});

// Found by random pushes in memory: what an unknown application holds was not looked at.
test('an operation that a kind does not have is refused inside an unknown application too (docs/increments.md 2)', () => {
  const wrong = { name: 'ann', operation: 'delete_resource' };
  expect(problemsOf({ applications: [{ name: 'unknown', local_users: [wrong] }] })).toEqual([
    '/applications/0/local_users/0/operation OPERATION_NOT_ALLOWED',
  ]);
});
