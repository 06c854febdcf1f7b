/** @more reviews */
import { evidenceOf, saidByScript } from './evidence-files';
import {
  application,
  type Body,
  changedInNeo4j,
  created,
  opened,
  pushed,
  sent,
  useVault,
  valueOf,
  vault,
  verified,
} from './vault';

/* What a review leaves to other reviews (docs/rules.md: Access reviews). */

useVault();

afterEach(() => changedInNeo4j('', 'MATCH (r:Review) DELETE r'));

interface Coverage {
  readonly pairs: number;
  readonly reviewed: number;
  readonly elsewhere: readonly { readonly review: string; readonly pairs: number }[];
  readonly not_reviewed: readonly { readonly because: string; readonly pairs: number }[];
}

const planned = async (id: string): Promise<Coverage> =>
  valueOf(await sent(`/${id}:plan`)).coverage as Coverage;

const ALL = application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }) as Body;

test('a pair that a filter leaves out belongs to another review, while that shows what it gives', async () => {
  const all = await opened();
  const id = await created({ template: 'privileged_access' });
  const plan = await planned(id);
  const { pairs, reviewed } = plan;
  expect(reviewed).toBeGreaterThan(0);
  expect(plan).toMatchObject({
    elsewhere: [{ review: all, pairs: pairs - reviewed }],
    not_reviewed: [],
  });
  // Now readers may administer too, which the other review does not show.
  const permissions = [
    { name: 'read', permission_type: ['DataRead', 'MetadataWrite'] },
    { name: 'administer', permission_type: ['MetadataWrite'] },
  ];
  await pushed(vault, { ...ALL, permissions });
  const after = await planned(await created({ template: 'leavers' }));
  expect(after.not_reviewed).toEqual([
    {
      because: 'no fact on the way passes the filter of marks, and no other review has one',
      pairs: expect.any(Number) as number,
    },
  ]);
  const sum = [...after.elsewhere, ...after.not_reviewed].reduce((a, b) => a + b.pairs, 0);
  expect(after.reviewed + sum).toBe(after.pairs);
});

test('a review that was cancelled, or is due again, covers nothing of another', async () => {
  const all = await opened();
  const id = await created({ template: 'leavers' });
  expect((await planned(id)).elsewhere).toHaveLength(1);
  await changedInNeo4j(
    all,
    "MATCH (r:Review {key: $id}) SET r.state = 'closed', r.at = r.at - duration('P2Y')",
  );
  expect((await planned(id)).elsewhere).toEqual([]);
  await changedInNeo4j(all, "MATCH (r:Review {key: $id}) SET r.state = 'cancelled'");
  expect((await planned(id)).elsewhere).toEqual([]);
});

test('the settings of a review say what other reviews cover, and both verifications compare it', async () => {
  const all = await opened();
  const id = await opened({ template: 'privileged_access' });
  expect(await verified(id)).toMatchObject({ findings: [] });
  expect(await saidByScript(await evidenceOf(id))).toMatch(/\nverified\n$/);
  await changedInNeo4j(
    id,
    'MATCH (r:Review {key: $id}) SET r.coverage = replace(r.coverage, $all, $id)',
    { all },
  );
  expect((await verified(id)).findings).toEqual([
    'The review has another coverage than when it was opened.',
  ]);
  expect(await saidByScript(await evidenceOf(id))).toContain('another coverage');
});
