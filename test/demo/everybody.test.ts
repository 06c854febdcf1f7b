/** @more pages */

import { savedQueries } from '../../src/kit/saved-queries';
import { type FilledGraph, filledGraph } from '../support/push';

// More than the query looks at to find what everybody may reach.
const PEOPLE = Array.from({ length: 45 }, (_, at) => `p${String(at).padStart(2, '0')}`);
const LAST = PEOPLE.length - 1;

const directory = {
  name: 'Directory',
  idp_type: 'okta',
  domains: [{ name: 'example.com' }],
  users: [
    ...PEOPLE.map((name) => ({ name, email: `${name}@example.com`, groups: [] })),
    { name: 'a left', email: 'left@example.com', is_active: false },
    { name: 'z guest', email: 'guest@example.com', is_guest: true },
  ],
  groups: [],
};

/** Groups of accounts, by the places of their people. */
const GROUPS: Readonly<Record<string, (at: number) => boolean>> = {
  all: () => true,
  even: (at) => at % 2 === 0,
  odd: (at) => at % 2 === 1,
  // Together more than everybody, and yet not the one in the middle.
  'not five': (at) => at !== 5,
  'not six': (at) => at !== 6,
  'not the last but one': (at) => at !== LAST - 1,
  ends: (at) => at === 0 || at === LAST,
};

/** Which groups read which resource; a resource of nobody's group is read by each account itself. */
const READ: Readonly<Record<string, readonly string[]>> = {
  'by one group': ['all'],
  'by two groups': ['even', 'odd'],
  'by each account': [],
  'all but one': ['not five', 'ends'],
  'all but another': ['not six', 'ends'],
  'all but the last but one': ['not the last but one', 'ends'],
  'one half': ['even'],
};

const host = {
  applications: [
    {
      name: 'host',
      application_type: 'host',
      local_users: PEOPLE.map((name, at) => ({
        name,
        identities: [`${name}@example.com`],
        groups: Object.keys(GROUPS).filter((group) => GROUPS[group]?.(at)),
      })),
      local_groups: Object.keys(GROUPS).map((name) => ({ name })),
      resources: Object.keys(READ).map((name) => ({ name, resource_type: 'page' })),
    },
  ],
  permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  identity_to_permissions: Object.entries(READ).flatMap(([resource, groups]) =>
    (groups.length > 0 ? groups : PEOPLE).map((identity) => ({
      identity,
      identity_type: groups.length > 0 ? 'local_group' : 'local_user',
      application_permissions: [{ application: 'host', permission: 'read', resources: [resource] }],
    })),
  ),
};

let filled: FilledGraph;
beforeAll(async () => {
  filled = await filledGraph();
  await filled.accept(await filled.register('directory', 'identity_provider'), directory);
  await filled.accept(await filled.register('host', 'application'), host);
});
afterAll(() => filled.close());

test('everybody reaches what one group of all reads, and what several holders read between them', async () => {
  const query = savedQueries().find(({ name }) => name === 'resources-everybody-can-reach');
  const rows = await filled.ask(query?.text ?? '', {
    domain: 'example.com',
  });
  expect(rows.map(({ resource, people }) => [resource, people])).toEqual([
    ['by each account', 45],
    ['by one group', 45],
    ['by two groups', 45],
  ]);
  expect(rows.map(({ permissions_of_some }) => permissions_of_some)).toEqual([
    ['read'],
    ['read'],
    ['read'],
  ]);
});
