import { NO_CHANGES } from '../../src/contract/answers/questions/access-changes';
import { ask } from '../../src/neo4j/ask';
import { accessMemory } from '../../src/questions/memory/access-memory';
import { accessMemoryOf } from '../../src/questions/in-context';
import { wikiOf } from '../questions/wiki';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let wiki: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());
beforeEach(async () => {
  wiki = await service.register('application');
});
afterEach(() => jest.restoreAllMocks());

interface Changed {
  readonly total: number;
  readonly counts: object;
  readonly truncated: boolean;
  readonly values: readonly object[];
  readonly created?: readonly string[];
}

interface Answer {
  readonly put: { readonly nodes: number };
  readonly access_changes: Changed | null;
  readonly push_id: string;
}

const send = async (verb: 'push' | 'plan', users: readonly string[]): Promise<Answer> => {
  const { path, ...ids } = wiki;
  const sent = { ...ids, json_data: wikiOf(users) };
  const answer = await service.post(path.replace(/:push$/, `:${verb}`), sent);
  expect([answer.status, answer.status === 200 ? null : answer.body]).toEqual([200, null]);
  return answer.body as Answer;
};

/** Who reaches the page, by the interface. */
const readers = async (): Promise<readonly string[]> => {
  const [page] = await ask(
    service.graph,
    "MATCH (n:Resource {name: 'page', data_source: $id}) RETURN n.key AS resource",
    { id: wiki.data_source_id },
  );
  const query = new URLSearchParams(page as Record<string, string>);
  const answer = await service.send('get', `/api/v1/access?${query.toString()}`);
  expect(answer.status).toBe(200);
  return (answer.body as { values: readonly { name: string }[] }).values.map(({ name }) => name);
};

const memory = () => accessMemoryOf(service.context);

test('what a plan says of access is what the push then changes, row by row', async () => {
  await send('push', ['ann', 'bob']);
  const { access_changes: planned } = await send('plan', ['bob', 'cleo', 'dan']);
  const { push_id: push } = await send('push', ['bob', 'cleo', 'dan']);
  const answer = await service.send('get', `/api/v1/access:changes?push=${push}&details=true`);
  const { total, counts, values } = answer.body as Omit<Changed, 'truncated'>;
  const rows = values.map((value) => ({ ...value, explain: undefined, causes: undefined }));
  expect({ total, counts, truncated: false, values: rows }).toEqual({
    ...planned,
    created: undefined,
    values: planned?.values.map((value) => ({ ...value, explain: undefined })),
  });
  expect(total).toBe(3);
  // What has no page before the push.
  const created = (planned?.created ?? []).map((id) => id.split('|').at(-1)).toSorted();
  expect(created).toEqual(['cleo', 'dan']);
  const { access_changes: again } = await send('plan', ['bob', 'cleo', 'dan']);
  expect(again).toEqual({ total: 0, truncated: false, counts: NO_CHANGES, values: [] });
});

// Issue 52: nothing that was not committed is ever shown.
test('questions during a plan, and after it, see nothing of what it computed', async () => {
  await send('push', ['ann']);
  await readers();
  const [nodes, relationships] = [memory().state().nodes, memory().state().relationships];
  const during: (readonly string[])[] = [];
  const { lend } = memory();
  const asks: Promise<void>[] = [];
  jest.spyOn(memory(), 'lend').mockImplementation(async () => {
    const lent = await lend();
    if (lent === null) return null;
    const release = (): void => {
      // The plan has compared, and has not answered.
      asks.push(readers().then((found) => void during.push(found)));
      lent.release();
    };
    return { ...lent, release };
  });
  const { access_changes: planned } = await send('plan', ['bob', 'cleo']);
  expect(planned?.total).toBe(3);
  await Promise.all(asks);
  expect([...during, await readers()]).toEqual([['ann'], ['ann']]);
  expect(memory().state()).toMatchObject({ nodes, relationships });
  expect(await memory().compare()).toEqual([]);
});

// Issue 52: a transaction that fails after its changes were computed.
test('a plan whose transaction ends after it got its copy leaves the copy to the next one', async () => {
  await send('push', ['ann']);
  const { lend } = memory();
  let failures = 0;
  jest.spyOn(memory(), 'lend').mockImplementation(async () => {
    const lent = await lend();
    failures += 1;
    if (failures === 1) {
      await ask(
        service.graph,
        `SHOW TRANSACTIONS YIELD transactionId AS id, currentQuery
         WHERE NOT currentQuery STARTS WITH 'SHOW' TERMINATE TRANSACTIONS id YIELD message
         RETURN message`,
      );
    }
    return lent;
  });
  const { path, ...ids } = wiki;
  const sent = { ...ids, json_data: wikiOf(['bob']) };
  const failed = await service.post(path.replace(/:push$/, ':plan'), sent);
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect((await send('plan', ['bob'])).access_changes?.total).toBe(2);
  expect(failures).toBe(2);
  expect(await readers()).toEqual(['ann']);
});

test('plans that come at once have one copy after the other', async () => {
  await send('push', ['ann']);
  const { lend } = memory();
  let [now, most] = [0, 0];
  jest.spyOn(memory(), 'lend').mockImplementation(async () => {
    const lent = await lend();
    if (lent === null) return null;
    now += 1;
    most = Math.max(most, now);
    const release = (): void => {
      now -= 1;
      lent.release();
    };
    return { ...lent, release };
  });
  const plans = await Promise.all(
    [['bob'], ['cleo', 'ann'], ['ann', 'dan', 'eve']].map((all) => send('plan', all)),
  );
  expect(plans.map(({ access_changes: planned }) => planned?.total)).toEqual([2, 1, 2]);
  expect([now, most]).toEqual([0, 1]);
});

test('a plan without a graph in memory, or memory for a copy, says everything else', async () => {
  await send('push', ['ann']);
  await readers();
  const { lend, state } = memory();
  const withBytes = (memoryBytes: number) =>
    accessMemory(service.graph, { memoryBytes, loadSeconds: 60, seconds: 30 });
  const [none, one] = [withBytes(1_000), withBytes(Math.ceil(state().bytes * 1.2))];
  const lends = [none.lend, one.lend, lend];
  const known: boolean[] = [];
  for (const how of lends) {
    jest.spyOn(memory(), 'lend').mockImplementation(how);
    const planned = await send('plan', ['ann', 'bob']);
    expect(planned.put.nodes).toBeGreaterThan(0);
    known.push(planned.access_changes !== null);
  }
  expect(known).toEqual([false, false, true]);
  await none.loaded();
  expect([none.state().phase, one.state().phase]).toEqual(['too large', 'ready']);
});

test('a plan whose copy fails is logged, and says everything else', async () => {
  jest.spyOn(memory(), 'lend').mockRejectedValue(new Error('Neo4j is away'));
  const planned = await send('plan', ['ann']);
  expect([planned.put.nodes > 0, planned.access_changes]).toEqual([true, null]);
  expect(service.logged.map(({ message }) => message)).toContain('a plan has no graph of access');
});
