import fc from 'fast-check';

import type { Summary } from '../../../src/contract/answers/questions/access';
import type {
  CauseThing,
  ChangedRow,
} from '../../../src/contract/answers/questions/access-changes';
import {
  causesOf,
  changeLines,
  type ChangePart,
  clausesOf,
} from '../../../src/features/console/changes/change-lines';
import { phraseInWords } from '../../../src/features/console/words/causes';
import { wordsFor } from '../../../src/features/console/words/permission-types';

const summary = (id: string, label: string, application: string | null = null): Summary => ({
  id,
  label,
  name: id,
  path: null,
  resource_type: null,
  application,
  domain: null,
  provider: null,
  inactive: false,
});

const names = fc.uniqueArray(fc.constantFrom('read', 'write', 'own'), { maxLength: 3 });
const held = (all: readonly string[]): ChangedRow['gained'] =>
  all.map((name) => ({
    name,
    permission_type: [name === 'write' ? 'DataWrite' : 'DataRead'],
  }));

const HUMANS: Readonly<Record<string, string>> = {
  ann: 'ann',
  'ann user': 'ann',
  'ann account': 'ann',
  ben: 'ben',
  'ben account': 'ben',
};

const joined = (from: string, to: string, at: string | null): CauseThing => ({
  change: 'began',
  type: 'MEMBER_OF',
  on: null,
  at,
  push: at === null ? null : `push ${at}`,
  from: summary(from, 'LocalUser'),
  to: summary(to, 'LocalGroup'),
  data_source: null,
});

const things = (from: string) =>
  fc.option(
    fc
      .tuple(fc.constantFrom('one', 'other'), fc.constantFrom('1', '2', null), fc.boolean())
      .map(([to, at, isOwn]) => [joined(isOwn ? from : 'team', to, at)]),
  );

const row = fc
  .constantFrom(...Object.keys(HUMANS), 'robot', 'team')
  .chain((id) =>
    fc.record({
      principal: fc.constant(id),
      resource: fc.constantFrom('a', 'b', 'c', 'd'),
      gained: names,
      lost: names,
      cut: fc.nat(3),
      causes: fc.array(things(id), { minLength: 4, maxLength: 4 }),
    }),
  )
  .map(({ principal, resource, gained, lost, cut, causes }): ChangedRow => {
    const human = HUMANS[principal];
    const parts = (
      [
        ['gained', gained.slice(0, cut)],
        ['gained', gained.slice(cut)],
        ['lost', lost.slice(0, cut)],
        ['lost', lost.slice(cut)],
      ] as const
    ).map(([change, all], at) => ({
      change,
      permissions: held(all),
      things: causes[at] ?? null,
    }));
    return {
      principal: summary(principal, principal === 'team' ? 'LocalGroup' : 'LocalUser'),
      resource: summary(resource, 'Resource', resource < 'c' ? 'wiki' : 'crm'),
      gained: held(gained),
      lost: held(lost),
      explain: { gained: null, lost: null },
      human: human === undefined ? null : summary(human, 'Employee'),
      is_person: human !== undefined,
      causes: parts.filter(({ permissions }) => permissions.length > 0),
    };
  });

const rows = fc.uniqueArray(row, {
  selector: ({ principal, resource }) => `${principal.id} ${resource.id}`,
  maxLength: 14,
});

// One group given to somebody was 60 permissions gained by 5 principals.
test('each human, with each resource and permission, is in exactly one line', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const lines = changeLines(all);
      const whoOf = (id: string): string => HUMANS[id] ?? id;
      const told = new Set(
        all.flatMap(({ principal, resource, ...sides }) =>
          (['gained', 'lost'] as const).flatMap((change) =>
            sides[change].map(
              ({ name }) => `${whoOf(principal.id)} ${change} ${name} on ${resource.id}`,
            ),
          ),
        ),
      );
      const parts = lines.flatMap((line) => line.parts);
      const saidBy = (some: readonly ChangePart[]): readonly string[] =>
        some.flatMap(({ change, who, held: permissions, on }) =>
          who.flatMap((one) =>
            on.flatMap(({ id }) =>
              permissions.map(({ name }) => `${one.who.id} ${change} ${name} on ${id}`),
            ),
          ),
        );
      expect(saidBy(parts).toSorted()).toEqual([...told].toSorted());
      // The sentences of the first level, and the causes inside, say the same.
      const wordsIn = (some: readonly ChangePart[]): readonly string[] =>
        some.flatMap(({ change, who, isAll, held: permissions, on }) =>
          who.flatMap((one) =>
            on.map(
              ({ id }) => `${one.who.id} ${change} ${wordsFor(permissions)} on ${id} ${isAll}`,
            ),
          ),
        );
      const clauses = wordsIn(lines.flatMap((line) => clausesOf(line.parts)));
      expect(clauses.toSorted()).toEqual([...new Set(wordsIn(parts))].toSorted());
      const inside = lines.flatMap((line) => causesOf(line).flatMap((cause) => cause.parts));
      expect(inside).toHaveLength(parts.length);
      // Somebody is once on the first level for each application and change, however many causes there are.
      const level = lines.flatMap(({ change, who, parts: some }) =>
        who.map((one) => `${one.who.id} ${change} in ${some[0]?.on[0]?.application ?? ''}`),
      );
      expect(new Set(level).size).toBe(level.length);
      for (const line of lines) {
        const ids = line.who.map((one) => one.who.id).toSorted();
        for (const part of line.parts) {
          expect(part.who.map((one) => one.who.id).toSorted()).toEqual(ids);
        }
      }
      for (const { who, on, change, things: cause, about, isAll } of parts) {
        expect(new Set(on.map(({ application }) => application)).size).toBe(1);
        for (const { who: one, by, asked, isPerson } of who) {
          expect(isPerson).toBe(one.id in HUMANS);
          for (const { id } of on) {
            // Ways are asked by a node of theirs for which the list says so, with this cause.
            const source = all.find(
              ({ principal, resource }) => principal.id === asked.get(id) && resource.id === id,
            );
            expect(whoOf(source?.principal.id ?? '')).toBe(one.id);
            expect([one.id, ...by.map((each) => each.id)]).toContain(source?.principal.id);
            expect(isAll).toBe(source?.principal.id === one.id);
            const same = (source?.causes ?? []).filter((each) => each.change === change);
            const phrases = same.map((each) =>
              each.things?.map((thing) =>
                phraseInWords(thing, {
                  who: new Set([source?.principal.id ?? '']),
                  on: new Set([id]),
                }),
              ),
            );
            expect(phrases).toContainEqual(cause?.map((thing) => phraseInWords(thing, about)));
          }
        }
      }
      // People come first, then accounts of nobody, and in each part the newest.
      const order = lines.map(({ who: [one], newest }) => [
        one?.isPerson === true ? 2 : one?.who.label === 'LocalUser' ? 1 : 0,
        newest?.at ?? '',
      ]);
      const sorted = order.toSorted(
        ([a, one = ''], [b, other = '']) =>
          Number(b) - Number(a) || (one === other ? 0 : one > other ? -1 : 1),
      );
      expect(order).toEqual(sorted);
    }),
  );
});

test('several people, and several resources, of one cause are one line', () => {
  const one = (principal: string, resource: string): ChangedRow => ({
    principal: summary(principal, 'IdpUser'),
    resource: summary(resource, 'Resource', 'wiki'),
    gained: held(['write']),
    lost: [],
    explain: { gained: null, lost: null },
    human: summary(principal, 'IdpUser'),
    is_person: true,
    causes: [
      {
        change: 'gained',
        permissions: held(['write']),
        things: [joined(principal, 'editors', '1')],
      },
    ],
  });
  const lines = changeLines(['ann', 'ben'].flatMap((who) => [one(who, 'a'), one(who, 'b')]));
  expect(lines.map(({ who, parts }) => [who.length, parts.length, parts[0]?.on.length])).toEqual([
    [2, 1, 2],
  ]);
});

// Somebody who gained by two causes was there twice.
test('what somebody gained in an application by several causes is one line', () => {
  const causes = (
    [
      ['write', 'editors'],
      ['read', 'readers'],
      ['own', 'editors'],
    ] as const
  ).map(([name, group]) => ({
    change: 'gained' as const,
    permissions: held([name]),
    things: [joined('ann', group, '1')],
  }));
  const row: ChangedRow = {
    principal: summary('ann', 'IdpUser'),
    resource: summary('a', 'Resource', 'wiki'),
    gained: held(['write', 'read', 'own']),
    lost: [],
    explain: { gained: null, lost: null },
    human: summary('ann', 'IdpUser'),
    is_person: true,
    causes,
  };
  const other: ChangedRow = { ...row, resource: summary('c', 'Resource', 'crm') };
  const lines = changeLines([row, other]);
  expect(lines.map((line) => [line.who.length, causesOf(line).length])).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

// Before, lines compared the names of application and provider only.
test('applications of one name in two data sources of a provider are two lines', () => {
  const row = (resource: string): ChangedRow => ({
    principal: summary('ann', 'IdpUser'),
    resource: { ...summary(resource, 'Resource', 'wiki'), provider: 'Forge' },
    gained: held(['write']),
    lost: [],
    explain: { gained: null, lost: null },
    human: summary('ann', 'IdpUser'),
    is_person: true,
    causes: [
      { change: 'gained', permissions: held(['write']), things: [joined('ann', 'editors', '1')] },
    ],
  });
  const lines = changeLines(['one|a', 'two|a', 'one|b', 'two|b'].map(row));
  expect(
    lines.map(({ parts }) => parts.map(({ on }) => on.map(({ id }) => id).toSorted())),
  ).toEqual([[['one|a', 'one|b']], [['two|a', 'two|b']]]);
});

// An assignment on the page itself, and on what is in the page, was two causes.
test('one cause that is said shorter of some resources is one, and is said in full', () => {
  const assigned: CauseThing = { ...joined('ann', 'editor', '1'), type: 'HOLDS' };
  const on = summary('a', 'Resource', 'wiki');
  const rows = ['a', 'b'].map((id): ChangedRow => ({
    principal: summary('ann', 'IdpUser'),
    resource: summary(id, 'Resource', 'wiki'),
    gained: held(['write']),
    lost: [],
    explain: { gained: null, lost: null },
    human: summary('ann', 'IdpUser'),
    is_person: true,
    causes: [{ change: 'gained', permissions: held(['write']), things: [{ ...assigned, on }] }],
  }));
  const [line, another] = changeLines(rows);
  expect(another).toBeUndefined();
  const causes = line === undefined ? [] : causesOf(line);
  const phrases = causes.map(({ things, about }) =>
    things?.map((thing) => phraseInWords(thing, about)),
  );
  expect(phrases).toEqual([['was granted editor on a']]);
});
