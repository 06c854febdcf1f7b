/** @more reviews */
import { reviews } from '../../../src/features/reviews/feature';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { TooManyItems } from '../../../src/features/reviews/rules/given';
import * as population from '../../../src/features/reviews/rules/population';
import { ask } from '../../../src/neo4j/ask';
import { evidenceOf, saidByScript } from './evidence-files';
import {
  application,
  created,
  decision,
  directory,
  erased,
  itemOf,
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
  vault,
  verified,
} from './vault';

/* Who changes a review in Neo4j is found (docs/rules.md: Access reviews). */

useVault();

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** What the evidence has in its tables only, or not at all: findings about it. */
const ONLY_IN_NEO4J: readonly string[] = [
  'its reason is another one',
  'its time of decision is another one',
  'another owner_alias',
];

test.each([
  [
    'the state of an item',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 1 SET i.state = "keep"',
    'Item 1',
  ],
  [
    'what an item showed',
    `MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 2 SET i.shown = '{}'`,
    'Item 2',
  ],
  [
    'the marks of an item',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 3 SET i.marks = ["guest"]',
    'Item 3',
  ],
  [
    'an item that is gone',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 4 DELETE i',
    'Item 4 is missing',
  ],
  [
    'the reviewer of an item',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 5 SET i.reviewer = "P1"',
    'Item 5',
  ],
  [
    'the reason of an item',
    'MATCH (i:ReviewItem {state: "revoke"}) WHERE i.review STARTS WITH $id SET i.reason = "better"',
    'its reason is another one',
  ],
  [
    'when an item was decided',
    'MATCH (i:ReviewItem {state: "revoke"}) WHERE i.review STARTS WITH $id SET i.decided_at = datetime()',
    'its time of decision is another one',
  ],
  [
    'what a decision says',
    'MATCH (e:ReviewDecision {review: $id, seq: 1}) SET e.reason = "better"',
    'Entry 1',
  ],
  ['who decided', 'MATCH (e:ReviewDecision {review: $id, seq: 1}) SET e.by = "P9"', 'Entry 1'],
  [
    'a decision that is gone',
    'MATCH (e:ReviewDecision {review: $id, seq: 1}) DELETE e',
    'Entry 1 is missing',
  ],
  [
    'the hash of a decision',
    'MATCH (e:ReviewDecision {review: $id, seq: 2}) SET e.hash = "0"',
    'Entry 2',
  ],
  ['the head', 'MATCH (r:Review {key: $id}) SET r.head = "0"', 'The head'],
  [
    'the digest of the population',
    'MATCH (r:Review {key: $id}) SET r.digest = "0"',
    'The digest of the population',
  ],
  [
    'whom the alias of a holder means',
    'MATCH (p:ReviewPerson {name: "ben"}) WHERE p.review STARTS WITH $id SET p.person = "x|IdpUser|fay", p.name = "fay"',
    'is somebody else',
  ],
  [
    'what a reviewer is called',
    'MATCH (p:ReviewPerson {name: "mia"}) WHERE p.review STARTS WITH $id SET p.name = "Mia Berg"',
    'is somebody else',
  ],
  [
    'the address of the fallback, who reviews nothing',
    'MATCH (p:ReviewPerson {name: "fay"}) WHERE p.review STARTS WITH $id SET p.email = "x@x.example"',
    'is somebody else',
  ],
  [
    'two aliases for each other',
    `MATCH (a:ReviewPerson {name: "ann"}), (b:ReviewPerson {name: "mia"})
    WHERE a.review STARTS WITH $id AND b.review STARTS WITH $id
    WITH a, b, a.person AS person, a.name AS name, a.email AS email
    SET a.person = b.person, a.name = b.name, a.email = b.email, b.person = person, b.name = name, b.email = email`,
    'is somebody else',
  ],
  [
    'a person whom nothing made known',
    `MATCH (r:Review {key: $id}) CREATE (:ReviewPerson {key: r.run + "|P99", review: r.run, alias: "P99",
      person: "x", name: "x", email: "x", salt: "x"})`,
    'P99',
  ],
  [
    'who sees the page as the owner',
    'MATCH (r:Review {key: $id}), (p:ReviewPerson {name: "ann"}) WHERE p.review = r.run SET r.owner = p.person',
    'owner',
  ],
  ['the owner', 'MATCH (r:Review {key: $id}) SET r.owner_alias = "P9"', 'another owner_alias'],
  ['the name', 'MATCH (r:Review {key: $id}) SET r.name = "Other"', 'another name'],
  ['the state', 'MATCH (r:Review {key: $id}) SET r.state = "closed"', 'another state'],
  [
    'the first seal',
    'MATCH (r:Review {key: $id}) SET r.closed_at = datetime()',
    'another closed_at',
  ],
  [
    'the second seal',
    'MATCH (r:Review {key: $id}) SET r.remediated_at = datetime()',
    'another remediated_at',
  ],
  [
    'the attestation',
    'MATCH (r:Review {key: $id}) SET r.attestation = "so"',
    'another attestation',
  ],
  ['the settings', 'MATCH (r:Review {key: $id}) SET r.grace_days = 90.0', 'another grace_days'],
])('who changes %s in Neo4j is found', async (_, statement, finding) => {
  const id = await opened();
  const items = await itemsOf(id);
  for (const [name, holds] of [
    ['ann', 'permission "read"'],
    ['ben', 'read'],
  ] as const) {
    await sent(
      `/${id}:decide`,
      await decision('mia', 'revoke', [itemOf(items, name, holds)], 'left'),
    );
  }
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  await runTransaction(service.graph, LATEST, (tx) => tx.run(statement, { id }));
  const { verified: isVerified, findings } = await verified(id);
  expect(isVerified).toBe(false);
  expect(findings).toContainEqual(expect.stringContaining(finding));
  // The script names it too, if the lines of JSON in the evidence have it.
  const said = await saidByScript(await evidenceOf(id));
  expect(said.endsWith('\nverified\n')).toBe(ONLY_IN_NEO4J.includes(finding));
});

test('a verification says that it compares no population with more facts than a review has', async () => {
  const id = await opened();
  const tooMany = jest.spyOn(population, 'populationOf').mockImplementation(function* () {
    yield;
    throw new TooManyItems();
  });
  try {
    const { verified: isVerified, checked } = await verified(id);
    expect(isVerified).toBe(true);
    expect(checked).toContainEqual(expect.stringContaining('not the population: '));
  } finally {
    tooMany.mockRestore();
  }
});

test('an erased person stays in a review as an alias, and the review is still verified', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]));
  await erased('ben');
  const after = (await itemsOf(id))[ben.number - 1];
  expect(after?.holder).toEqual({ alias: expect.any(String) as string, name: null });
  expect(await verified(id)).toMatchObject({ findings: [] });
  expect((await verified(id)).erased).toBeGreaterThan(0);
});

test.each(['people', 'roles', 'marks', 'holder', 'coverage', 'guest'])(
  'a review is what it was after an erasure of somebody who is called %j, like a word of the service',
  async (name) => {
    await pushed(people, directory([user(name), user('gus', { is_guest: true })]));
    await pushed(vault, application({ reads: ['ann', 'gus'], users: ['gus'] }));
    const scope = { people: [await keyOf('IdpUser', 'gus')], marks: ['guest', 'new'] };
    const reviews = [await opened({ scope }), await created({ scope })];
    const seen = async (): Promise<readonly unknown[]> => [
      ...(await Promise.all(reviews.map((id) => service.send('get', `${REVIEWS}/${id}`)))).map(
        ({ status, body }) => [status, body as unknown],
      ),
      await itemsOf(reviews[0] ?? ''),
    ];
    const before = await seen();
    expect(before).toHaveProperty([2, 'length'], 1);
    await erased(name);
    expect(await seen()).toEqual(before);
    expect(await verified(reviews[0] ?? '')).toMatchObject({ findings: [] });
  },
);

test('an erasure removes what reviewers said of what the person holds, and nothing else that they said', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const decided = async (name: string, holds: string, reason: string): Promise<void> => {
    const item = itemOf(items, name, holds);
    await sent(`/${id}:decide`, await decision('mia', 'revoke', [item], reason));
  };
  await decided('ben', 'read', 'His health does not allow it.');
  await decided('ann', 'permission "read"', 'She works elsewhere.');
  await sent(`/${id}:except`, {
    on_behalf_of: await keyOf('IdpUser', 'fay'),
    reason: 'His wife is ill.',
    items: [itemOf(items, 'ben', 'read').number],
    until: inAnHour(),
  });
  const said = async (): Promise<string> =>
    JSON.stringify(
      await ask(
        service.graph,
        `MATCH (n:ReviewItem|ReviewDecision|ReviewRemediation)
        WHERE n.review STARTS WITH $id RETURN n.reason AS reason`,
        { id },
      ),
    );
  expect(await said()).toMatch(/health.*ill/s);
  await erased('ben');
  expect(await said()).not.toMatch(/health|ill/);
  expect(await said()).toMatch(/She works elsewhere/);
  expect(await verified(id)).toMatchObject({ findings: [] });
  expect(await saidByScript(await evidenceOf(id))).toMatch(/\nverified\n$/);
});

test('an erasure removes nothing of a review for what an opening left that did not end', async () => {
  const id = await opened();
  const item = itemOf(await itemsOf(id), 'ann', 'permission "read"');
  await sent(`/${id}:decide`, await decision('mia', 'revoke', [item], 'She works elsewhere.'));
  const left = `MATCH (:Review {key: $id})
    MATCH (ben:ReviewPerson {name: 'ben'}) WHERE ben.review STARTS WITH $id
    CREATE (:ReviewPerson {key: $left + '|P1', review: $left, alias: 'P1', person: ben.person, name: 'ben'})
    CREATE (:ReviewItem {key: $left + '|1', review: $left, number: toInteger($number), holder: 'P1'})`;
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(left, { id, left: `${id}/left`, number: item.number }),
  );
  await erased('ben');
  const [entry] = await ask(
    service.graph,
    `MATCH (entry:ReviewDecision {review: $id, act: 'revoke'}) RETURN entry.reason AS reason`,
    { id },
  );
  expect(entry).toEqual({ reason: 'She works elsewhere.' });
});

test('all of a review is in a backup, and reminders are events', async () => {
  const id = await opened();
  const { values } = await sent(`/${id}:remind`);
  expect(values).toEqual(
    expect.arrayContaining([
      { alias: expect.any(String) as string, name: 'mia', pending: 3 },
      { alias: expect.any(String) as string, name: 'olga', pending: 1 },
    ]),
  );
  const inBackups = reviews.records.filter(({ holds }) => holds?.isLeftOutOfBackups !== true);
  const labels = new Set(inBackups.map(({ label }) => label));
  // What was mailed today is no part of a review, and a restored store must not be silent for a day.
  expect([...labels].sort()).toEqual([
    'RemovedReview',
    'Review',
    'ReviewDecision',
    'ReviewItem',
    'ReviewPerson',
    'ReviewRemediation',
    'ReviewedPlace',
  ]);
});
