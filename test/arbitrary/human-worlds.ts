import fc, { type Arbitrary } from 'fast-check';

/*
 * Small worlds in which accounts, identities, users and employees find and lose each other: two directories, two
 * applications and an HR system that name the same few people (docs/rules.md: One human).
 */

/** A full push to the data source with this number (`templates` of push-sequence.ts). */
export interface WorldPush {
  readonly source: number;
  readonly payload: object;
}

const ADDRESSES = ['ann@x', 'bo@x'];
const BARE = ['i1', 'i2', 'i3'];
const NAMES = [...ADDRESSES, ...BARE];
const GATES = ['north', 'south', 'east'];

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 1 });

const name = fc.constantFrom(...NAMES);

/** Some of these things, each at most once. */
const some = <T>(things: readonly Arbitrary<T>[]): Arbitrary<readonly T[]> =>
  fc
    .tuple(
      fc.tuple(...things),
      fc.array(fc.nat({ max: 2 }), {
        minLength: things.length,
        maxLength: things.length,
        size: 'max',
      }),
    )
    .map(([all, kept]) => all.filter((_, at) => (kept[at] ?? 0) > 0));

const user = (login: string): Arbitrary<object> =>
  fc.record({
    name: fc.constant(login),
    identity: fc.constant(`id-${login}`),
    email: fc.option(fc.constantFrom(...ADDRESSES), { nil: undefined, freq: 3 }),
    identity_type: fc.option(fc.constant('NONHUMAN'), { nil: undefined, freq: 4 }),
    source_identity: fc.option(
      fc
        .constantFrom('id-u1', 'id-u2', 'id-v1')
        .map((identity) => ({ identity, provider_type: 'any' })),
      { nil: undefined, freq: 2 },
    ),
    groups: maybe(fc.constant([{ identity: 'team' }])),
  });

const directory = (logins: readonly string[]): Arbitrary<object> =>
  fc.record({
    idp_type: fc.constant('custom'),
    domains: fc.constant([{ name: logins.join('-') }]),
    users: some(logins.map(user)),
    groups: fc.constantFrom(
      [{ name: 'team', identity: 'team' }],
      [{ name: 'i3', identity: 'team' }],
    ),
  });

const staff: Arbitrary<object> = some(
  ['e1', 'e2'].map((id) =>
    fc.record({ id: fc.constant(id), idp_id: fc.constantFrom('id-u1', 'id-u2', 'id-v1', 'ann@x') }),
  ),
).map((employees) => ({
  name: 'Staff',
  hris_type: 'workday',
  system: { id: 'hr', name: 'HR' },
  employees: employees.map((one) => ({
    name: one.id,
    employee_number: one.id,
    first_name: 'F',
    last_name: 'L',
    is_active: true,
    employment_status: 'ACTIVE',
    ...one,
  })),
}));

const account = (id: string): Arbitrary<{ readonly id: string }> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constantFrom(id, 'desk'),
    identities: fc.uniqueArray(name, { maxLength: 2 }),
    user_type: fc.option(fc.constant('service_account'), { nil: undefined, freq: 4 }),
  });

/** An application whose accounts have names of the same few people, and who may do what in it. */
const application = (called: string): Arbitrary<object> =>
  fc
    .record({
      users: some(['1', '2', '3'].map(account)),
      group: fc.uniqueArray(name, { maxLength: 1 }),
      grants: fc.array(
        fc.record({
          who: fc.oneof(
            fc
              .constantFrom('1', '2', '3')
              .map((identity) => ({ identity, identity_type: 'local_user' })),
            fc
              .oneof(name, fc.constant('team'))
              .map((identity) => ({ identity, identity_type: 'idp' })),
            fc.constant({ identity: 'all', identity_type: 'local_group' }),
          ),
          gate: fc.constantFrom(...GATES),
          permission: fc.constantFrom('open', 'shut'),
        }),
        { minLength: 2, maxLength: 6 },
      ),
    })
    .map(({ users, group, grants }) => {
      const ids = new Set(users.map(({ id }) => id));
      return {
        applications: [
          {
            name: called,
            application_type: 'door',
            local_users: users,
            local_groups: [{ name: 'all', identities: group }],
            resources: GATES.map((gate) => ({ name: gate, resource_type: 'Gate' })),
          },
        ],
        permissions: ['open', 'shut'].map((each) => ({
          name: each,
          permission_type: ['DataRead'],
        })),
        identity_to_permissions: grants
          .filter(({ who }) => who.identity_type !== 'local_user' || ids.has(who.identity))
          .map(({ who, gate, permission }) => ({
            ...who,
            application_permissions: [{ application: called, permission, resources: [gate] }],
          })),
      };
    });

const payloads: readonly Arbitrary<object>[] = [
  directory(['u1', 'u2']),
  directory(['v1', 'v2']),
  application('west'),
  application('east'),
  staff,
];

const push = fc
  .constantFrom(0, 0, 1, 2, 2, 3, 3, 4)
  .chain((source) => (payloads[source] ?? fc.constant({})).map((payload) => ({ source, payload })));

/** Some pushes, of which the first ones bring an application with accounts, users, and their employees. */
export const humanWorlds: Arbitrary<readonly WorldPush[]> = fc
  .tuple(
    application('west'),
    directory(['u1', 'u2']),
    staff,
    fc.array(push, { minLength: 4, maxLength: 7, size: 'max' }),
  )
  .map(([west, users, employees, rest]) => [
    { source: 2, payload: west },
    { source: 0, payload: users },
    { source: 4, payload: employees },
    ...rest,
  ]);
