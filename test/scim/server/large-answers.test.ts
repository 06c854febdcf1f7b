import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import type { Directory, StoredResource } from '../../../src/scim/server/directory';
import { GROUP, USER } from '../../../src/scim/server/attributes';
import { patchWork, takePatch } from '../../../src/scim/server/writing/planning';
import { scimServer } from '../../../src/scim/server/scim-server';
import { selecting } from '../../../src/scim/server/selection';
import { pushTurns } from '../../../src/push/threads/push-turns';

/* Nothing is timed: where each name was looked up for each value, these tests would not end. */

const NAMES = Array.from({ length: 5_000 }, (_, at) => `members.a${at}`);
const MEMBERS = Array.from({ length: 5_000 }, (_, at) => ({ value: `m${at}`, type: 'User' }));
const group = { schemas: ['x'], id: 'g', displayName: 'G', members: MEMBERS };

test('thousands of names of attributes are looked up once for each value', () => {
  const wanted = selecting(GROUP, { attributes: [...NAMES, 'members.value'], excluded: null });
  const left = selecting(GROUP, { attributes: null, excluded: [...NAMES, 'Members.Type'] });
  for (let time = 0; time < 20; time += 1) {
    const values = MEMBERS.map(({ value }) => ({ value }));
    expect(wanted(group)).toEqual({ schemas: ['x'], id: 'g', members: values });
    expect(left(group)).toEqual({ ...group, members: values });
  }
});

const emails = Array.from({ length: 1_500 }, (_, at) => ({ value: `e${at}@x.example`, type: 't' }));
const CHANGES = {
  Operations: Array.from({ length: 20 }, () => ({
    op: 'replace',
    path: 'emails[type eq "t"].type',
    value: 't',
  })),
};

test('a small PATCH that compares much goes to a push thread', () => {
  const take = (bounds: Parameters<typeof patchWork>[0]) =>
    takePatch(USER, CHANGES, { userName: 'a', emails }, patchWork(bounds));
  expect(take({ here: { members: 1_000, compared: 10_000 } })).toMatchObject({
    left: { _tag: 'TooLarge' },
  });
  expect(E.isRight(take({}))).toBe(true);
});

const stored = (id: string): StoredResource => ({
  key: id,
  id,
  identity: id,
  since: '',
  changed: '',
  groups: [],
  properties: { name: id, identity: id },
});

test.each([
  ['without a filter', null],
  ['with a filter', 'displayName sw "g"'],
  ['with a filter on members', 'displayName sw "g" and members pr'],
])('a page ends before it has more members than an answer holds: %s', async (_, filter) => {
  const groups = ['g1', 'g2', 'g3', 'g4'].map(stored);
  const count = (key: string): number => (key === 'g4' ? 50_000 : 9_000);
  const read: string[][] = [];
  const directory = {
    count: () => TE.right(groups.length),
    page: () => TE.right(groups),
    after: (_label: string, _source: string, after: string) => TE.right(after === '' ? groups : []),
    memberCounts: (keys: readonly string[]) =>
      TE.right(new Map(keys.map((key) => [key, count(key)]))),
    members: (keys: readonly string[]) => {
      read.push([...keys]);
      const one = { kind: 'User', id: 'm', identity: 'm', name: 'm' };
      return TE.right(new Map(keys.map((key) => [key, [one]])));
    },
  } as unknown as Directory;
  const server = scimServer({ directory, turns: pushTurns(4, 1), newId: () => 'n' });
  const wanted = { attributes: null, excluded: null, filter, startIndex: 1, count: 100 };
  const page = await server.list({ source: 'd', base: '', root: '' }, GROUP, wanted)();
  if (E.isLeft(page)) throw new Error(page.left._tag);
  // The client asks for the others by their place. One alone is shown, however large.
  expect([page.right.total, page.right.resources.map(({ id }) => id)]).toEqual([4, ['g1', 'g2']]);
  expect(read).toContainEqual(['g1', 'g2']);
  expect(read.every((keys) => keys.length <= 2)).toBe(true);
});
