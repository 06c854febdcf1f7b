import fc from 'fast-check';

import type { ManagedAccount, StoredAction } from '../../../src/scim/policies/graph/records';
import { STANDARD } from '../../../src/scim/client/profile';
import { inLanes } from '../../../src/scim/policies/running/lanes';
import { withoutContested } from '../../../src/scim/policies/planning/contested';
import { desiredOf } from '../../../src/scim/policies/planning/desired';
import { disagreementOf } from '../../../src/scim/policies/planning/disagreement';
import { driftOf } from '../../../src/scim/policies/planning/drift';
import { guardOf } from '../../../src/scim/policies/planning/guard';
import { matched, planOf } from '../../../src/scim/policies/planning/plan';
import {
  type MatchedPerson,
  type Policy,
  selectorKey,
} from '../../../src/scim/policies/planning/policy';
import { USUAL } from '../../../src/scim/actions/mapping';

const ALL = { filter: 'name pr', in: ['d'] };
const STAFF = { group: 'd|IdpGroup|staff', in: ['d'] };
const NOW = '2026-11-25T12:00:00Z';

const policy = (more: Partial<Policy> = {}): Policy => ({
  id: 'p',
  name: 'Policy',
  state: 'active',
  who: [ALL],
  groups: [],
  attributes: {},
  leavers: { action: 'disable', after_days: 0 },
  guard: { share: 0.2, number: 100 },
  drift: 'report',
  adopt: false,
  found: 0,
  since: NOW,
  changed: NOW,
  ...more,
});

const person = (
  name: string,
  more: object = {},
  ...selectors: Policy['who'][number][]
): MatchedPerson => ({
  key: name,
  properties: { name, identity: `p-${name}`, email: `${name}@x.example`, ...more },
  selectors: new Set([ALL, ...selectors].map(selectorKey)),
});

const desired = (policies: readonly Policy[], ...people: readonly MatchedPerson[]) =>
  desiredOf(policies, people, USUAL, STANDARD);

const managed = (name: string, more: Partial<ManagedAccount> = {}): ManagedAccount => ({
  person: name,
  policy: 'p',
  account: `U-${name}`,
  isCreating: false,
  userName: name,
  externalId: null,
  digest: 'old',
  ignored: [],
  ignoredValues: [],
  former: [],
  groups: [],
  unsureGroups: [],
  isAdopted: false,
  state: 'ACTIVE',
  since: NOW,
  leftAt: null,
  deleteAt: null,
  ...more,
});

/** The actions of a plan, as `kind group people`. */
const told = (plan: ReturnType<typeof planOf>): readonly string[] =>
  plan.actions.map(({ kind, group, people }) =>
    [kind, ...(group === null ? [] : [group]), ...people].join(' '),
  );

describe('who shall have an account', () => {
  test('whoever is found and active; groups of all policies add up', () => {
    const policies = [
      policy({
        groups: [
          { name: 'Writers', who: null },
          { name: 'Admins', who: STAFF },
        ],
      }),
      policy({ id: 'q', who: [STAFF], groups: [{ name: 'Readers', who: null }], adopt: true }),
    ];
    const { accounts } = desired(
      policies,
      person('ann', {}, STAFF),
      person('bob'),
      person('carl', { is_active: false }, STAFF),
      { ...person('dora'), selectors: new Set() },
    );
    expect(
      [...accounts.values()].map(({ person: who, policies: of, groups, adopt }) => [
        who,
        of,
        groups,
        adopt,
      ]),
    ).toEqual([
      ['ann', ['p', 'q'], ['Admins', 'Readers', 'Writers'], true],
      ['bob', ['p'], ['Writers'], false],
    ]);
  });

  test('attributes of policies stand beside or instead of the usual ones', () => {
    const attributes = {
      title: ['customprop_title'],
      DisplayName: [],
      'name.formatted': ['email'],
    };
    const { accounts } = desired(
      [policy({ attributes })],
      person('ann', { customprop_title: 'Chief' }),
    );
    expect(Object.fromEntries(accounts.get('ann')?.attributes ?? [])).toEqual({
      userName: 'ann@x.example',
      externalId: 'p-ann',
      'name.formatted': 'ann@x.example',
      'emails[type eq "work"].value': 'ann@x.example',
      active: true,
      title: 'Chief',
    });
  });

  test('somebody without a name for the account is told, unless they are inactive', () => {
    const policies = [policy({ attributes: { userName: ['customprop_login'] } })];
    const { accounts, incomplete } = desired(
      policies,
      person('ann'),
      person('bob', { is_active: false }),
    );
    expect([accounts.size, incomplete.map((one) => one.person)]).toEqual([0, ['ann']]);
  });
});

describe('a plan', () => {
  const policies = [policy({ groups: [{ name: 'Writers', who: null }] })];
  const { accounts } = desired(policies, person('ann'));
  const digest = accounts.get('ann')?.digest ?? null;
  const plan = (...present: readonly ManagedAccount[]) =>
    planOf(policies, { accounts }, present, NOW);

  test.each<[string, Partial<ManagedAccount> | null, readonly string[]]>([
    ['nobody has an account', null, ['ensure ann']],
    ['all is as it shall be', { digest, groups: ['Writers'] }, []],
    ['attributes changed', { groups: ['Writers'] }, ['ensure ann']],
    ['a group is missing', { digest }, ['add_members Writers ann']],
    ['a group is too many', { digest, groups: ['Old', 'Writers'] }, ['remove_members Old ann']],
    ['the person is back', { digest, groups: ['Writers'], state: 'DISABLED' }, ['ensure ann']],
    ['a change has begun', { digest: null, groups: ['Writers'] }, ['ensure ann']],
    [
      'a removal has begun',
      { digest, groups: ['Writers'], unsureGroups: ['Writers'] },
      ['add_members Writers ann'],
    ],
    [
      'an addition has begun',
      { digest, groups: ['Writers'], unsureGroups: ['Old'] },
      ['remove_members Old ann'],
    ],
    ['the account was deleted', { state: 'DELETED', groups: ['Writers'] }, ['ensure ann']],
    ['the account may have been created', { account: null, isCreating: true }, ['ensure ann']],
  ])('if %s', (_what, account, actions) => {
    expect(told(plan(...(account === null ? [] : [managed('ann', account)])))).toEqual(actions);
  });

  test('tells memberships of joiners if it looks ahead', () => {
    expect(told(planOf(policies, { accounts }, [], NOW, new Set(), true))).toEqual([
      'ensure ann',
      'add_members Writers ann',
    ]);
  });

  test.each<[string, Policy['leavers'], Partial<ManagedAccount>, readonly string[]]>([
    [
      'disable',
      { action: 'disable', after_days: 0 },
      { groups: ['W'] },
      ['disable bob', 'remove_members W bob'],
    ],
    ['already disabled', { action: 'disable', after_days: 0 }, { state: 'DISABLED' }, []],
    ['delete', { action: 'delete', after_days: 0 }, { groups: ['W'] }, ['delete bob']],
    ['delete later', { action: 'delete', after_days: 9 }, {}, ['disable bob']],
    [
      'delete, not yet',
      { action: 'delete', after_days: 9 },
      { state: 'DISABLED', deleteAt: '2026-11-26T00:00:00Z' },
      [],
    ],
    [
      'delete, now',
      { action: 'delete', after_days: 9 },
      { state: 'DISABLED', deleteAt: NOW },
      ['delete bob'],
    ],
    ['report', { action: 'report', after_days: 0 }, { groups: ['W'] }, []],
    [
      'what may have been created',
      { action: 'disable', after_days: 0 },
      { account: null, isCreating: true },
      ['disable bob'],
    ],
    ['never created', { action: 'disable', after_days: 0 }, { account: null }, []],
    [
      'of a policy that does not count',
      { action: 'disable', after_days: 0 },
      { policy: 'off' },
      [],
    ],
  ])('leavers: %s', (_what, leavers, account, actions) => {
    const nobody = { accounts: new Map() };
    expect(told(planOf([policy({ leavers })], nobody, [managed('bob', account)], NOW))).toEqual(
      actions,
    );
  });

  // Before, all of them had left, also who only left a group.
  test.each<[Policy['leavers'], Partial<ManagedAccount>, string]>([
    [{ action: 'disable', after_days: 0 }, {}, ''],
    [{ action: 'delete', after_days: 0 }, {}, ''],
    [
      { action: 'delete', after_days: 9 },
      { state: 'DISABLED', deleteAt: NOW },
      ', and the 9 days have passed',
    ],
  ])('an account that no policy wants any more says only that: %j', (leavers, account, more) => {
    const { actions } = planOf(
      [policy({ leavers })],
      { accounts: new Map() },
      [managed('bob', account)],
      NOW,
    );
    expect(actions.map(({ why }) => why)).toEqual([
      `No policy gives the person an account any more${more}.`,
    ]);
  });

  test('somebody who lacks a value has not left', () => {
    const incomplete = new Set(['bob']);
    expect(
      told(planOf(policies, { accounts: new Map() }, [managed('bob')], NOW, incomplete)),
    ).toEqual([]);
  });
});

describe('open actions', () => {
  const open = (id: string, more: Partial<StoredAction> = {}): StoredAction => ({
    id,
    kind: 'ensure',
    policy: 'p',
    people: ['ann'],
    account: null,
    group: null,
    wanted: 'a',
    why: '',
    status: 'FAILED',
    attempts: 3,
    outcome: null,
    problem: null,
    plannedAt: NOW,
    nextTry: null,
    finishedAt: null,
    ...more,
  });
  const want = (more: Partial<StoredAction> = {}) => {
    const { kind, policy: of, people, group, wanted, why } = open('x', more);
    return { kind, policy: of, people, group, wanted, why };
  };

  test('go on while they are wanted, and are dropped when something else is', () => {
    const both = [open('1'), open('2', { wanted: 'b', people: ['bob'] })];
    const { continued, dropped, fresh } = matched(
      [want(), want({ wanted: 'c', people: ['bob'] })],
      both,
    );
    expect(continued.map(({ action }) => action.id)).toEqual(['1']);
    expect(dropped.map(({ id }) => id)).toEqual(['2']);
    expect(fresh.map(({ people, wanted }) => [people, wanted])).toEqual([[['bob'], 'c']]);
  });

  test('of members keep the people who are left; others make an action of their own', () => {
    const members = { kind: 'add_members', group: 'W', wanted: 'W' } as const;
    const { continued, fresh } = matched(
      [want({ ...members, people: ['ann', 'carl'] })],
      [open('1', { ...members, status: 'DEAD', people: ['ann', 'bob'] })],
    );
    expect(continued.map(({ people }) => people)).toEqual([['ann']]);
    expect(fresh.map(({ people }) => people)).toEqual([['carl']]);
  });
});

describe('the guard', () => {
  const accounts = Array.from({ length: 20 }, (_, index) => managed(`u${index}`));
  const leaving = (count: number) => ({
    joining: new Map<string, string[]>(),
    leaving: new Map([['p', accounts.slice(0, count).map((each) => each.person)]]),
  });
  const stops = (count: number, guard: Policy['guard'], open: readonly StoredAction[] = []) =>
    guardOf([policy({ guard })], leaving(count), accounts, open).token !== null;

  test.each<[number, Policy['guard'], boolean]>([
    [4, { share: 0.2, number: 100 }, false],
    [5, { share: 0.2, number: 100 }, true],
    [5, { share: 1, number: 4 }, true],
    [3, { share: 0, number: 100 }, false],
    [1, { share: 1, number: 0 }, true],
  ])('%s of 20 people and %j: stops %s', (count, guard, is) => {
    expect(stops(count, guard)).toBe(is);
  });

  const joining = (count: number) => ({
    leaving: new Map<string, string[]>(),
    joining: new Map([['p', Array.from({ length: count }, (_, at) => `new${at}`)]]),
  });
  const LATER = '2026-11-25T13:00:00Z';

  test.each<[number, number, string | null, boolean]>([
    [4, 0, LATER, false],
    [5, 0, LATER, true],
    [5, 500, LATER, true],
    [30, 50, null, false],
    [34, 50, null, false],
    [35, 50, null, true],
  ])('%s joiners, %s found when set, passed %s: stops %s', (count, found, passed, is) => {
    const guarded = guardOf([policy({ found })], joining(count), accounts, [], passed);
    expect([guarded.token !== null, guarded.joiners]).toEqual([is, is ? count : 0]);
  });

  test('does not let pass whoever was given up before they began', () => {
    const givenUp = { kind: 'ensure', people: ['new0', 'new1'], wanted: 'INCOMPLETE x' } as const;
    const passed = { ...givenUp, wanted: 'digest' };
    const stopped = (open: readonly (typeof passed)[]) =>
      guardOf([policy()], joining(6), accounts, open, LATER).stopped.length;
    expect([stopped([givenUp]), stopped([passed])]).toEqual([1, 0]);
  });

  test('does not stop what it has let pass', () => {
    const guard = { share: 0.2, number: 100 };
    const passed = {
      kind: 'disable',
      people: ['u0', 'u1'],
      wanted: 'disable',
    } as unknown as StoredAction;
    expect([stops(6, guard), stops(6, guard, [passed])]).toEqual([true, false]);
  });

  test('has another token for other people', () => {
    const token = (count: number) => guardOf([policy()], leaving(count), accounts).token;
    expect(token(5)).toBe(token(5));
    expect(token(5)).not.toBe(token(6));
  });
});

describe('accounts that two people claim', () => {
  const NAMES = ['ann', 'bob', 'carl'];
  const some = fc.record({
    // Whose external id and email a person says to have.
    says: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES)), {
      minLength: 3,
      maxLength: 3,
    }),
    keeps: fc.uniqueArray(fc.constantFrom(...NAMES)),
    wants: fc.uniqueArray(fc.constantFrom(...NAMES)),
  });

  test('nobody gets, keeps or changes what somebody else keeps or claims', () => {
    let contested = 0;
    fc.assert(
      fc.property(some, ({ says, keeps, wants }) => {
        const people = NAMES.flatMap((name, at) => {
          const [identity = '', email = ''] = says[at] ?? [];
          const said = { identity: `p-${identity}`, email: `${email.toUpperCase()}@x.example` };
          return wants.includes(name) ? [person(name, said)] : [];
        });
        const all = desired([policy()], ...people);
        const continued = keeps.map((name) =>
          managed(name, { externalId: `p-${name}`, userName: `${name}@x.example` }),
        );
        const left = withoutContested(all, continued);
        for (const [name, { who }] of all.accounts) {
          const at = NAMES.indexOf(name);
          const claims = [says[at]?.[0] ?? '', says[at]?.[1] ?? ''];
          const isOthers = claims.some(
            (claimed, field) =>
              (claimed !== name && keeps.includes(claimed)) ||
              (!keeps.includes(claimed) &&
                wants.some(
                  (other) => other !== name && says[NAMES.indexOf(other)]?.[field] === claimed,
                )),
          );
          contested += isOthers ? 1 : 0;
          expect([name, who, left.accounts.has(name)]).toEqual([name, who, !isOthers]);
          expect(left.incomplete.some((each) => each.person === name)).toBe(isOthers);
        }
        expect(left.accounts.size + left.incomplete.length).toBe(all.accounts.size);
      }),
      { numRuns: 500, seed: 38 },
    );
    expect(contested).toBeGreaterThan(100);
  });
});

describe('drift', () => {
  const policies = [policy()];
  const { accounts } = desired(policies, person('ann'));
  const wanted = accounts.get('ann');
  const resource = {
    id: 'U-ann',
    userName: 'ANN@x.example',
    externalId: 'p-ann',
    displayName: 'ann',
    name: { formatted: 'ann' },
    emails: [{ type: 'work', value: 'ann@x.example' }],
  };
  const look = (
    account: Partial<ManagedAccount>,
    shown: object | null,
    members: readonly string[] | null = [],
    gone: readonly string[] = ['U-ann'],
  ) =>
    driftOf([managed('ann', { digest: wanted?.digest ?? '', ...account })], accounts, {
      accounts: new Map(shown === null ? [] : [['U-ann', shown as Record<string, unknown>]]),
      gone: new Set(gone),
      groups: new Map([['W', members === null ? null : new Set(members)]]),
    });

  test.each<
    [string, Partial<ManagedAccount>, object | null, readonly string[] | null, readonly string[]]
  >([
    ['nothing', {}, resource, [], []],
    ['an account that is gone', {}, null, [], ['account_gone ']],
    ['an attribute', {}, { ...resource, displayName: 'x' }, [], ['attributes displayName']],
    [
      'an attribute that is never stored',
      { ignored: ['displayName'] },
      { ...resource, displayName: 'x' },
      [],
      [],
    ],
    ['an account that is disabled', {}, { ...resource, active: false }, [], ['attributes active']],
    ['a leaver who is enabled', { state: 'DISABLED' }, resource, [], ['enabled active']],
    ['a member who is missing', { groups: ['W'] }, resource, [], ['member_missing W']],
    ['a member more', {}, resource, ['U-ann'], ['member_added W']],
    ['a group that shows nobody', { groups: ['W'] }, resource, null, []],
    ['what waits to be changed', { digest: 'old' }, { ...resource, displayName: 'x' }, [], []],
  ])('finds %s', (_what, account, shown, members, found) => {
    const { drift } = look(account, shown, members);
    expect(drift.map(({ what, details }) => `${what} ${details.join()}`)).toEqual(found);
  });

  test('makes the records say what stands, so that a plan puts it right', () => {
    const { present } = look({ groups: ['W'] }, { ...resource, displayName: 'x' }, []);
    expect(
      told(
        planOf(
          [policy({ groups: [{ name: 'W', who: null }] })],
          desired([policy({ groups: [{ name: 'W', who: null }] })], person('ann')),
          present,
          NOW,
        ),
      ),
    ).toEqual(['ensure ann', 'add_members W ann']);
  });
});

test('policies disagree on the property of an attribute, and on leavers', () => {
  const at = (one: Partial<Policy>, other: Partial<Policy>) =>
    disagreementOf(policy(one), policy({ name: 'Other', ...other }))?.pointer;
  expect(at({}, {})).toBeUndefined();
  expect(
    at({ attributes: { title: ['name'] } }, { attributes: { Title: ['name'] } }),
  ).toBeUndefined();
  expect(at({ attributes: { 'a/b': ['name'] } }, { attributes: { 'a/b': ['email'] } })).toBe(
    '/attributes/a~1b',
  );
  expect(at({ leavers: { action: 'delete', after_days: 3 } }, {})).toBe('/leavers');
});

test('lanes keep their order, and nothing begins after a failure', async () => {
  const done: string[] = [];
  const work = (items: readonly string[], failing: string) =>
    inLanes(
      items,
      2,
      ([lane]) => lane ?? '',
      async (item) => {
        await Promise.resolve();
        if (item === failing) throw new Error(item);
        done.push(item);
      },
    );
  await work(['a1', 'b1', 'a2', 'b2', 'c1'], '');
  expect(done.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2']);
  expect(done).toHaveLength(5);
  await expect(work(['a3', 'a4', 'a5'], 'a4')).rejects.toThrow('a4');
  expect(done).not.toContain('a5');
});
