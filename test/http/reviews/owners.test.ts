/** @more reviews */
import { strFromU8 } from 'fflate';

import { digestOf, entryHash, firstHash } from '../../../src/features/reviews/rules/chain';
import { toEntry } from '../../../src/features/reviews/stored/store';
import { ask } from '../../../src/neo4j/ask';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { evidenceOf, saidByScript } from './evidence-files';
import {
  type Body,
  chainOf,
  changedInNeo4j,
  close,
  created,
  decideAll,
  directory,
  erased,
  followed,
  itemsOf,
  keyOf,
  opened,
  people,
  pushed,
  REVIEWS,
  sent,
  service,
  user,
  useVault,
  valueOf,
  verified,
} from './vault';

/* Who opens, cancels and owns a review, and who does when that person is gone (docs/rules.md: Access reviews). */

useVault();

const person = (name: string): Promise<string> => keyOf('IdpUser', name);

const reviewOf = async (id: string): Promise<Body> =>
  valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body).review as Body;

/** Both verifications find nothing. */
const holds = async (id: string): Promise<void> => {
  expect(await verified(id)).toMatchObject({ findings: [] });
  expect(await saidByScript(await evidenceOf(id))).toMatch(/\nverified\n$/);
};

/** There is no evidence yet. */
const noEvidence = async (id: string): Promise<void> => {
  const answer = await service.send('get', `${REVIEWS}/${id}/evidence`);
  expect([answer.status, answer.text]).toEqual([
    404,
    expect.stringContaining('once somebody opens'),
  ]);
};

const CANCELLING = 'MATCH (e:ReviewDecision {review: $id}) RETURN properties(e) AS entry';

test('a review whose owner was erased is closed by another one, whom the chain names', async () => {
  const id = await opened();
  await decideAll(id, {});
  const fay = await person('fay');
  await erased('olga');
  const attested = { on_behalf_of: fay, attestation: 'All decisions are right.' };
  await sent(`/${id}:close`, attested, 403);
  const appointed = { owner: fay, reason: 'Olga left.' };
  await sent(`/${id}:appoint`, { reason: 'nobody' }, 400);
  await sent(`/${id}:appoint`, { owner: await person('lee'), reason: 'inactive' }, 400);
  await sent(`/${id}:appoint`, appointed);
  const { head } = await reviewOf(id);
  await sent(`/${id}:appoint`, appointed);
  expect((await reviewOf(id)).head).toBe(head);
  expect(await chainOf(id)).toContainEqual(
    expect.objectContaining({ act: 'name_owner', by: null, reason: 'Olga left.' }),
  );
  await holds(id);
  await sent(`/${id}:close`, attested);
  expect(await reviewOf(id)).toMatchObject({ state: 'closed', owner: fay });
  await holds(id);
  await sent(`/${id}:appoint`, { owner: await person('mia'), reason: 'late' }, 409);
  // Who writes another owner into Neo4j is found, and so is who closes for somebody else.
  await changedInNeo4j(id, "MATCH (r:Review {key: $id}) SET r.owner_alias = 'P1'");
  const { findings } = await verified(id);
  expect(findings).toEqual(['The review has another owner_alias than the chain says.']);
});

test('who changes in Neo4j whom an alias means that an act made known, or the key of an owner, is found', async () => {
  const id = await opened();
  const robin = user('robin');
  await pushed(people, directory([robin, user('uma')]));
  await sent(`/${id}:appoint`, { owner: await person('robin'), reason: 'Olga leaves.' });
  const [item] = await itemsOf(id);
  await sent(`/${id}:reassign`, {
    on_behalf_of: await person('robin'),
    to: await person('uma'),
    items: [item?.number],
    reason: 'knows it',
  });
  await holds(id);
  const all = 'MATCH (r:Review {key: $id}) MATCH (p:ReviewPerson {review: r.run, name: $name})';
  for (const [name, change, undone, finding] of [
    ['robin', 'SET p.email = "x"', 'SET p.email = null', 'is somebody else'],
    [
      'uma',
      'SET p.person = "x|" + p.person',
      'SET p.person = substring(p.person, 2)',
      'is somebody',
    ],
    ['uma', 'SET r.owner = p.person', '', 'owner'],
  ] as const) {
    await changedInNeo4j(id, `${all} ${change}`, { name });
    expect((await verified(id)).findings).toEqual([expect.stringContaining(finding)]);
    expect(await saidByScript(await evidenceOf(id))).toContain(finding);
    if (undone !== '') await changedInNeo4j(id, `${all} ${undone}`, { name });
  }
});

test('a draft whose owner was erased is planned once somebody else owns it', async () => {
  const id = await created();
  await erased('olga');
  await sent(`/${id}:plan`, undefined, 400);
  await sent(`/${id}:appoint`, { owner: await person('mia'), reason: 'Olga left.' });
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token });
  await holds(id);
});

test('the key of an account names no owner: who pushes the account says whose it is', async () => {
  const account = await keyOf('LocalUser', 'mia');
  const draft = { name: 'Vault', owner: account, fallback: await person('fay') };
  await sent('', { ...draft, due: '2099-01-01T00:00:00Z' }, 400);
  const id = await created();
  await sent(`/${id}:appoint`, { owner: account, reason: 'by an account' }, 400);
  await sent(`/${id}:appoint`, { fallback: account, reason: 'by an account' }, 400);
  await sent(`/${id}:appoint`, { owner: await person('mia'), reason: 'by her user' });
});

test('an erasure that reaches a seal, and not its entry, is no finding', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  const attestation = 'olga@vault.example attests that all decisions are right.';
  await sent(`/${id}:close`, { on_behalf_of: await person('olga'), attestation });
  await erased('olga');
  expect((await reviewOf(id)).attestation).toBe('(erased) attests that all decisions are right.');
  await holds(id);
});

test('another fallback gets what is pending after the due date', async () => {
  const id = await opened();
  await changedInNeo4j(id, "MATCH (r:Review {key: $id}) SET r.due = datetime() - duration('PT1H')");
  await followed();
  await erased('fay');
  await sent(`/${id}:appoint`, { fallback: await person('olga'), reason: 'Fay left.' });
  await followed();
  expect(new Set((await itemsOf(id)).map(({ reviewer }) => reviewer.name))).toEqual(
    new Set(['olga']),
  );
  const { findings } = await verified(id);
  expect(findings).toEqual(['The review has another due than when it was opened.']);
});

test('the chain names who opened and who cancelled a review', async () => {
  const id = await created();
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token, on_behalf_of: 'x|IdpUser|nobody' }, 400);
  await sent(`/${id}:open`, { token, on_behalf_of: await person('olga') });
  await sent(`/${id}:open`, { token, on_behalf_of: await person('olga') });
  const cancelling = { reason: 'a trial', on_behalf_of: await person('fay') };
  await sent(`/${id}:cancel`, cancelling);
  await sent(`/${id}:cancel`, cancelling);
  const key = expect.stringMatching(/./) as string;
  expect(await chainOf(id)).toEqual([
    { act: 'open', by: 'olga', reason: '', key },
    { act: 'cancel', by: 'fay', reason: 'a trial', key },
  ]);
  await holds(id);
});

test('the chain of a cancelled draft names the key and the reason, and who changes it is found', async () => {
  const id = await created({ cadence: 'quarterly' });
  expect(await verified(id)).toMatchObject({ verified: true, checked: [] });
  const cancelling = { reason: 'a trial', on_behalf_of: await person('fay') };
  await sent(`/${id}:cancel`, cancelling);
  await sent(`/${id}:cancel`, cancelling);
  const key = expect.stringMatching(/./) as string;
  expect(await chainOf(id)).toEqual([{ act: 'cancel', by: null, reason: 'a trial', key }]);
  const checked = ['the settings', 'the chain of decisions'];
  expect(await verified(id)).toMatchObject({ findings: [], checked });
  await holds(id);
  for (const [change, undone] of [
    ["r.state = 'draft', r.cancelled_at = null", "r.state = 'cancelled', r.cancelled_at = e.at"],
    ["r.reason = 'a better one'", "r.reason = 'a trial'"],
    ["e.reason = 'a better one'", "e.reason = 'a trial'"],
    ["r.name = 'another one'", "r.name = 'Vault, fourth quarter'"],
    ["r.cadence = 'yearly'", "r.cadence = 'quarterly'"],
    ["r.was = r.settings, r.settings = ''", 'r.settings = r.was'],
    ['r.entries = null, r.head = null, e.review = "x"', 'e.review = r.id'],
  ] as const) {
    const found = 'MATCH (r:Review {key: $id}), (e:ReviewDecision {key: $id + "|1"}) SET';
    await changedInNeo4j(id, `${found} ${change}`);
    expect([change, (await verified(id)).verified]).toEqual([change, false]);
    if (change.includes('draft')) await noEvidence(id);
    else expect(await saidByScript(await evidenceOf(id))).not.toMatch(/\nverified\n$/);
    await changedInNeo4j(id, `${found} ${undone}`);
  }
});

test('the evidence of a cancelled draft says who cancelled it and why, and a draft has none yet', async () => {
  const id = await created();
  await noEvidence(id);
  await sent(`/${id}:cancel`, { reason: 'a trial' });
  const files = await evidenceOf(id);
  const textOf = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
  expect(textOf('decisions.csv')).toMatch(/cancel[^]*a trial/);
  expect(textOf('review.html')).toMatch(/Why it was cancelled[^]*a trial/);
  expect(textOf('items.jsonl')).toBe('');
  // A draft that was cancelled before its chain began with its settings.
  const [stored] = await runTransaction(service.graph, LATEST, async (tx) =>
    (await tx.run<{ entry: Body }>(CANCELLING, { id })).records.map((each) => each.get('entry')),
  );
  const previous = firstHash(id, '', '');
  const hash = entryHash(id, { ...toEntry(stored ?? {}), previous });
  const set = 'SET e.previous = $previous, e.hash = $hash, r.head = $hash';
  await changedInNeo4j(
    id,
    `MATCH (r:Review {key: $id}), (e:ReviewDecision {review: $id}) ${set} REMOVE r.settings, r.settings_digest`,
    { previous, hash },
  );
  await holds(id);
});

test.each([
  ["r.state = 'open'", 'another state'],
  ['r.cancelled_at = datetime()', 'another cancelled_at'],
  ["r.reason = 'a better one'", 'another reason'],
  ['r.opened_at = datetime()', 'another opened_at'],
])('who sets %s of a cancelled review in Neo4j is found', async (change, finding) => {
  const id = await opened();
  await sent(`/${id}:cancel`, { reason: 'a trial' });
  await changedInNeo4j(id, `MATCH (r:Review {key: $id}) SET ${change}`);
  expect((await verified(id)).findings).toEqual([expect.stringContaining(finding)]);
  expect(await saidByScript(await evidenceOf(id))).toContain('a seal is not what the chain says');
});

/** Makes a review what the version before stored: no entry of the opening, and fewer settings. */
const asBefore = async (id: string): Promise<void> => {
  const [stored] = await ask(
    service.graph,
    'MATCH (r:Review {key: $id}) RETURN r.settings AS settings, r.coverage AS coverage',
    { id },
  );
  const { template, cadence, coverage, ...more } = JSON.parse(String(stored?.settings)) as Body;
  expect([template, cadence]).toEqual([null, null]);
  const earlier = (all: unknown): Body => {
    const { elsewhere, ...others } = all as Body;
    expect(elsewhere).toEqual([]);
    return others;
  };
  const settings = JSON.stringify({ ...more, coverage: earlier(coverage) });
  await changedInNeo4j(
    id,
    `MATCH (r:Review {key: $id}), (e:ReviewDecision {review: $id, seq: 1})
    SET r.head = null, r.entries = 0, r.settings = $settings, r.settings_digest = $digest, r.coverage = $coverage
    REMOVE r.template, r.cadence DELETE e`,
    {
      settings,
      digest: digestOf([settings]),
      coverage: JSON.stringify(earlier(JSON.parse(String(stored?.coverage)))),
    },
  );
};

test('a review that was stored before chains named who opened it is still verified', async () => {
  const [closed, cancelled] = [await opened(), await opened()];
  for (const id of [closed, cancelled]) await asBefore(id);
  await decideAll(closed, {});
  await close(closed);
  await holds(closed);
  const cancel = "SET r.state = 'cancelled', r.cancelled_at = datetime(), r.reason = 'a trial'";
  await changedInNeo4j(cancelled, `MATCH (r:Review {key: $id}) ${cancel}`);
  await holds(cancelled);
  // Who cancels such a review now is named.
  const left = await opened();
  await asBefore(left);
  await sent(`/${left}:cancel`, { reason: 'a trial' });
  expect((await chainOf(left)).map(({ act }) => act)).toEqual(['cancel']);
  await holds(left);
});
