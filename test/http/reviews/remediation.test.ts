/** @more reviews */

import { ask } from '../../../src/neo4j/ask';
import { Browser } from '../browser-session';
import { API_KEY } from '../service-under-test';
import * as earlierItems from '../../../src/features/reviews/stored/earlier-items';
import * as store from '../../../src/features/reviews/stored/store';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import {
  application,
  type Body,
  changedInNeo4j,
  close,
  decideAll,
  decision,
  directory,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  opened,
  people,
  pushed,
  remediationOf,
  REVIEWS,
  sent,
  service,
  user,
  useVault,
  valueOf,
  vault,
  verified,
} from './vault';

/* What is revoked in a review of the vault is confirmed by a push (docs/rules.md: Access reviews). */

useVault();

test('the push after which the fact and the access are gone confirms a revoke, and its return is reported', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  expect(await close(id)).toMatchObject({
    review: { state: 'closed', remediated_at: null },
    remediation: { open: 1, confirmed: 0 },
  });
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'ordered' });
  const push = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed', push });
  const sealed = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(sealed).toMatchObject({ review: { remediated_at: expect.any(String) as string } });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  await changedInNeo4j(id, "MATCH (d:ReviewRemediation {review: $id}) SET d.push = 'another'");
  expect((await verified(id)).findings).toEqual([
    expect.stringContaining('its push is another one'),
  ]);
  await changedInNeo4j(id, 'MATCH (d:ReviewRemediation {review: $id}) SET d.push = $push', {
    push,
  });
  const back = await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  // The push of somebody else brought nothing back.
  await pushed(people, directory([user('new')]));
  await followed();
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'came_back', push: back });
  // Before, only the page of the review said it.
  const administrator = new Browser(service.app);
  await administrator.signIn(API_KEY);
  const overview = await administrator.get('/console');
  const href = `/console/reviews/${id}/progress`;
  expect(overview.text).toMatch(
    new RegExp(
      `<a href="${href}#remediation"><b>1</b> revoked access came back</a>.*<a href="${href}">`,
      's',
    ),
  );
  expect((await administrator.get(href)).text).toContain('<h2 id="remediation">');
  const events = await ask(
    service.graph,
    "MATCH (e:Event {event_type: 'REVIEW_ACCESS_RETURNED'}) WHERE e.metadata CONTAINS $id RETURN e.message AS message",
    { id },
  );
  expect(events.length).toBe(1);
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  // What confirms it then is the push that removed it again, and not the first one.
  const again = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed', push: again });
  expect((await administrator.get('/console')).text).not.toContain('came back');
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

// Found by random reviews: a round sees the graph of now, and pushes come faster.
test('a fact that came back and went again between two rounds is reported, and confirmed again', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  const without = application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] });
  await pushed(vault, without);
  await followed();
  const back = await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  const again = await pushed(vault, without);
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'came_back', push: back });
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed', push: again });
  await pushed(people, directory([user('new')]));
  await followed();
  const events = await ask(
    service.graph,
    "MATCH (e:Event {event_type: 'REVIEW_ACCESS_RETURNED'}) WHERE e.metadata CONTAINS $id RETURN e.message AS message",
    { id },
  );
  expect(events.length).toBe(1);
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('after the second seal only a push of one of its sources makes the service look at a review again', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  await close(id);
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed' });
  const looked = jest.spyOn(earlierItems, 'eachItem');
  const other = await service.register('application');
  try {
    await followed();
    await pushed(other, application({ reads: ['ann', 'ben'] }));
    await followed();
    expect(looked.mock.calls.filter(([, of]) => of === id)).toEqual([]);
    const back = await pushed(
      vault,
      application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
    );
    await followed();
    await followed();
    expect(looked.mock.calls.filter(([, of]) => of === id)).toHaveLength(1);
    expect(await remediationOf(id, 'ben', 'read')).toMatchObject({
      state: 'came_back',
      push: back,
    });
  } finally {
    looked.mockRestore();
    await service.send('delete', `/api/v1/providers/custom/${other.id}?erase=true`);
  }
});

test('a review that was opened before it stored its sources is looked at twice more, and then costs nothing', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  await close(id);
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  await followed();
  await changedInNeo4j(id, 'MATCH (r:Review {key: $id}) REMOVE r.watched, r.seen');
  const looked = jest.spyOn(earlierItems, 'eachItem');
  const looks = (): number => looked.mock.calls.filter(([, of]) => of === id).length;
  try {
    for (let round = 0; round < 5; round += 1) await followed();
    expect(looks()).toBe(2);
    const back = await pushed(
      vault,
      application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
    );
    await followed();
    await followed();
    expect(looks()).toBe(3);
    expect(await remediationOf(id, 'ben', 'read')).toMatchObject({
      state: 'came_back',
      push: back,
    });
  } finally {
    looked.mockRestore();
  }
});

test('a revoke of what a push removed before is confirmed by that push, without a further one', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]));
  const push = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  await sent(`/${id}:decide`, await decision('mia', 'revoke', [ben], 'left'));
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed', push });
  expect(await verified(id)).toMatchObject({ findings: [] });
});

test('the next round looks again at an item that somebody changed during a round', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  const lock = store.lockReview;
  let isDecided = false;
  const meanwhile = jest.spyOn(store, 'lockReview').mockImplementation(async (tx, of) => {
    if (of === id && !isDecided) {
      isDecided = true;
      await sent(`/${id}:decide`, await decision('mia', 'revoke', [ben], 'left'));
    }
    return lock(tx, of);
  });
  try {
    await followed();
    expect([isDecided, await remediationOf(id, 'ben', 'read')]).toMatchObject([
      true,
      { state: 'ordered' },
    ]);
    await followed();
    expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed' });
  } finally {
    meanwhile.mockRestore();
  }
});

test('no push confirms a revoke once the history does not reach back to the review', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  const [store] = await ask(
    service.graph,
    "MATCH (s:Store {key: 'store'}) RETURN toString(s.history_since) AS since",
    {},
  );
  const historySince = (since: unknown): Promise<unknown> =>
    runTransaction(service.graph, LATEST, (tx) =>
      tx.run("MATCH (s:Store {key: 'store'}) SET s.history_since = datetime($since)", { since }),
    );
  await historySince(new Date().toISOString());
  try {
    await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
    await followed();
    expect(await remediationOf(id, 'ben', 'read')).toMatchObject({
      state: 'blocked',
      through: [expect.stringContaining('no push shows')],
    });
  } finally {
    await historySince(store?.since);
  }
});

test('a revoke whose access is left says through what, until somebody who did not review it excepts it', async () => {
  const id = await opened();
  await decideAll(id, { ann: 'permission "read"' });
  await close(id);
  await pushed(vault, application({ reads: ['ben', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  expect(await remediationOf(id, 'ann', 'permission "read"')).toMatchObject({
    state: 'blocked',
    through: ['group "team"'],
  });
  const { number } = itemOf(await itemsOf(id), 'ann', 'permission "read"');
  const month = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const exception = async (name: string, until = month): Promise<Body> => ({
    on_behalf_of: await keyOf('IdpUser', name),
    items: [number],
    until,
    reason: 'the team reads',
  });
  await sent(`/${id}:except`, await exception('mia'), 403);
  await sent(`/${id}:except`, await exception('ann'), 403);
  await sent(`/${id}:except`, await exception('fay', '2099-01-01T00:00:00Z'), 400);
  await sent(`/${id}:except`, await exception('fay'));
  const sealed = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(sealed).toMatchObject({
    review: { remediated_at: expect.any(String) as string },
    remediation: { open: 0, excepted: 1 },
  });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('an exception that has ended orders the revoke again', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const ben = itemOf(items, 'ben', 'read');
  await sent(`/${id}:decide`, await decision('mia', 'revoke', [ben], 'left'));
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const exception = {
    on_behalf_of: await keyOf('IdpUser', 'fay'),
    items: [ben.number],
    until,
    reason: 'a month more',
  };
  await sent(`/${id}:except`, exception);
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'excepted' });
  // Who lets an exception last longer in Neo4j is found, and so is who lets somebody else make it.
  for (const change of [
    "d.excepted_until = datetime('2099-01-01T00:00:00Z')",
    "d.excepted_by = 'P1'",
  ]) {
    await changedInNeo4j(
      id,
      `MATCH (d:ReviewRemediation {review: $id}) SET d.was = d.excepted_until, d.by = d.excepted_by, ${change}`,
    );
    expect((await verified(id)).findings).toEqual([
      `Item ${ben.number}: its exception is another one than the chain says.`,
    ]);
    await changedInNeo4j(
      id,
      'MATCH (d:ReviewRemediation {review: $id}) SET d.excepted_until = d.was, d.excepted_by = d.by REMOVE d.was, d.by',
    );
  }
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(
      "MATCH (d:ReviewRemediation {review: $id}) SET d.excepted_until = datetime('2020-01-01T00:00:00Z')",
      { id },
    ),
  );
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({
    state: 'ordered',
    excepted_until: null,
  });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('the deletion of a source proves no revoke, and the item says so', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  await close(id);
  await service.send('delete', `/api/v1/providers/custom/${vault.id}?erase=true`);
  await followed();
  const open = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(open).toMatchObject({
    review: { remediated_at: null },
    remediation: { open: 1, confirmed: 0 },
  });
});

test('a pending fact that a push removes is gone, and nobody decides about it', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  expect((await itemsOf(id))[ben.number - 1]?.state).toBe('gone');
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]), 409);
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('a fact that comes back before the review closes is pending again', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  expect((await itemsOf(id))[ben.number - 1]?.state).toBe('gone');
  await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  expect((await itemsOf(id))[ben.number - 1]).toMatchObject({
    state: 'pending',
    remediation: null,
  });
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]));
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});
