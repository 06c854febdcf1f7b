import { graphChunkedPushes, type ChunkedPushes } from '../../src/push/graph/chunked-pushes';
import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
import { Instant } from '../../src/model/instant';
import type { Failure } from '../../src/problem';
import { doublingRetries, type Retries } from '../../src/background';
import { dumpGraph } from '../support/graph-dump';
import { killedAfter } from '../support/killed-graph';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';
import { events } from '../../src/push/events';

const PARTS = { transactionRows: 24 };
const RETRIES: Retries = { most: 3, pauseSeconds: () => 0 };
const OUT_OF_MEMORY: Failure = { _tag: 'TooLarge', message: 'The push needs more memory.' };

/** An application whose users carry a property, as the pushes under test bring it. */
const application = (users: number, group: string): object => ({
  custom_property_definition: {
    applications: [{ application_type: 'wiki', local_user_properties: { level: 'NUMBER' } }],
  },
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_groups: [{ name: group }],
      local_users: Array.from({ length: users }, (_, at) => ({
        name: `${group}${at}`,
        groups: [group],
        custom_properties: { level: at },
      })),
    },
  ],
});

const BEFORE = application(8, 'old');
const AFTER = application(20, 'new');
const INCREMENT = {
  incremental_change: true,
  applications: [{ name: 'Wiki', local_groups: [{ name: 'late', operation: 'add' }] }],
};

let filled: FilledGraph;
let large: ChunkedPushes;
let wiki: DataSourceOfProvider;

beforeAll(async () => {
  filled = await filledGraph(TEST_LIMITS, PARTS);
  large = graphChunkedPushes(filled.graph, TEST_LIMITS);
});
/** Parts that were on their way when their push was stopped end by themselves. */
const opened: FilledGraph[] = [];
afterAll(async () => {
  for (const killed of opened) await killed.close();
  await filled.close();
});

/** The graph without what says when and by which push it came about. */
const told = async (): Promise<readonly string[]> => {
  const { nodes, relationships } = await dumpGraph(filled);
  return [
    ...nodes.map(({ since: _since, changed: _changed, ...node }) => JSON.stringify(node)),
    ...relationships.map(({ properties: { since: _since, ...properties }, ...rest }) =>
      JSON.stringify({ ...rest, properties }),
    ),
  ].sort();
};

let expectedBefore: readonly string[];
let expectedAfter: readonly string[];

/** Has a push begin over another one and its process die after some of its parts. */
beforeEach(async () => {
  await filled.clear();
  wiki = await filled.register('wiki', 'application');
  await filled.accept(wiki, AFTER);
  expectedAfter = await told();
  await filled.accept(wiki, BEFORE);
  expectedBefore = await told();
  const killed = await filledGraph(TEST_LIMITS, { ...PARTS, keep: true, spoil: killedAfter(8) });
  expect(await killed.push(wiki, AFTER)).toMatchObject({ _tag: 'Left' });
  opened.push(killed);
  expect(await state()).toMatchObject({ status: 'PENDING', large: 1 });
});

const state = async (): Promise<unknown> =>
  (
    await filled.ask(
      `MATCH (s:DataSource {key: $key})
       RETURN s.status AS status, s.pending_push AS pending,
         COUNT { (:LargePush) } AS large, COUNT { (:LargePushLane) } AS lanes`,
      { key: wiki.dataSource.id },
    )
  )[0];

const spoil = (statement: string, parameters = {}): Promise<unknown> =>
  filled.graph.driver.executeQuery(statement, parameters, { database: filled.graph.database });

const GIVEN_UP = { status: 'ERROR', pending: null, large: 0, lanes: 0 };

const record = async (): Promise<Record<string, unknown>> =>
  (
    await filled.ask(
      `MATCH (p:Push) WHERE p.outcome IN ['failed', 'refused', 'pending']
       RETURN p.outcome AS outcome, p.problems AS problems, p.problem_count AS count,
         p.nodes_put AS nodes, p.relationships_put AS relationships`,
    )
  )[0] as Record<string, unknown>;

const codesOf = ({ problems }: Record<string, unknown>): readonly string[] =>
  (JSON.parse(String(problems)) as { code: string }[]).map(({ code }) => code);

const eventTypes = async (): Promise<readonly unknown[]> =>
  (await filled.ask('MATCH (e:Event) RETURN DISTINCT e.event_type AS type')).map(
    ({ type }) => type,
  );

const giveUp = async (): Promise<void> => {
  for (let tries = 0; tries < RETRIES.most; tries += 1) {
    expect(await state()).toMatchObject({ status: 'PENDING', large: 1 });
    await filled.finishUnfinished(RETRIES, OUT_OF_MEMORY);
  }
};

test('a push in parts that fails each time is given up after the last try', async () => {
  await giveUp();
  expect(await state()).toEqual(GIVEN_UP);
  const failed = await record();
  expect(failed).toMatchObject({ outcome: 'failed', count: 1 });
  expect(codesOf(failed)).toEqual(['NOT_FINISHED']);
  expect(String(failed.problems)).toContain(OUT_OF_MEMORY.message);
  const [rows] = await filled.ask(
    'MATCH (n) WHERE NOT n:Past AND n.data_source IS NOT NULL AND n.name STARTS WITH "new" RETURN count(n) AS count',
  );
  expect(rows?.count).toBeGreaterThan(0);
  expect(failed.nodes).toBeGreaterThanOrEqual(Number(rows?.count));
  expect(await eventTypes()).toEqual(expect.arrayContaining(['PUSH_RESUMED', 'PUSH_FAILED']));
  // Nothing is left to be gone on with.
  expect(await filled.finishUnfinished(RETRIES)).toBe(0);
  expect(await large.unfinished(0)).toEqual([]);
});

test('a push whose payload no longer fits into the memory is given up, and its record says what to do', async () => {
  const small = await filledGraph(TEST_LIMITS, { ...PARTS, keep: true, heapBytes: 1024 });
  opened.push(small);
  for (let tries = 0; tries < RETRIES.most; tries += 1) await small.finishUnfinished(RETRIES);
  expect(await state()).toEqual(GIVEN_UP);
  expect(String((await record()).problems)).toMatch(/Give the service \d+m .*or push less at once/);
});

test('a push that would run out of memory in parts is refused before anything is written', async () => {
  await giveUp();
  await filled.accept(wiki, BEFORE);
  const small = await filledGraph(TEST_LIMITS, { ...PARTS, keep: true, heapBytes: 16 * 1024 });
  opened.push(small);
  expect(await small.push(wiki, AFTER)).toMatchObject({
    left: { _tag: 'TooLarge', message: expect.stringMatching(/Give the service \d+m/) as string },
  });
  expect(await told()).toEqual(expectedBefore);
  expect(await state()).toMatchObject({ status: 'SUCCESS', pending: null, large: 0 });
});

test('after a push that was given up increments are told to push everything', async () => {
  await giveUp();
  expect(await filled.push(wiki, INCREMENT)).toMatchObject({
    _tag: 'Left',
    left: { _tag: 'Conflict', message: expect.stringContaining('Push everything once') as string },
  });
});

test.each([
  ['the same push again', AFTER, () => expectedAfter],
  ['the push before', BEFORE, () => expectedBefore],
])('%s replaces what a push that was given up had put', async (_name, content, expected) => {
  await giveUp();
  const { outcome } = await filled.accept(wiki, content);
  expect(outcome).toBe('accepted');
  expect(await told()).toEqual(expected());
  expect(await state()).toMatchObject({ status: 'SUCCESS', large: 0 });
  expect(await filled.push(wiki, INCREMENT)).toMatchObject({ _tag: 'Right' });
});

test('a push whose checks fail when it is gone on with ends as refused at once', async () => {
  await spoil('MATCH (s:DataSource {key: $key}) SET s.definitions = $definitions', {
    key: wiki.dataSource.id,
    definitions: JSON.stringify([
      { kind: 'local_user', application_type: 'wiki', property: 'level', type: 'STRING' },
    ]),
  });
  expect(await filled.finishUnfinished(RETRIES)).toBe(0);
  expect(await state()).toEqual(GIVEN_UP);
  const refused = await record();
  expect(refused).toMatchObject({ outcome: 'refused', count: 1 });
  expect(codesOf(refused)).toEqual(['PROPERTY_TYPE_CHANGED']);
  expect(await eventTypes()).toContain('PUSH_REFUSED');
});

test.each([
  ['gone', 'MATCH (n) WHERE n:UploadPart OR n:UploadSlice DETACH DELETE n'],
  ['damaged', "MATCH (n:UploadSlice) SET n.base64 = 'AAAA'"],
])('a push whose payload is %s ends as failed at once', async (_name, statement) => {
  await spoil(statement);
  expect(await filled.finishUnfinished(RETRIES)).toBe(0);
  expect(await state()).toEqual(GIVEN_UP);
  const failed = await record();
  expect(failed).toMatchObject({ outcome: 'failed' });
  expect(codesOf(failed)).toEqual(['NOT_FINISHED']);
});

test('tries whose process died count too', async () => {
  const { id } = wiki.dataSource;
  for (let tries = 1; tries <= RETRIES.most; tries += 1) {
    expect(await large.takeOver(id, `killed ${tries}`)).toMatchObject({ tries });
  }
  expect(await filled.finishUnfinished(RETRIES)).toBe(0);
  expect(await state()).toEqual(GIVEN_UP);
  expect(await record()).toMatchObject({ outcome: 'failed' });
});

test('nobody tries again before its time, and a push that gets further is tried as often again', async () => {
  const { id } = wiki.dataSource;
  await filled.finishUnfinished({ most: 3, pauseSeconds: () => 3600 }, OUT_OF_MEMORY);
  expect(await large.unfinished(0)).toEqual([]);
  await spoil('MATCH (large:LargePush) SET large.retry_at = datetime()');
  expect(await large.unfinished(0)).toEqual([id]);
  expect(await large.takeOver(id, 'me')).toMatchObject({ tries: 2 });
  const { record: begun, pending, ...source } = (await large.takeOver(id, 'me')) ?? never();
  expect(source.tries).toBe(3);
  const event = {
    id: 'some id',
    timestamp: new Instant(begun.at).utc,
    category: 'INTEGRATIONS' as const,
    severity: 'INFO' as const,
    name: '',
    message: '',
    event_type: events.PUSH_PROGRESS,
    entity: 'DATASOURCE' as const,
    entity_id: id,
    entity_name: 'wiki',
    provider_id: source.provider.id,
    metadata: {},
  };
  await large.tell(id, 'me', pending.total / 2, event);
  expect(await large.takeOver(id, 'me')).toMatchObject({ tries: 1 });
});

test('a try for which no thread had room does not count', async () => {
  const full: Failure = {
    _tag: 'Exhausted',
    message: 'All threads are busy.',
    retryAfterSeconds: 1,
  };
  for (let tries = 0; tries <= RETRIES.most; tries += 1) {
    await filled.finishUnfinished(RETRIES, full);
    expect(await state()).toMatchObject({ status: 'PENDING', large: 1 });
  }
  expect(await filled.finishUnfinished(RETRIES)).toBe(1);
  expect(await state()).toMatchObject({ status: 'SUCCESS', large: 0 });
});

test('a try that a stop cut short does not count', async () => {
  const { id } = wiki.dataSource;
  await large.takeOver(id, 'me');
  expect(await large.postpone(id, 'me', 0, false)).toBe(0);
  expect(await large.postpone(id, 'another', 0)).toBeNull();
  expect(await large.takeOver(id, 'me')).toMatchObject({ tries: 1 });
});

test('the service waits twice as long after each try, ten minutes at most', () => {
  const { most, pauseSeconds } = doublingRetries(10, 5);
  expect(most).toBe(5);
  expect([1, 2, 3, 4, 20].map(pauseSeconds)).toEqual([10, 20, 40, 80, 600]);
});

const never = (): never => {
  throw new Error('nothing was taken over');
};
