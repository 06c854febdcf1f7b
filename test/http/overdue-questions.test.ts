/** @more bounds */

import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import supertest from 'supertest';

import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { limitsMemory } from '../../src/questions/cypher/memory-limit';
import { createApp } from '../../src/start/app';
import { eventWriterOf } from '../../src/graph/records/event-record';
import { queryWriterOf } from '../../src/questions/in-context';
import { overdueEvent } from '../../src/web/events';
import { idle } from '../support/idle-app';
import { testConfig } from '../support/test-config';
import { testNeo4j } from '../support/neo4j';
import { type LoggedLine, memoryLog } from './memory-log';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/** An interface whose queries are given up, while Neo4j works on until `end` is called. */
const givingUp = (isOverdue: boolean) => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const logged: LoggedLine[] = [];
  const told: string[] = [];
  const limits = { keyBodies: 9, questionsAtOnce: 1, questionsOfKey: 1, questionWaitSeconds: 0.01 };
  const deps = idle({ limits: { ...testConfig().limits, ...limits } }, memoryLog(logged), {
    replace: (context) => {
      queryWriterOf.replace(
        context,
        () =>
          async function* () {
            yield await Promise.resolve(
              E.left({
                _tag: 'Unavailable' as const,
                message: 'given up',
                stillRunning: { transaction: 'question-1', isOverdue, ended },
              }),
            );
          },
      );
      eventWriterOf.replace(context, () => ({ metadata }) => {
        told.push(String(metadata?.transaction));
        return TE.right(undefined);
      });
    },
  });
  const { metrics } = deps.context;
  const app = createApp({ ...deps, apiKey: API_KEY });
  const ask = () =>
    supertest(app)
      .post('/api/v1/query')
      .set('authorization', `Bearer ${API_KEY}`)
      .send({ cypher: 'RETURN 1' });
  const overdue = async (): Promise<string | undefined> =>
    /^grantgraph_overdue_questions (\d+)$/m.exec(await metrics.text())?.[1];
  const warned = (): readonly LoggedLine[] =>
    logged.filter(({ message }) => message === 'Neo4j has not ended a query after its limit');
  return { ask, end, ended, told, overdue, warned };
};

test('a question that Neo4j has not ended is reported by event, metric and log, and keeps its turn', async () => {
  const { ask, end, ended, told, overdue, warned } = givingUp(true);
  expect((await ask()).status).toBe(503);
  expect([told, await overdue()]).toEqual([['question-1'], '1']);
  expect(warned()).toMatchObject([{ transaction: 'question-1' }]);
  // The only turn of the key.
  expect((await ask()).status).toBe(429);
  end();
  await ended;
  expect(await overdue()).toBe('0');
  expect((await ask()).status).toBe(503);
});

test('a question whose client left keeps its turn, and is no event', async () => {
  const { ask, end, ended, told, overdue, warned } = givingUp(false);
  expect((await ask()).status).toBe(503);
  expect([told, await overdue(), warned()]).toEqual([[], '0', []]);
  expect((await ask()).status).toBe(429);
  end();
  await ended;
  expect((await ask()).status).toBe(503);
});

describe('on Neo4j', () => {
  let service: ServiceUnderTest;
  let graph: Graph;
  beforeAll(async () => {
    service = await serviceUnderTest();
    graph = openGraph(testNeo4j());
  });
  afterAll(async () => {
    await service.close();
    await closeGraph(graph);
  });

  test('the event names the transaction and the key', async () => {
    const by = { keyId: 'k1', name: 'Analyst', address: null };
    const at = new Date().toISOString();
    const event = overdueEvent({ at, by, requestId: 'r1' }, 'question-2');
    const told = await eventWriterOf(service.context)(event)();
    expect(told).toEqual(E.right(undefined));
    const events = await service.send('get', '/api/v1/events');
    const { values: all } = events.body as {
      readonly values: readonly { readonly event_type: string }[];
    };
    const values = all.filter(({ event_type }) => event_type === 'QUESTION_OVERDUE');
    expect(values).toHaveLength(1);
    expect(JSON.stringify(values[0])).toContain('question-2');
    expect(JSON.stringify(values[0])).toContain('Analyst');
  });

  test('whether Neo4j limits the memory of a transaction is what its settings say', async () => {
    const { records } = await graph.driver.executeQuery(
      "SHOW SETTINGS YIELD name, value WHERE name = 'db.memory.transaction.max' RETURN value",
    );
    const isUnlimited = /^0(\.00)?B?$/i.test(String(records[0]?.get('value')));
    expect(await limitsMemory(graph)).toBe(!isUnlimited);
  });
});
