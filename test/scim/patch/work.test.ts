import { isRight } from 'fp-ts/Either';

import { readFilter, SCIM_FILTER } from '../../../src/contract/filters/filter-grammar';
import { Work } from '../../../src/scim/filter/matching';
import { GROUP, USER } from '../../../src/scim/server/attributes';
import { Emails } from '../../../src/scim/server/resource';
import { matchesOf } from '../../../src/scim/server/matching';
import { membershipAfter } from '../../../src/scim/server/writing/membership';
import { takePatch } from '../../../src/scim/server/writing/planning';
import type { Directory, StoredResource } from '../../../src/scim/server/directory';
import * as TE from 'fp-ts/TaskEither';

/* What requests cost is counted in values that are compared. Nothing is timed; a test of a quadratic way would not end. */

const emails = (from: number, number: number) =>
  Array.from({ length: number }, (_, at) => ({ value: `e${from + at}@x.example`, type: 'work' }));

test('two adds of 100,000 emails compare none with another one', () => {
  const work = new Work();
  const list = new Emails([], work);
  list.add(emails(0, 100_000));
  list.add(emails(50_000, 100_000));
  expect([list.all.length, work.done]).toEqual([150_000, 0]);
});

test('ten thousand operations that add one email each', () => {
  const Operations = emails(0, 10_000).map((value) => ({
    op: 'add',
    path: 'emails',
    value: [value],
  }));
  const taken = takePatch(USER, { Operations }, { userName: 'a', emails: emails(10_000, 50_000) });
  expect(isRight(taken) ? (taken.right.resource.emails as unknown[]).length : taken).toBe(60_000);
});

test('a path of 4,000 letters is read once, whatever letters they are', () => {
  for (const piece of ['a', 'a.', 'a[', '[', '"', '\\', 'a[b].', '(', 'not ', ':', 'a[b eq "']) {
    const path = piece.repeat(4_000 / piece.length);
    const Operations = Array.from({ length: 1_000 }, () => ({ op: 'remove', path }));
    // Most are refused, and some name nothing; all of them end.
    takePatch(USER, { Operations }, { userName: 'a' });
  }
});

test('a filter compares each value of a resource once for each condition, and folds it once', () => {
  const condition = 'emails.value co "x"';
  const filter = (number: number) => Array.from({ length: number }, () => condition).join(' and ');
  const costOf = (conditions: number, values: number): number => {
    const work = new Work();
    const matches = matchesOf(USER, readFilter(filter(conditions), SCIM_FILTER));
    expect(matches({ emails: emails(0, values) }, work)).toBe(true);
    return work.done;
  };
  expect(costOf(100, 1_000)).toBe(100 * 1_001);
  expect(costOf(50, 1_000) * 2).toBe(costOf(100, 1_000));
});

const group: StoredResource = {
  key: 'd|IdpGroup|g',
  id: 'g',
  identity: 'g',
  since: '',
  changed: '',
  groups: [],
  properties: { name: 'g' },
};

/** Removes members by filters from a group of 20,000, and gives the number of those who go, or what is wrong. */
const removed = async (paths: readonly string[]): Promise<unknown> => {
  const ids = Array.from({ length: 20_000 }, (_, at) => `m${at}`);
  const asked: (readonly string[])[] = [];
  const directory = {
    members: () =>
      TE.right(
        new Map([[group.key, ids.map((id) => ({ kind: 'User', id, identity: id, name: id }))]]),
      ),
    byIds: (label: string, _: string, sought: readonly string[]) => {
      if (label === 'IdpUser') asked.push(sought);
      return TE.right([]);
    },
  } as unknown as Directory;
  const Operations = paths.map((path) => ({ op: 'remove', path }));
  const taken = takePatch(GROUP, { Operations }, { displayName: 'g' });
  if (!isRight(taken)) return taken.left;
  const done = await membershipAfter(directory, 'd', 'g', group, taken.right.members)();
  return isRight(done) ? asked.flat().length : done.left;
};

test('hundreds of removals that name ids look at those alone', async () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `value eq "m${at}"`);
  expect(await removed(ids.map((one) => `members[${one} and type eq "User"]`))).toBe(5_000);
  expect(await removed(ids.map((one) => `members[(${one} or value eq "x") and type pr]`))).toBe(
    5_000,
  );
});

test('a few removals may look at everybody, and many are refused', async () => {
  expect(await removed(['members[value ew "0"]', 'members[type eq "Group"]'])).toBe(2_000);
  const many = Array.from({ length: 400 }, (_, at) => `members[value co "no${at}"]`);
  expect(await removed(many)).toMatchObject({
    problems: [{ pointer: '/Operations', code: 'TOO_LONG' }],
  });
});
