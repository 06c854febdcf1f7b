import { rowsOf, told } from './told-rows';

const permissions = (...list: readonly object[]): readonly ReturnType<typeof told>[] =>
  rowsOf('application', {
    applications: [{ name: 'A', application_type: 't', local_users: [{ name: 'u' }] }],
    permissions: list,
  })
    .rows.filter(({ kind }) => kind.label === 'Permission')
    .map(told);

test('a permission without types is one node', () => {
  expect(
    permissions({ name: 'View', permission_type: ['DataRead'], apply_to_sub_resources: false }),
  ).toEqual([
    {
      key: 'Permission|View',
      properties: { name: 'View', permission_type: ['DataRead'], apply_to_sub_resources: false },
      lookups: { fold_name: 'view', fold_of_permission_type: ['dataread'] },
      states: [],
    },
  ]);
});

test('a permission with types is one node for each, folded', () => {
  const found = permissions({ name: 'Edit', resource_types: ['repo', 'Branch', 'Repo'] });
  expect(found.map(({ key, properties }) => [key, properties.resource_type])).toEqual([
    ['Permission|Edit|branch', 'Branch'],
    ['Permission|Edit|repo', 'Repo'],
  ]);
  expect(found[1]?.lookups).toEqual({
    fold_name: 'edit',
    fold_resource_type: 'repo',
    fold_of_permission_type: ['uncategorized'],
  });
});

test.each<[object, readonly string[]]>([
  [{}, ['Uncategorized']],
  [{ permission_type: [] }, ['Uncategorized']],
  [{ permission_type: null }, ['Uncategorized']],
  [{ permission_type: ['NonData', 'DataRead', 'NonData'] }, ['DataRead', 'NonData']],
])('the canonical types of %j are %j', (sent, types) => {
  expect(permissions({ name: 'p', ...sent })[0]?.properties.permission_type).toEqual(types);
});

test('application types are a set, told as sent and compared folded', () => {
  const [found] = permissions({ name: 'p', application_type: ['crm', 'Wiki', 'CRM', 'wiki'] });
  expect(found?.properties.application_types).toEqual(['CRM', 'Wiki']);
  expect(found?.lookups.fold_application_types).toEqual(['crm', 'wiki']);
  expect(permissions({ name: 'p', application_type: [] })[0]?.properties).not.toHaveProperty(
    'application_types',
  );
});

test('names that differ by case are two permissions', () => {
  expect(permissions({ name: 'view' }, { name: 'View' }).map(({ key }) => key)).toEqual([
    'Permission|view',
    'Permission|View',
  ]);
});

test('a name is never read as a name with a type', () => {
  const keys = permissions({ name: 'a|b' }, { name: 'a', resource_types: ['b'] }).map(
    ({ key }) => key,
  );
  expect(keys).toEqual(['Permission|a%7Cb', 'Permission|a|b']);
});
