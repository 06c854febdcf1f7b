import { MemorySource } from './memory';

const directory = {
  name: 'Directory',
  idp_type: 'okta',
  domains: [{ name: 'corp' }],
  groups: [{ name: 'staff' }],
  users: [{ name: 'annabel', groups: [{ identity: 'staff' }] }],
};

const application = {
  permissions: [{ name: 'view', permission_type: ['DataRead'] }],
  applications: [
    {
      name: 'crm',
      application_type: 'CRM',
      local_users: [{ name: 'annabel' }],
      local_roles: [{ name: 'reader', permissions: ['view'] }],
      resources: [{ id: 'r-1', name: 'folder', resource_type: 'folder' }],
    },
    { name: 'wiki', application_type: 'Wiki', local_users: [{ name: 'annabell' }] },
  ],
};

const standing = (template: 'application' | 'identity_provider'): MemorySource => {
  const memory = new MemorySource(template);
  const whole = template === 'application' ? application : directory;
  expect(memory.push(JSON.stringify(whole))).toEqual([]);
  return memory;
};

/** The messages of what refuses an increment. */
const refusals = (memory: MemorySource, increment: object): readonly string[] =>
  memory
    .take(JSON.stringify({ incremental_change: true, ...increment }))
    .map(({ message }) => message);

const inCrm = (entities: object): object => ({ applications: [{ name: 'crm', ...entities }] });

test.each([
  ['a user', { users: [{ operation: 'modify', name: 'anabel' }] }, 'annabel'],
  [
    'a group that a user names',
    { users: [{ operation: 'add', name: 'bob', groups: [{ identity: 'staf' }] }] },
    'staff',
  ],
])('an identity provider: %s is guessed', (_what, increment, guess) => {
  expect(refusals(standing('identity_provider'), increment).join()).toContain(
    `did you mean "${guess}"?`,
  );
});

test.each([
  ['a local user', inCrm({ local_users: [{ operation: 'modify', name: 'anabel' }] }), 'annabel'],
  [
    'a role that a role names',
    inCrm({ local_roles: [{ operation: 'add', name: 'editor', roles: ['raeder'] }] }),
    'reader',
  ],
  [
    'a resource by its id',
    inCrm({
      resources: [{ operation: 'modify', id: 'r-2', name: 'f', resource_type: 'folder' }],
    }),
    'r-1',
  ],
  ['a permission', { permissions: [{ operation: 'modify', name: 'veiw' }] }, 'view'],
  [
    'whom a whole entry is about',
    {
      identity_to_permissions: [
        {
          identity: 'anabel',
          identity_type: 'local_user',
          operation: 'modify',
          application_permissions: [{ application: 'crm', permission: 'view' }],
        },
      ],
    },
    'annabel',
  ],
])('an application: %s is guessed', (_what, increment, guess) => {
  const refused = refusals(standing('application'), increment);
  expect(refused.join()).toContain(`did you mean "${guess}"`);
});

test('a guess stays within the application of the entry', () => {
  const increment = inCrm({ local_users: [{ operation: 'modify', name: 'annabelx' }] });
  expect(refusals(standing('application'), increment).join()).not.toContain('annabell');
});

test('spellings are asked for once, and only for a refusal', () => {
  const memory = standing('identity_provider');
  const asks = (): number => memory.asked.flat().filter(({ _tag }) => _tag === 'spellings').length;
  refusals(memory, { users: [{ operation: 'modify', name: 'annabel', is_active: true }] });
  expect(asks()).toBe(0);
  const users = Array.from({ length: 50 }, (_, at) => ({ operation: 'modify', name: `x${at}` }));
  expect(refusals(memory, { users })).toHaveLength(50);
  expect(asks()).toBe(1);
});
