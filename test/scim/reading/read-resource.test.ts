import { readAccountOf, readGroupOf } from '../../../src/scim/reading/read-resource';
import { LeftOut } from '../../../src/scim/reading/resource-text';

type Json = Readonly<Record<string, unknown>>;

const account = (more: object, left = new LeftOut()) =>
  readAccountOf({ id: 'u', userName: 'ann', ...more }, left);

describe('an account', () => {
  test.each<[string, Json, string]>([
    ['displayName', { displayName: 'Ann', name: { formatted: 'B' } }, 'Ann'],
    ['name.formatted', { displayName: ' ', name: { formatted: 'B' } }, 'B'],
    ['given and family name', { name: { givenName: 'Ann', familyName: 'Berg' } }, 'Ann Berg'],
    ['one of both', { name: { familyName: 'Berg' } }, 'Berg'],
    ['userName', { name: 'text' }, 'ann'],
    ['its id', { userName: null }, 'u'],
    ['what fits', { displayName: 'x'.repeat(257), name: { formatted: 'B' } }, 'B'],
  ])('is called by %s', (_what, more, name) => {
    expect(account(more)?.name).toBe(name);
  });

  test.each<[string, unknown, string | null]>([
    ['none', undefined, null],
    ['no list', 'a@x', 'a@x'],
    ['texts', ['a@x', 'b@x'], 'a@x'],
    ['the first', [{ value: 'a@x', type: 'home' }, { value: 'b@x' }], 'a@x'],
    ['work', [{ value: 'a@x' }, { value: 'b@x', type: 'WORK' }], 'b@x'],
    [
      'primary',
      [
        { value: 'a@x', type: 'work' },
        { value: 'b@x', primary: 'True' },
      ],
      'b@x',
    ],
    ['one with a value', [{ type: 'work' }, { value: 'b@x' }], 'b@x'],
    ['nonsense', [null, 7, [], {}], null],
  ])('has one email: %s', (_what, emails, email) => {
    expect(account({ emails })?.email ?? null).toBe(email);
  });

  test('is known by email and userName, once', () => {
    expect(account({ emails: ['Ann@x'], userName: 'ann@X' })?.identities).toHaveLength(1);
    expect(account({ emails: ['ann@x'] })?.identities).toEqual(['ann@x', 'ann']);
  });

  test.each<[unknown, boolean | null]>([
    [true, true],
    ['False', false],
    ['TRUE', true],
    [undefined, null],
    ['yes', null],
    [1, null],
  ])('active %s', (active, is_active) => {
    expect(account({ active })?.is_active).toBe(is_active);
  });

  test('has a manager by an object or a bare id', () => {
    const urn = 'URN:ietf:params:scim:schemas:extension:enterprise:2.0:user';
    expect(account({ [urn]: { manager: { value: 7 } } })?.custom.manager).toBe('7');
    expect(account({ [urn]: { manager: 'm1' } })?.custom.manager).toBe('m1');
    expect(account({ [urn]: 'x' })?.custom.manager).toBeNull();
  });

  test('holds roles and entitlements, however they are spelled', () => {
    const roles = [{ value: 'a', display: 'A' }, 'b', { display: 'C' }, { value: 'a' }, {}, null];
    expect(account({ roles })?.roles).toEqual([
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
      { id: 'C', name: 'C' },
    ]);
    const entitlements = [{ value: 'e', display: 'E' }, { value: 'x', display: 'x' }, 'y', 'y'];
    expect(account({ entitlements })?.entitlements).toEqual(['E (e)', 'x', 'y']);
  });

  test('that no payload can hold is left out, and told', () => {
    const left = new LeftOut();
    expect(account({ id: 'x'.repeat(257) }, left)).toBeNull();
    expect(account({ title: '\ud800' }, left)?.custom.title).toBeNull();
    expect(left.count).toBe(3);
    expect(() => account({ id: undefined }, left)).toThrow('has no id');
  });
});

describe('a group', () => {
  const group = (more: object) => readGroupOf({ id: 'g', ...more }, new LeftOut());

  test('is called by displayName, else by its id', () => {
    expect(group({ displayName: 'G' })?.name).toBe('G');
    expect(group({})?.name).toBe('g');
  });

  test('tells what its members are by type or address, if it does', () => {
    const members = [
      { value: 'a', type: 'user' },
      { value: 'b', type: 'Group' },
      { value: 3 },
      'd',
      { value: 'e', $ref: 'https://app.example/scim/v2/Groups/e' },
      { value: 'f', $ref: '../Users/f' },
      {},
      null,
    ];
    expect(group({ members })?.members).toEqual([
      { id: 'a', kind: 'account' },
      { id: 'b', kind: 'group' },
      { id: '3', kind: null },
      { id: 'd', kind: null },
      { id: 'e', kind: 'group' },
      { id: 'f', kind: 'account' },
    ]);
    expect(group({})?.members).toBeNull();
    expect(group({ members: [] })?.members).toEqual([]);
  });
});
