import * as E from 'fp-ts/Either';

import { inWholeTurn } from '../../../src/features/reviews/reading/contract';
import { ask } from '../../../src/neo4j/ask';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { serviceUnderTest } from '../service-under-test';
import {
  application,
  type Body,
  created,
  directory,
  DUE,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  people,
  pushed,
  REVIEWS,
  sent,
  service,
  useVault,
  valueOf,
  vault,
  verified,
} from './vault';

/* A review of the vault is planned and opened (docs/rules.md: Access reviews). */

useVault();

test('a plan shows items, reviewers and coverage, and changes nothing', async () => {
  const id = await created();
  const plan = valueOf(await sent(`/${id}:plan`));
  expect(plan).toMatchObject({
    items: 6,
    without_reviewer: 0,
    coverage: { not_reviewed: [] },
    marks: { privileged: 1, inactive: 1 },
    // Ann may read through the team too.
    changes_nothing: 2,
  });
  const { pairs, reviewed } = plan.coverage as { pairs: number; reviewed: number };
  expect(pairs).toBe(reviewed);
  expect(await itemsOf(id)).toEqual([]);
  expect(valueOf(await sent(`/${id}:plan`)).token).toBe(plan.token);
});

test('no scope names the mark that only a chosen reviewer makes', async () => {
  const [owner, fallback] = [await keyOf('IdpUser', 'olga'), await keyOf('IdpUser', 'fay')];
  const scope = { marks: ['guest', 'conflict'] };
  const refused = await sent('', { name: 'x', owner, fallback, due: DUE, scope }, 400);
  expect(JSON.stringify(refused)).toContain('/scope/marks/1');
});

test('an opening does what its plan said, once, and no other', async () => {
  const id = await created();
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token: 'another' }, 409);
  const [first, second] = await Promise.all(
    [0, 1].map(() => service.send('post', `${REVIEWS}/${id}:open`, { token })),
  );
  expect([first?.status, second?.status]).toEqual([200, 200]);
  const items = await itemsOf(id);
  expect(items.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['pending']));
  // The manager decides about their people, and nobody about themselves.
  expect(itemOf(items, 'ann', 'permission "read"').reviewer.name).toBe('mia');
  expect(itemOf(items, 'mia', 'administer').reviewer.name).toBe('olga');
  expect(itemOf(items, 'lee', 'read').reviewer.name).toBe('fay');
  expect(itemOf(items, 'ann', 'group "team"').shown).toMatchObject({
    changes_nothing: true,
    also: ['permission "read" on Vault: keys'],
  });
  await sent(`/${id}:plan`, undefined, 409);
});

test('a key opens no review while it plans or reads a whole one', async () => {
  const id = await created();
  const { token } = valueOf(await sent(`/${id}:plan`));
  const hasty = await serviceUnderTest({ questionWaitSeconds: 0.2 }, { keep: true });
  let end = (): void => undefined;
  const isEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  // The key of the settings has no id.
  const reading = inWholeTurn(hasty.context, '', () => isEnded)();
  expect((await hasty.send('post', `${REVIEWS}/${id}:open`, { token })).status).toBe(429);
  end();
  expect(E.isRight(await reading)).toBe(true);
  await hasty.close();
  await sent(`/${id}:open`, { token });
});

test('a plan that changed since is not opened', async () => {
  const id = await created();
  const { token } = valueOf(await sent(`/${id}:plan`));
  await pushed(vault, application({ reads: ['ann', 'ben'] }));
  await sent(`/${id}:open`, { token }, 409);
});

test('sources that are stale or failed stop the opening until somebody acknowledges them', async () => {
  const refused = { id: vault.id, data_source_id: vault.data_source_id, json_data: '{"no": 1}' };
  expect((await service.post(vault.path, refused)).status).toBe(400);
  const id = await created();
  const { token, sources } = valueOf(await sent(`/${id}:plan`));
  const failed = (sources as readonly Body[]).filter(({ has_failed }) => has_failed === true);
  expect(failed.map(({ data_source }) => data_source)).toEqual([vault.data_source_id]);
  await sent(`/${id}:open`, { token }, 409);
  const reason = 'The last good push is an hour old.';
  const acknowledged = [{ data_source: vault.data_source_id, reason }];
  const opening = valueOf(await sent(`/${id}:open`, { token, acknowledged }));
  expect((opening.review as { sources: readonly Body[] }).sources).toContainEqual(
    expect.objectContaining({ data_source: vault.data_source_id, reason }),
  );
});

test('an item that nobody may review stops the opening, and the plan lists it', async () => {
  // Ben has no manager, and is the fallback himself.
  await pushed(people, directory([], { manager_id: undefined }));
  const ben = await keyOf('IdpUser', 'ben');
  const id = await created({ fallback: ben, scope: { people: [ben] } });
  const { token, ...plan } = valueOf(await sent(`/${id}:plan`));
  expect(plan).toMatchObject({
    items: 1,
    without_reviewer: 1,
    without_reviewer_first: [
      expect.stringMatching(/^account "ben" in "Vault", from "[^|:"]+": permission "read"/),
    ],
  });
  expect(JSON.stringify(await sent(`/${id}:open`, { token }, 409))).toContain('Nobody may review');
  await sent(`/${id}:appoint`, { fallback: await keyOf('IdpUser', 'fay'), reason: 'not himself' });
  const next = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token: next.token });
  expect((await itemsOf(id)).map(({ reviewer }) => reviewer.name)).toEqual(['fay']);
});

test('an owner whom no directory knows reviews nothing, and one whom it knows does', async () => {
  const reviewerOf = async (owner: string): Promise<string | null> => {
    await pushed(vault, application({ reads: ['robot'], owner }));
    const id = await created();
    const { token, reviewers } = valueOf(await sent(`/${id}:plan`));
    expect(JSON.stringify(reviewers)).not.toContain('vendor');
    await sent(`/${id}:open`, { token });
    return itemOf(await itemsOf(id), 'robot', 'read').reviewer.name;
  };
  expect(await reviewerOf('vendor@elsewhere.example')).toBe('fay');
  expect(await reviewerOf('mia')).toBe('mia');
});

test('what an opening that was killed left is never seen, and goes', async () => {
  const id = await created();
  const run = `${id}/killed`;
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(
      "MATCH (r:Review {key: $id}) SET r.openings = [$run], r.opening_since = datetime('2020-01-01T00:00:00Z') CREATE (:ReviewItem {key: $run + '|1', review: $run, number: 1, state: 'pending'})",
      { id, run },
    ),
  );
  expect(await itemsOf(id)).toEqual([]);
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token });
  expect((await itemsOf(id)).length).toBe(6);
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run("MATCH (r:Review {key: $id}) SET r.opening_since = datetime('2020-01-01T00:00:00Z')", {
      id,
    }),
  );
  await followed();
  const left = await ask(service.graph, 'MATCH (i:ReviewItem {review: $run}) RETURN i.key AS key', {
    run,
  });
  expect(left).toEqual([]);
  expect(await verified(id)).toMatchObject({ verified: true });
});
