/** @more night */

import fc from 'fast-check';

import { httpTransport } from '../../src/scim/client/requests/transport';
import { allowing } from '../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../scim/misbehaving-server';
import { sized } from '../support/test-size';
import { importing } from './scim-importing';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

type Json = Readonly<Record<string, unknown>>;

let application: MisbehavingServer;
let service: ServiceUnderTest;
let now = Date.parse('2026-11-25T12:00:00Z');
let changes = Date.parse('2026-11-20T08:00:00Z');

beforeAll(async () => {
  application = await misbehavingServer();
  const allowed = allowing(application.port);
  const clock = { now: () => now, sleep: () => Promise.resolve(), random: () => 0.5 };
  service = await serviceUnderTest(
    { jsonBytes: 8e6, bodyBytes: 8e6 },
    { provisioning: { allowed, clock, transport: httpTransport(allowed, { mostBytes: 1e6 }) } },
  );
});
afterAll(async () => {
  await service.close();
  await application.close();
});

/** How often each kind of change came. None may be zero. */
const tally = new Map<string, number>();
const count = (what: string, times = 1): void => {
  tally.set(what, (tally.get(what) ?? 0) + times);
};

const id = fc.nat(7).map((number) => `u${number}`);
const groupId = fc.nat(3).map((number) => `g${number}`);
const maybe = <A>(of: fc.Arbitrary<A>) => fc.option(of, { nil: undefined });

const account = fc.record({
  displayName: maybe(fc.constantFrom('Ann', 'Bob', 'É')),
  title: maybe(fc.constantFrom('Engineer', 'Director')),
  active: maybe(fc.boolean()),
  userType: maybe(fc.constantFrom('Service', 'Human', 'Human')),
  emails: maybe(
    fc.array(
      fc.constantFrom('a@x.org', 'b@x.org').map((value) => ({ value })),
      { maxLength: 2 },
    ),
  ),
  roles: maybe(fc.uniqueArray(fc.constantFrom('admin', 'reader'), { maxLength: 2 })),
  entitlements: maybe(fc.constantFrom([{ value: 'seat' }], [{ value: 's', display: 'Seat' }])),
});

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('account' as const), id, account }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('group' as const),
      id: groupId,
      displayName: fc.constantFrom('Readers', 'Writers'),
      members: fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: id }, groupId), { maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('account gone' as const), id }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('group gone' as const), id: groupId }) },
);

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const meta = () => ({ lastModified: new Date((changes += 60_000)).toISOString() });

/** Applications let nobody be a member who is not there, and no group of itself. */
const cleaned = (): void => {
  const { users, groups } = application;
  for (const group of groups.values()) {
    const members = (group.members ?? []) as { readonly value: string }[];
    const kept = members.filter(
      ({ value }) => value !== group.id && (users.has(value) || groups.has(value)),
    );
    if (kept.length < members.length) {
      groups.set(group.id, { ...group, members: kept, meta: meta() });
    }
  }
};

const make = (one: Change): void => {
  const { users, groups } = application;
  count(one.what);
  if (one.what === 'account') {
    users.set(one.id, { id: one.id, userName: `${one.id}@x.org`, ...one.account, meta: meta() });
  } else if (one.what === 'group') {
    const members = one.members.map((value) => ({ value }));
    if (one.members.some((member) => member.startsWith('g'))) count('group in a group');
    groups.set(one.id, { id: one.id, displayName: one.displayName, members, meta: meta() });
  } else (one.what === 'account gone' ? users : groups).delete(one.id);
};

const isOut = ({ userType }: Json): boolean => userType === 'Service';

type Held = ReadonlyMap<string, Json>;

/**
 * Who is left of the members of groups that are gone. A membership belongs to the member's row, so
 * the whole reading changes these rows.
 */
const orphaned = (before: { readonly users: Held; readonly groups: Held }): ReadonlySet<string> => {
  const { users, groups } = application;
  const isLeft = (id: string): boolean => {
    const [was, is] = [before.users.get(id), users.get(id)];
    if (was === undefined || is === undefined) return before.groups.has(id) && groups.has(id);
    return !isOut(was) && !isOut(is);
  };
  const gone = [...before.groups.values()].filter(({ id }) => !groups.has(String(id)));
  const members = gone.flatMap((group) => (group.members ?? []) as { readonly value: string }[]);
  return new Set(members.map(({ value }) => value).filter(isLeft));
};

test(
  'what changed, read as changes, ends in the graph of a whole reading',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 6 }),
        async (rounds) => {
          application.reset();
          for (let each = 0; each < 3; each += 1) {
            application.users.set(`v${each}`, {
              id: `v${each}`,
              userName: `v${each}@x.org`,
              meta: meta(),
            });
          }
          application.groups.set('h', { id: 'h', displayName: 'H', members: [], meta: meta() });
          const tools = importing(application, service);
          const to = await tools.connected({ leave_out: 'userType eq "service"' });
          await tools.run(to);
          for (const some of rounds) {
            now += 60_000;
            const before = structuredClone({
              users: application.users,
              groups: application.groups,
            });
            some.forEach(make);
            cleaned();
            const read = await tools.run(to);
            expect(read).toMatchObject({ reading: 'changes', problem: null });
            count('accounts left out', Number((read.read as Json).left_out));
            count((read.push as Json | undefined) === undefined ? 'nothing' : 'pushed');
            now += 60_000;
            // Only what is gone is left to the whole reading.
            const whole = await tools.run(to, '?whole=true');
            const put = { nodes: orphaned(before).size, relationships: 0 };
            expect(whole.push).toMatchObject({ put });
            count('members of a group that is gone', put.nodes);
            const { removed } = whole.push as { readonly removed: { readonly nodes: number } };
            if (removed.nodes > 0) count('gone with the whole reading');
            await tools.expectMirrored(to, isOut);
            expect(await tools.settingsOf(to)).toMatchObject({
              finds_changes: true,
              misses_changes: false,
            });
          }
        },
      ),
      {
        numRuns: Number(process.env.PROPERTY_RUNS ?? sized(4, 150)),
        seed: Number(process.env.PROPERTY_SEED ?? sized(30, Date.now() % 1e6)),
      },
    );
    const counts = Object.fromEntries([...tally].sort());
    process.stdout.write(`changes in applications: ${JSON.stringify(counts)}\n`);
    const wanted = ['account', 'account gone', 'accounts left out', 'gone with the whole reading'];
    const more = ['group', 'group gone', 'group in a group', 'pushed'];
    const rare = sized<readonly string[]>([], ['members of a group that is gone']);
    expect([...wanted, ...more, ...rare].filter((what) => (tally.get(what) ?? 0) === 0)).toEqual(
      [],
    );
  },
  60 * 60_000,
);
