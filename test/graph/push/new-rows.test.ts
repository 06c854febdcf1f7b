import { WantedRow } from '../../../src/difference/difference';
import type { Lists } from '../../../src/graph/connection/pipeline';
import { NewRows } from '../../../src/graph/write/new-rows';
import { LocalGroup } from '../../../src/templates/application/local-groups';
import { LocalUser } from '../../../src/templates/application/local-users';
import { IdpApp } from '../../../src/templates/identity-provider/apps';
import { IdpUser } from '../../../src/templates/identity-provider/users';
import { relationshipKind } from '../../../src/templates/graph/relationships';
import type { NodeKind } from '../../../src/model/table';
import { type Row, stated, type Stated } from '../../../src/rows/row/row';

const rowOf = (kind: NodeKind, key: string, relationships: readonly Stated[] = []): Row => ({
  ...{ kind, key, properties: {}, lookups: {}, relationships, tags: [] },
});

const memberOf = (member: NodeKind, group: string): Stated =>
  stated(relationshipKind(member, 'MEMBER_OF', LocalGroup), group);

/** What becomes of rows: batches by label, what is put off, and what is left to others. */
const taken = (rows: readonly Row[], joinsStanding = false) => {
  const links = rows.flatMap(({ key, relationships }) =>
    relationships.map((one) => ({ row: key, stated: one })),
  );
  const hashed = rows.map((row) => new WantedRow(row));
  const news = new NewRows('ds', hashed, links, joinsStanding);
  const batches: (readonly [string, Lists])[] = [];
  for (const [kind, lists] of news.kinds(
    () =>
      ({ row }) =>
        row.key,
  )) {
    for (const batch of lists) batches.push([kind.label, batch]);
  }
  const ends = ({ row, stated: { other } }: { row: string; stated: Stated }) => `${row} ${other}`;
  return { batches, putOff: news.putOff.map(ends), others: news.others.map(ends) };
};

test('rows come after those to which they lead, with their places for each of those in order of keys', () => {
  const { batches, putOff, others } = taken([
    rowOf(LocalUser, 'ann', [memberOf(LocalUser, 'staff')]),
    rowOf(LocalUser, 'bob', [memberOf(LocalUser, 'admins'), memberOf(LocalUser, 'staff')]),
    rowOf(LocalGroup, 'staff'),
    rowOf(LocalGroup, 'admins', [memberOf(LocalGroup, 'staff')]),
  ]);
  expect(batches).toEqual([
    [
      'LocalGroup',
      { lists: { rows: ['staff', 'admins'], MEMBER_OF_LocalGroup: [['ds|staff', 1]] }, rows: 3 },
    ],
    [
      'LocalUser',
      {
        lists: {
          rows: ['ann', 'bob'],
          MEMBER_OF_LocalGroup: [
            ['ds|admins', 1],
            ['ds|staff', 0, 1],
          ],
          HAS_CREDENTIAL_AccessCredential: [],
        },
        rows: 5,
      },
    ],
  ]);
  expect([putOff, others]).toEqual([[], []]);
});

test('what leads to a row of its kind is put off only where that comes in a later batch', () => {
  const count = 4_500;
  const groups = Array.from({ length: count }, (_, at) =>
    rowOf(LocalGroup, `g${at}`, [memberOf(LocalGroup, `g${(at + 1) % count}`)]),
  );
  const { batches, putOff } = taken(groups);
  expect(batches.map(([, { rows }]) => rows)).toEqual([4_000, 4_000, 1_000]);
  expect(putOff).toEqual(['g1999 g2000', 'g3999 g4000']);
  const drawn = batches.flatMap(([, { lists }]) => lists.MEMBER_OF_LocalGroup ?? []);
  expect(drawn).toHaveLength(count - putOff.length);
});

test('what leads to rows that stand is left, unless nobody has bound those', () => {
  const rows = [rowOf(LocalUser, 'ann', [memberOf(LocalUser, 'staff')])];
  expect(taken(rows).others).toEqual(['ann staff']);
  const { batches, others } = taken(rows, true);
  expect(others).toEqual([]);
  expect(batches[0]?.[1].lists.MEMBER_OF_LocalGroup).toEqual([['ds|staff', 0]]);
});

test('what carries properties is put off', () => {
  const assigned = stated(relationshipKind(IdpUser, 'ASSIGNED_TO', IdpApp), 'app', { id: 'a1' });
  const { putOff } = taken([rowOf(IdpApp, 'app'), rowOf(IdpUser, 'ann', [assigned])]);
  expect(putOff).toEqual(['ann app']);
});
