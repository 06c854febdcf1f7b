import { Joins } from '../../src/access/joins';

type Join = readonly [from: string, to: string];

const named = (label: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `${label} ${String(at).padStart(4, '0')}`, label },
    name: `${at}@example.org`,
  }));

const users = named('IdpUser', 150);
const accounts = named('LocalUser', 150);

const chain = (nodes: readonly { readonly id: string }[]): readonly Join[] =>
  nodes.slice(1).map(({ id }, at) => [nodes[at]?.id ?? '', id]);

const ofEach: readonly Join[] = users.map(({ id }, at) => [id, accounts[at]?.id ?? '']);
const all = [...users, ...accounts];
const [first = { id: '' }, ...others] = users;
const last = accounts.at(-1)?.id ?? '';

test('the human of a chain of users is the first of them, with all others and their accounts', () => {
  const joins = new Joins(all, [...chain(users), ...ofEach]);
  expect(joins.humanOf([last])).toBe(first.id);
  expect(joins.accountsOf(first.id)).toHaveLength(all.length - 1);
});

test('of users who lead to each other the smallest id counts', () => {
  const joins = new Joins(all, [...chain(users), [users.at(-1)?.id ?? '', first.id], ...ofEach]);
  expect(joins.humanOf([last])).toBe(first.id);
  expect(joins.accountsOf(first.id)).toHaveLength(all.length - 1);
});

test('who has two users whom nobody leads to is nobody’s', () => {
  const joins = new Joins(all, [...chain(others), ...ofEach, [first.id, last]]);
  expect(joins.humanOf([last])).toBeNull();
  expect(joins.humanOf([first.id])).toBe(first.id);
});

// A directory can name sources of sources. A human of 600 nodes held the thread that answers for 2 s.
test('twice as many users are at most some five times the work', () => {
  const workOf = (count: number): number => {
    const some = users.slice(0, count);
    const joins = new Joins(some, chain(some));
    let looked = 0;
    const has = jest.spyOn(Set.prototype, 'has').mockImplementation(function (
      this: ReadonlySet<unknown>,
      value: unknown,
    ) {
      looked += 1;
      return original.call(this, value);
    });
    joins.accountsOf(first.id);
    has.mockRestore();
    return looked;
  };
  const original = Object.getOwnPropertyDescriptor(Set.prototype, 'has')?.value as (
    this: ReadonlySet<unknown>,
    value: unknown,
  ) => boolean;
  expect(workOf(140)).toBeLessThan(5 * workOf(70));
});
