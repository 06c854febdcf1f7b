import { plannedByHuman } from '../../../src/features/console/changes/planned-by-human';
import type { Summary } from '../../../src/contract/answers/questions/access';

const summary = (id: string, label: string): Summary => ({
  id,
  label,
  name: id,
  path: null,
  resource_type: null,
  application: null,
  domain: null,
  provider: null,
  inactive: false,
});

const HUMANS: Readonly<Record<string, Summary>> = {
  user: summary('ann', 'Employee'),
  account: summary('ann', 'Employee'),
  bob: summary('bob', 'IdpUser'),
  robot: summary('robot', 'LocalUser'),
};

const row = (id: string, label: string, lost: readonly string[]) => ({
  principal: summary(id, label),
  human: HUMANS[id] ?? null,
  is_person: id !== 'robot' && HUMANS[id] !== undefined,
  resource: summary('r', 'Resource'),
  gained: [],
  lost: lost.map((name) => ({ name, permission_type: [] })),
});

// Before, somebody with three accounts was three heads, and losses were anywhere in a long table.
test('each human is one head, people come first, and of these who would lose something', () => {
  const gains = (id: string, label: string) => ({
    ...row(id, label, []),
    resource: summary('s', 'Resource'),
    gained: [{ name: 'read', permission_type: [] }],
  });
  const values = [
    row('team', 'IdpGroup', ['read']),
    row('robot', 'LocalUser', ['read']),
    gains('bob', 'IdpUser'),
    gains('user', 'IdpUser'),
    row('user', 'IdpUser', ['read']),
    row('account', 'LocalUser', ['read', 'write']),
  ];
  const shown = plannedByHuman(values);
  expect(
    shown.map(({ who, by, on }) => [
      who.id,
      by.map(({ id }) => id),
      on.map(({ resource, lost }) => `${resource.id}: ${lost.map(({ name }) => name).join(' ')}`),
    ]),
  ).toEqual([
    ['ann', ['user', 'account'], ['r: read write', 's: ']],
    ['bob', [], ['s: ']],
    ['team', [], ['r: read']],
    ['robot', [], ['r: read']],
  ]);
});
