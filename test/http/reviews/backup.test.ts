/** @more reviews */
import { records } from '../../../src/features';
import { holdGraph } from '../../../src/features/backup/graph/read-graph';
import { reviewRecords } from '../../../src/features/reviews/records';
import { removeOldReviews } from '../../../src/features/reviews/retention/remove-old';
import { repeatReviews } from '../../../src/features/reviews/schedule/next-review';
import { ask } from '../../../src/neo4j/ask';
import { serviceUnderTest } from '../service-under-test';
import {
  application,
  type Body,
  changedInNeo4j,
  close,
  created,
  decideAll,
  decision,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  opened,
  pushed,
  sent,
  service,
  useVault,
  valueOf,
  vault,
} from './vault';

/*
 * No backup has a part of an act on a review (docs/rules.md: Backups). Before, an act committed while a
 * backup read, which then had its entry and not its item.
 */

// A slow machine may need longer for a backup than an act usually waits.
useVault(() => serviceUnderTest({ questionWaitSeconds: 60 }));

const LABELS = reviewRecords.map(({ label }) => label);

/** Each test has reviews of its own only. */
afterEach(() => changedInNeo4j('', `MATCH (n:${LABELS.join('|')}) DELETE n`));

/** All records of reviews, as far as others see them. */
const stored = async (): Promise<readonly unknown[]> =>
  (
    await ask(
      service.graph,
      `MATCH (n:${LABELS.join('|')}) RETURN n.key AS key, n.state AS state, n.head AS head ORDER BY labels(n), key`,
      {},
    )
  ).map((each) => ({ ...each }));

const BLOCKED = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status";

/** Does something while a backup reads the graph, and says how many records of reviews it has. */
const whileBackedUp = (work: () => Promise<void>): Promise<number> =>
  holdGraph(service.graph, records, { waitSeconds: 60, mostSeconds: 600 }, async (held) => {
    let number = 0;
    let hasWorked = false;
    for await (const part of held.parts()) {
      if (!hasWorked) await work();
      hasWorked = true;
      if ('node' in part && part.node[0].some((label) => LABELS.includes(label))) number += 1;
    }
    return number;
  });

const closed = async (more: Body = {}): Promise<string> => {
  const id = await opened(more);
  await decideAll(id, { ben: 'read' });
  await close(id);
  return id;
};

const aged = (id: string): Promise<void> =>
  changedInNeo4j(
    id,
    `MATCH (r:Review {key: $id})
    SET r.at = r.at - duration('P900D'), r.cancelled_at = r.cancelled_at - duration('P900D')`,
  );

const without = (): object =>
  application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] });

/** What is there before each act, and the act. */
const ACTS: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'a draft': async () => {
    await created();
    return () => created();
  },
  'an opening': async () => {
    const id = await created();
    const { token } = valueOf(await sent(`/${id}:plan`));
    return () => sent(`/${id}:open`, { token });
  },
  'a decision': async () => {
    const id = await opened();
    const body = await decision(
      'mia',
      'revoke',
      [itemOf(await itemsOf(id), 'ben', 'read')],
      'left',
    );
    return () => sent(`/${id}:decide`, body);
  },
  'an item that is given away': async () => {
    const id = await opened();
    const { number } = itemOf(await itemsOf(id), 'ben', 'read');
    const [on_behalf_of, to] = [await keyOf('IdpUser', 'mia'), await keyOf('IdpUser', 'fay')];
    return () => sent(`/${id}:reassign`, { on_behalf_of, to, items: [number], reason: 'on leave' });
  },
  'an exception': async () => {
    const id = await closed();
    const { number } = itemOf(await itemsOf(id), 'ben', 'read');
    const on_behalf_of = await keyOf('IdpUser', 'olga');
    const until = new Date(Date.now() + 86_400_000).toISOString();
    return () =>
      sent(`/${id}:except`, { on_behalf_of, items: [number], until, reason: 'until May' });
  },
  'another owner': async () => {
    const id = await opened();
    const owner = await keyOf('IdpUser', 'fay');
    return () => sent(`/${id}:appoint`, { owner, reason: 'Olga left' });
  },
  'a closing': async () => {
    const id = await opened();
    await decideAll(id, {});
    return () => close(id);
  },
  'a cancellation': async () => {
    const id = await opened();
    return () => sent(`/${id}:cancel`, { reason: 'a trial' });
  },
  'what becomes of a fact': async () => {
    await closed();
    await pushed(vault, without());
    return followed;
  },
  'a review that is due again': async () => {
    await aged(await closed({ cadence: 'quarterly' }));
    return () => repeatReviews(service.context);
  },
  'the removal of an old review': async () => {
    const id = await opened();
    await sent(`/${id}:cancel`, { reason: 'a trial' });
    await aged(id);
    return () => removeOldReviews(service.context, 400, { patienceSeconds: 300 })(() => false);
  },
};

test.each(Object.keys(ACTS))('a backup has all or nothing of %s', async (what) => {
  const act = await ACTS[what]?.();
  const before = await stored();
  let acted: Promise<unknown> | undefined;
  const number = await whileBackedUp(async () => {
    acted = act?.();
    while ((await ask(service.graph, BLOCKED, {})).length === 0);
    expect(await stored()).toEqual(before);
  });
  expect(number).toBe(before.length);
  await acted;
  expect(await stored()).not.toEqual(before);
});

test('an act that waits too long for a backup is refused, and changes nothing', async () => {
  const id = await opened();
  const before = await stored();
  const body = await decision('mia', 'revoke', [itemOf(await itemsOf(id), 'ben', 'read')], 'left');
  const impatient = await serviceUnderTest({ questionWaitSeconds: 1 }, { keep: true });
  await whileBackedUp(async () => {
    const { status, text } = await impatient.send('post', `/api/v1/reviews/${id}:decide`, body);
    expect([status, text]).toEqual([
      409,
      expect.stringContaining('A backup runs; try again later.'),
    ]);
    expect(await stored()).toEqual(before);
  });
  await impatient.close();
  await sent(`/${id}:decide`, body);
  expect(await stored()).not.toEqual(before);
});

test('acts that wait for a backup leave connections to others', async () => {
  const id = await opened();
  const body = await decision('mia', 'revoke', [itemOf(await itemsOf(id), 'ben', 'read')], 'left');
  const impatient = await serviceUnderTest({ questionWaitSeconds: 1 }, { keep: true });
  await whileBackedUp(async () => {
    // More than the service has connections.
    const acts = Array.from({ length: 120 }, () =>
      impatient.send('post', `/api/v1/reviews/${id}:decide`, body),
    );
    const answers = await Promise.all(acts);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409, 429]));
    // Two of one key run at once: most others wait in vain, without a connection.
    expect(answers.filter(({ status }) => status === 409).length).toBeLessThan(60);
  });
  await impatient.close();
});
