import { losersIn } from '../../../src/features/console/pushing/plan-view';
import type { Summary } from '../../../src/contract/answers/questions/access';

const summary = (id: string, label: string): Summary => ({
  ...{ id, label, name: id, path: null, resource_type: null, application: null, domain: null },
  ...{ provider: null, inactive: false },
});

const row = (id: string, label: string, lost: readonly string[]) => ({
  principal: summary(id, label),
  resource: summary('r', 'Resource'),
  gained: [],
  lost: lost.map((name) => ({ name, permission_type: [] })),
});

test('a human who loses by several accounts counts once, and groups and robots are no people', () => {
  const ann = summary('ann', 'Employee');
  const humans = new Map([
    ['user', ann],
    ['account', ann],
    ['bob', summary('bob', 'IdpUser')],
    ['carl', summary('carl', 'IdpUser')],
    ['robot', summary('robot', 'LocalUser')],
  ]);
  const values = [
    row('user', 'IdpUser', ['read']),
    row('account', 'LocalUser', ['read', 'write']),
    row('bob', 'IdpUser', ['read']),
    row('carl', 'IdpUser', []),
    row('team', 'IdpGroup', ['read']),
    row('robot', 'LocalUser', ['read']),
  ];
  expect(
    losersIn({ total: values.length, truncated: false, values }, humans, new Set(['robot'])),
  ).toBe(2);
});
