/** @more restarts */

import { NO_DIFFERENCE } from '../../src/difference/difference';
import { closeGraph, openGraph } from '../../src/neo4j/driver';
import { graphChunkedPushes } from '../../src/push/graph/chunked-pushes';
import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
import { ChunkedPushTaken } from '../../src/push/graph/store';
import { Instant } from '../../src/model/instant';
import { dumpGraph } from '../support/graph-dump';
import { killedAfter } from '../support/killed-graph';
import { testNeo4j } from '../support/neo4j';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';
import { sized } from '../support/test-size';

const user = (name: string, more: object = {}): object => ({
  name,
  identities: [`${name}@corp.example`],
  ...more,
});

/** Each content has something that the other has not, and something that both have in other words. */
const application = (
  users: readonly object[],
  group: string,
  parent: string,
  vault: string,
): object => ({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: users,
      local_groups: [{ name: group, tags: [{ key: 'team' }] }],
      local_roles: [{ name: 'editor', permissions: ['edit'] }],
      resources: [
        { name: 'a', resource_type: 'page', sub_resources: parent === 'a' ? [SECRET] : [] },
        { name: 'b', resource_type: 'page', sub_resources: parent === 'b' ? [SECRET] : [] },
        { name: 'vault', id: vault, resource_type: 'vault', sub_resources: [BOX] },
      ],
    },
  ],
  permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
  identity_to_permissions: [
    {
      identity: 'cyd',
      identity_type: 'local_user',
      role_assignments: [{ application: 'Wiki', role: 'editor', apply_to_application: true }],
      application_permissions: [{ application: 'Wiki', permission: 'edit', resources: [parent] }],
    },
    {
      identity: 'ann@corp.example',
      identity_type: 'idp',
      application_permissions: [{ application: 'Wiki', permission: 'edit', resources: [parent] }],
    },
  ],
});

/** What lies in it says the same whatever the vault's id is; its look-ups do not. */
const BOX = {
  name: 'box',
  id: 'box-1',
  resource_type: 'box',
  sub_resources: ['gem', 'ring', 'deed'].map((name) => ({
    name,
    id: name,
    resource_type: 'thing',
  })),
};

const SECRET = { name: 'secret', id: 'secret-1', resource_type: 'secret' };

const BEFORE = application(
  [user('ann', { groups: ['old'] }), user('bob', { groups: ['old'] }), user('cyd')],
  'old',
  'a',
  'vault-1',
);
const AFTER = application(
  [
    user('ann', { groups: ['new'], identities: ['ann@other.example'] }),
    user('cyd', { groups: ['new'] }),
    ...['dan', 'eve', 'fay'].map((name) => user(name, { groups: ['new'] })),
  ],
  'new',
  'b',
  'vault-2',
);
const OTHER = application([user('cyd', { groups: ['late'] }), user('dan')], 'late', 'a', 'vault-1');

const DIRECTORY = {
  domains: [{ name: 'corp.example' }],
  users: [
    { name: 'ann', email: 'ann@corp.example', entities_owned: [{ node_type: 'page', id: 'b' }] },
    { name: 'dan', email: 'dan@corp.example' },
  ],
};

let filled: FilledGraph;
let wiki: DataSourceOfProvider;

beforeAll(async () => {
  filled = await filledGraph(TEST_LIMITS, { transactionRows: 24 });
});
afterAll(() => filled.close());

const prepared = async (): Promise<void> => {
  await filled.clear();
  wiki = await filled.register('wiki', 'application');
  await filled.accept(await filled.register('corp', 'identity_provider'), DIRECTORY);
  await filled.accept(wiki, BEFORE);
};

/** The graph by names alone: neither ids nor when it came about. */
const told = async (): Promise<readonly string[]> => {
  const { nodes, relationships } = await dumpGraph(filled);
  const text = (value: object): string =>
    JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'source');
  return [
    ...nodes.map(({ since: _since, changed: _changed, ...node }) => text(node)),
    ...relationships.map(({ properties: { since: _since, ...properties }, ...rest }) =>
      text({ ...rest, properties }),
    ),
  ].sort();
};

const PAST = `MATCH (past:Past)
RETURN past {.*, since: null, from: null, until: null} AS fact,
  EXISTS { (:Push {at: past.until, outcome: 'accepted'}) } AS has_ended_with_a_push`;

/** The facts that ended, by names alone; each has ended with a push (docs/rules.md: History). */
const past = async (): Promise<readonly string[]> => {
  const facts = await filled.ask(PAST);
  expect(facts.filter((one) => one.has_ended_with_a_push !== true)).toEqual([]);
  const sorted = (fact: object): object =>
    Object.fromEntries(Object.entries(fact).sort(([a], [b]) => (a < b ? -1 : 1)));
  return facts
    .map(({ fact }) => JSON.stringify(sorted(fact as object)))
    .map((text) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'source'))
    .sort();
};

/** What a content is when it comes in one transaction; tags of what came before stay. */
const reference = async (content: object): Promise<readonly string[]> => {
  const whole = await filledGraph(TEST_LIMITS, { keep: true });
  await prepared();
  await whole.accept(wiki, content);
  await whole.close();
  return told();
};

/** Whether every date leads to a push that changed something. */
const dated = async (): Promise<readonly unknown[]> =>
  filled.ask(`MATCH (n) WHERE n.row_hash IS NOT NULL
    UNWIND [n.since, n.changed] AS at
    WITH DISTINCT at WHERE NOT EXISTS { (push:Push {at: at}) WHERE push.outcome IN ['accepted', 'replaced'] }
    RETURN toString(at) AS at`);

const state = async (): Promise<unknown> =>
  (
    await filled.ask(
      'MATCH (s:DataSource {key: $key}) RETURN s.status AS status, s.pending_push AS pending, COUNT { (:LargePush) } + COUNT { (:LargePushLane) } AS left',
      { key: wiki.dataSource.id },
    )
  )[0];

/** Pushes in a process that is killed after some transactions; gives whether the push was accepted. */
const pushKilled = async (content: object, transactions: number): Promise<boolean> => {
  const killed = await filledGraph(TEST_LIMITS, {
    keep: true,
    transactionRows: 24,
    spoil: killedAfter(transactions),
  });
  const { _tag } = await killed.push(wiki, content);
  await killed.close();
  return _tag === 'Right';
};

const SILENCE_SECONDS = 8;
const MOST_TRANSACTIONS = 200;

/** Has a push killed after each number of its transactions, or some of them, and looks at what comes of it. */
const killedEverywhere = async (
  look: (hasBegun: boolean) => Promise<void>,
  { first = 0, step }: { readonly first?: number; readonly step: number },
): Promise<number> => {
  for (let transactions = first; transactions < MOST_TRANSACTIONS; transactions += step) {
    await prepared();
    if (await pushKilled(AFTER, transactions)) return transactions;
    const [pending] = await filled.ask('MATCH (large:LargePush) RETURN large.push AS push');
    await look(pending !== undefined);
  }
  throw new Error('the push never ends');
};

const SETTLED = { status: 'SUCCESS', pending: null, left: 0 };

test('a push killed between any two parts is finished by the next start', async () => {
  const before = await reference(BEFORE);
  const after = await reference(AFTER);
  const ended = await past();
  expect(ended).toHaveLength(14);
  const parts = await killedEverywhere(
    async (hasBegun) => {
      const halfway = await told();
      expect(await filled.finishUnfinished()).toBe(hasBegun ? 1 : 0);
      expect(await told()).toEqual(hasBegun ? after : before);
      expect(await past()).toEqual(hasBegun ? ended : []);
      if (!hasBegun) expect(halfway).toEqual(before);
      expect(await state()).toEqual(SETTLED);
      expect(await dated()).toEqual([]);
      const again = await filled.accept(wiki, hasBegun ? AFTER : BEFORE);
      expect(again.outcome).toBe('unchanged');
    },
    { step: sized(3, 1) },
  );
  expect(parts).toBeGreaterThan(15);
});

test.each([
  ['the same push again', AFTER, 0],
  ['another push', OTHER, 1],
  ['the push before', BEFORE, 2],
])('a push killed between two parts is replaced by %s', async (_name, content, first) => {
  const expected = await reference(content);
  await killedEverywhere(
    async (hasBegun) => {
      await filled.accept(wiki, content);
      expect(await told()).toEqual(expected);
      expect(await state()).toEqual(SETTLED);
      expect(await dated()).toEqual([]);
      const outcomes = await filled.ask(
        "MATCH (push:Push {outcome: 'replaced'}) RETURN count(push) AS count",
      );
      expect(outcomes).toEqual([{ count: hasBegun ? 1 : 0 }]);
    },
    { first, step: sized(8, 3) },
  );
});

test('a data source is held as long as its large push takes, however long nothing else is heard', async () => {
  await prepared();
  await pushKilled(AFTER, 7);
  const graph = openGraph({ ...testNeo4j(), silenceSeconds: SILENCE_SECONDS });
  const large = graphChunkedPushes(graph, TEST_LIMITS);
  await large.takeOver(wiki.dataSource.id, 'me');
  const until = performance.now() + 1_500 * SILENCE_SECONDS;
  await large.hold(wiki.dataSource.id, 'me', async (held) => {
    while (performance.now() < until) await held.stillHolds();
  });
  await closeGraph(graph);
});

test('who has lost a large push to somebody else writes no part of it any more', async () => {
  await prepared();
  await pushKilled(AFTER, 7);
  const large = graphChunkedPushes(filled.graph, TEST_LIMITS);
  const { id } = wiki.dataSource;
  await large.takeOver(id, 'first');
  await large.takeOver(id, 'second');
  const before = await told();
  const words = {
    runner: 'first',
    isBinding: true,
    shared: new Map<string, never>(),
    dataSource: id,
    provider: 'wiki',
    at: new Instant('2024-01-01T00:00:00Z'),
  };
  await expect(large.write(words, NO_DIFFERENCE)).rejects.toBeInstanceOf(ChunkedPushTaken);
  await expect(large.hold(id, 'first', () => Promise.resolve())).rejects.toBeInstanceOf(
    ChunkedPushTaken,
  );
  expect(await told()).toEqual(before);
});
