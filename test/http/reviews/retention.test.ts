/** @more reviews */
import { removeOldReviews, removeParts } from '../../../src/features/reviews/retention/remove-old';
import { reviewRecords } from '../../../src/features/reviews/records';
import { instantOf, nanosOf, present } from '../../../src/model/instant';
import { ask } from '../../../src/neo4j/ask';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { evidenceOf, saidByScript } from './evidence-files';
import { type Strike, struck } from './struck';
import {
  application,
  type Body,
  changedInNeo4j,
  close,
  created,
  decideAll,
  followed,
  itemsOf,
  keyOf,
  opened,
  pushed,
  REVIEWS,
  sent,
  service,
  useVault,
  vault,
  verified,
} from './vault';

/* How long reviews stay (docs/rules.md: Access reviews). */

useVault();

/** All records of reviews. A new one must go with its review too. */
const RECORDS = reviewRecords.map(({ label }) => label).join('|');

/** Each test has reviews of its own only. */
afterEach(() => changedInNeo4j('', `MATCH (n:${RECORDS}) DELETE n`));

const DAYS = 400;
/** More than any machine needs. */
const patienceSeconds = 300;
const round = (days: number | undefined, now = present): Promise<void> =>
  removeOldReviews(service.context, days, { now, patienceSeconds })(() => false);
const removed = (): Promise<void> => round(DAYS);

/** Lets a review lie so many days back. */
const aged = (id: string, days = 500): Promise<void> =>
  changedInNeo4j(
    id,
    `MATCH (r:Review {key: $id})
    WITH r, duration({days: $days}) AS age
    SET r.at = r.at - age, r.closed_at = r.closed_at - age, r.remediated_at = r.remediated_at - age,
      r.cancelled_at = r.cancelled_at - age`,
    { days },
  );

const closed = async (more: Body = {}): Promise<string> => {
  const id = await opened(more);
  await decideAll(id, {});
  await close(id);
  return id;
};

/** How many records a review has, and how many events report its removal. */
const leftOf = async (id: string): Promise<unknown> =>
  (
    await ask(
      service.graph,
      `RETURN COUNT {
        MATCH (n:${RECORDS})
        WHERE n.key STARTS WITH $id
      } AS records, COUNT {
        MATCH (e:Event {event_type: 'REVIEW_REMOVED'}) WHERE e.metadata CONTAINS $id
      } AS events`,
      { id },
    )
  )[0];

const GONE = { records: 0, events: 1 };
const statusOf = async (id: string): Promise<number> =>
  (await service.send('get', `${REVIEWS}/${id}`)).status;

test('a review that ended long ago is removed with all that it had, and the next one stays verifiable', async () => {
  const old = await opened();
  await decideAll(old, { ben: 'read' });
  await close(old);
  const without = application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] });
  await pushed(vault, without);
  await followed();
  const next = await closed({ before: old });
  const before = await verified(next);
  expect(before).toMatchObject({ verified: true, findings: [] });
  await aged(old, DAYS - 1);
  await removed();
  expect(await statusOf(old)).toBe(200);
  await aged(old, 2);
  await round(undefined);
  expect(await statusOf(old)).toBe(200);
  await Promise.all([removed(), removed()]);
  await removed();
  expect([await statusOf(old), await leftOf(old)]).toEqual([404, GONE]);
  expect(await verified(next)).toEqual(before);
  const evidence = await evidenceOf(next);
  expect(await saidByScript(evidence)).toMatch(/\nverified\n$/);
  const page = Buffer.from(evidence['review.html'] ?? []).toString();
  expect(page).toContain('a review that was removed since');
  // It is the last one of its scope.
  await aged(next, 5_000);
  await removed();
  expect(await statusOf(next)).toBe(200);
});

/** A review that ended, with another one after it, and what somebody still needs of it. */
const NEEDED: Readonly<Record<string, () => Promise<string>>> = {
  'access that came back': async () => {
    const id = await opened();
    await decideAll(id, { ben: 'read' });
    await close(id);
    const writes = { writes: ['mia'], team: ['ann'] };
    await pushed(vault, application({ reads: ['ann', 'lee'], ...writes }));
    await followed();
    await pushed(vault, application({ reads: ['ann', 'ben', 'lee'], ...writes }));
    await followed();
    return id;
  },
  'an exception that has not ended': async () => {
    const id = await opened();
    await decideAll(id, { ben: 'read' });
    await close(id);
    const items = (await itemsOf(id, '?state=revoke')).map(({ number }) => number);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const on_behalf_of = await keyOf('IdpUser', 'olga');
    await sent(`/${id}:except`, { on_behalf_of, items, until, reason: 'until May' });
    return id;
  },
  'a draft that carries over from it': async () => {
    const id = await closed();
    await created({ before: id });
    return id;
  },
  'a cadence by which it is not yet due again': async () => {
    const id = await closed({ cadence: 'yearly' });
    await changedInNeo4j(id, "MATCH (r:Review {key: $id}) SET r.at = r.at + duration('P200D')");
    return id;
  },
  'the draft that its cadence will make': () => closed({ cadence: 'quarterly' }),
  'a revoke that is ordered': () => withRevoke("SET done.state = 'ordered'"),
  'a revoke whose access is left': () => withRevoke("SET done.state = 'blocked'"),
  'an answer of an application': async () => {
    const id = await withRevoke("SET done.awaited = 'an action'");
    // Nobody waits for the proof of a revoke of a review that was cancelled.
    await changedInNeo4j(
      id,
      `MATCH (r:Review {key: $id})
      SET r.state = 'cancelled', r.cancelled_at = r.remediated_at REMOVE r.remediated_at`,
    );
    return id;
  },
  'an opening that has not ended': async () => {
    const id = await created();
    await sent(`/${id}:cancel`, { reason: 'a trial' });
    await changedInNeo4j(id, 'MATCH (r:Review {key: $id}) SET r.openings = [$id]');
    return id;
  },
};

/** A review with its second seal and one revoke, which somebody then changes in Neo4j. */
const withRevoke = async (change: string): Promise<string> => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  await close(id);
  await changedInNeo4j(
    id,
    `MATCH (r:Review {key: $id})
    SET r.remediated_at = r.closed_at
    WITH r
    MATCH (done:ReviewRemediation {review: $id})
    SET done.state = 'confirmed' ${change}`,
  );
  return id;
};

test.each(Object.keys(NEEDED))('a review stays for %s', async (why) => {
  const id = (await NEEDED[why]?.()) ?? '';
  await aged(id);
  expect(await endedLongAgo(id)).toBe(true);
  await closed({ name: 'The newest' });
  await removed();
  expect([await statusOf(id), await leftOf(id)]).toMatchObject([200, { events: 0 }]);
});

test.each([
  ["SET done.state = 'confirmed'"],
  ["SET done.state = 'withdrawn'"],
  ["SET done.state = 'excepted', done.excepted_until = datetime() - duration('P1D')"],
])('nobody needs a review any more whose revoke is done: %s', async (change) => {
  const id = await withRevoke(change);
  await aged(id);
  await closed({ name: 'The newest' });
  await removed();
  expect([await statusOf(id), await leftOf(id)]).toEqual([404, GONE]);
});

const endedLongAgo = async (id: string): Promise<boolean> => {
  const [found] = await ask(
    service.graph,
    `MATCH (r:Review {key: $id})
    RETURN coalesce(r.remediated_at, r.cancelled_at) < datetime() - duration({days: ${DAYS}}) AS ended`,
    { id },
  );
  return found?.ended === true;
};

test('cancelled reviews and cancelled drafts are removed too, open ones and drafts never', async () => {
  const ended = [await opened(), await created()];
  // Nobody waits for a revoke of a review that was cancelled.
  await decideAll(ended[0] ?? '', { ben: 'read' });
  for (const id of ended) {
    await sent(`/${id}:cancel`, { reason: 'a trial' });
    await aged(id);
  }
  const left = [await opened(), await created()];
  for (const id of left) await aged(id);
  await removed();
  for (const id of ended) expect([await statusOf(id), await leftOf(id)]).toEqual([404, GONE]);
  for (const id of left) expect(await statusOf(id)).toBe(200);
});

test.each(['before', 'after'] as const)(
  'a removal of a service that ends %s each of its commits is ended by the next round',
  async (side) => {
    for (let commit = 1, isStruck = true; isStruck; commit += 1) {
      const id = await opened();
      await sent(`/${id}:cancel`, { reason: 'a trial' });
      await aged(id);
      const strike: Strike = { commit, side };
      isStruck = await struck(strike, () => removed());
      if (isStruck) await removed();
      expect([commit, await statusOf(id), await leftOf(id)]).toEqual([commit, 404, GONE]);
      if (!isStruck) expect(commit).toBeGreaterThan(3);
    }
  },
);

test('a removal is done in small steps, which stop with the service', async () => {
  const id = await closed();
  const [found] = await ask(service.graph, 'MATCH (r:Review {key: $id}) RETURN r.run AS run', {
    id,
  });
  let steps = 0;
  const stopsAfterTwo = (): boolean => {
    steps += 1;
    return steps > 2;
  };
  const { records } = (await leftOf(id)) as { readonly records: number };
  expect(
    await removeParts(service.context, { run: String(found?.run), id }, stopsAfterTwo, {
      atOnce: 3,
    }),
  ).toBe(false);
  expect(await leftOf(id)).toMatchObject({ records: records - 6 });
});

/** Waits until so many transactions wait for a lock. */
const blocked = async (count: number): Promise<void> => {
  const waits = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status";
  while ((await ask(service.graph, waits, {})).length < count);
};

const HOLD = 'MATCH (r:Review {key: $id}) SET r.lock = true REMOVE r.lock';

test('a draft that names a review as the one before it is made before the removal or not at all', async () => {
  const id = await closed();
  await closed();
  await aged(id);
  const [owner, fallback] = [await keyOf('IdpUser', 'olga'), await keyOf('IdpUser', 'fay')];
  const draft = { name: 'Next', owner, fallback, due: '2099-01-01T00:00:00Z', before: id };
  let both: Promise<readonly [{ readonly status: number }, void]> | undefined;
  await runTransaction(service.graph, LATEST, async (tx) => {
    await tx.run(HOLD, { id });
    both = Promise.all([service.send('post', REVIEWS, draft).then((sent) => sent), removed()]);
    await blocked(2);
  });
  const [{ status }] = (await both) ?? [{ status: 0 }];
  expect([status, await statusOf(id)]).toEqual(status === 200 ? [200, 200] : [404, 404]);
});

test('a review stays if somebody has begun to need it while its removal waited', async () => {
  const id = await closed();
  await closed();
  await aged(id);
  let removal: Promise<void> = Promise.resolve();
  await runTransaction(service.graph, LATEST, async (tx) => {
    await tx.run(HOLD, { id });
    removal = removed();
    await blocked(1);
    await tx.run("CREATE (:Review {key: $id + ' next', before: $id, state: 'open'})", { id });
  });
  await removal;
  expect([await statusOf(id), await leftOf(id)]).toMatchObject([200, { events: 0 }]);
});

test('a review that somebody holds keeps no other one from being removed', async () => {
  const [held, other] = [await closed(), await closed()];
  await closed();
  await aged(held, 600);
  await aged(other);
  const short = removeOldReviews(service.context, DAYS, { patienceSeconds: 5 });
  await runTransaction(service.graph, LATEST, async (tx) => {
    await tx.run(HOLD, { id: held });
    await expect(short(() => false)).rejects.toThrow();
  });
  expect([await statusOf(held), await statusOf(other)]).toEqual([200, 404]);
  await removed();
  expect(await statusOf(held)).toBe(404);
});

test('a clock that is ahead of that of Neo4j removes nothing', async () => {
  const id = await closed();
  await closed();
  await aged(id, DAYS - 10);
  await round(DAYS, () => instantOf(nanosOf(present()) + 20n * 86_400_000_000_000n));
  expect(await statusOf(id)).toBe(200);
});
