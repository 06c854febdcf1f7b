import { type User, user } from '../../http/policy-stage';
import type { Random } from '../../hardening/random';
import type { MisbehavingServer } from '../misbehaving-server';

const NAMES = ['ann', 'bob', 'carl', 'dora', 'emil'];

/** The group of the directory whose members are in the group of administrators. */
const EDITORS = 'editors';

/** The groups of a policy that puts people there. */
export const policyGroups = (source: string) => [
  'Writers',
  { name: 'Admins', who: { group: EDITORS, in: [source] } },
];

/** Who is in the directory, and how. */
export type Directory = ReadonlyMap<string, { readonly user: User; readonly isEditor: boolean }>;

/** Draws who is in the directory. */
export const drawnDirectory = (random: Random): Directory =>
  new Map(
    NAMES.filter(() => random.happens(0.7)).map((name) => {
      const isEditor = random.happens(0.5);
      const more = {
        full_name: `${name} ${random.pick(['Berg', 'Holm', 'Lund'])}`,
        is_active: random.happens(0.85),
        ...(isEditor ? { groups: [{ identity: 'g-1' }] } : {}),
      };
      return [name, { user: user(name, more), isEditor }] as const;
    }),
  );

/** What is pushed of a directory. Somebody whom no policy finds is always there. */
export const pushedOf = (directory: Directory) => ({
  groups: [{ name: EDITORS, identity: 'g-1' }],
  users: [user('nobody'), ...[...directory.values()].map((one) => one.user)],
});

/** What the application shall hold, in the words of the tests. */
export const expectedOf = (directory: Directory, known: ReadonlySet<string>) => {
  const active = [...directory.values()].filter((one) => one.user.is_active !== false);
  return {
    accounts: Object.fromEntries([
      ...[...known].map((name) => [`p-${name}`, false] as const),
      ...active.map((one) => [one.user.identity, one.user.full_name] as const),
    ]),
    writers: active.map((one) => one.user.identity).sort(),
    admins: active
      .filter(({ isEditor }) => isEditor)
      .map((one) => one.user.identity)
      .sort(),
  };
};

/** What the application holds, in the words of the tests. */
export const foundIn = (server: Pick<MisbehavingServer, 'users' | 'groups'>) => {
  const members = (group: string): readonly string[] =>
    ((server.groups.get(group)?.members ?? []) as { readonly value: string }[])
      .map(({ value }) => String(server.users.get(value)?.externalId))
      .sort();
  return {
    accounts: Object.fromEntries(
      [...server.users.values()].map((one) => [
        String(one.externalId),
        one.active === false ? false : one.displayName,
      ]),
    ),
    writers: members('w'),
    admins: members('a'),
  };
};
