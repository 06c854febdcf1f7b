import { setTimeout as sleep } from 'node:timers/promises';

import type { LocalNeo4j } from '../../src/embedded/server';
import { keepNeo4j } from '../../src/start/keep-neo4j';
import { memoryLog } from '../http/memory-log';

/** A Neo4j in name alone, whose end the test decides. */
interface Fake extends LocalNeo4j {
  readonly end: () => void;
  isStopped: boolean;
}

const fake = (): Fake => {
  let end = (): void => undefined;
  const exited = new Promise<void>((resolve) => {
    end = resolve;
  });
  const neo4j: Fake = {
    uri: 'bolt://127.0.0.1:1',
    httpAddress: 'http://127.0.0.1:2',
    user: 'neo4j',
    password: undefined,
    line: 'calendar',
    version: '0',
    resetCommand: '',
    exited,
    end,
    isStopped: false,
    stop: () => {
      neo4j.isStopped = true;
      end();
      return Promise.resolve();
    },
  };
  return neo4j;
};

const log = memoryLog([]);

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await sleep(20);
};

test('one that ends unasked is started again, one that is stopped is not', async () => {
  const started: Fake[] = [];
  const kept = await keepNeo4j(() => {
    started.push(fake());
    return Promise.resolve(started.at(-1) as Fake);
  }, log);
  expect(kept.first).toBe(started[0]);
  started[0]?.end();
  await until(() => started.length === 2);
  await kept.stop();
  expect(started).toHaveLength(2);
  expect(started[1]?.isStopped).toBe(true);
});

test('a start that fails is tried again', async () => {
  const first = fake();
  const second = fake();
  const starts = [
    () => Promise.resolve(first),
    () => Promise.reject(new Error('not yet')),
    () => Promise.resolve(second),
  ];
  const kept = await keepNeo4j(() => (starts.shift() as () => Promise<Fake>)(), log);
  first.end();
  await until(() => starts.length === 0);
  await kept.stop();
  expect(second.isStopped).toBe(true);
});

test('one that is being started when the stop comes is stopped too', async () => {
  const first = fake();
  const late = fake();
  let finish = (): void => undefined;
  const starts = [
    () => Promise.resolve(first),
    () =>
      new Promise<Fake>((resolve) => {
        finish = () => resolve(late);
      }),
  ];
  const kept = await keepNeo4j(() => (starts.shift() as () => Promise<Fake>)(), log);
  first.end();
  await until(() => starts.length === 0);
  const stopped = kept.stop();
  finish();
  await stopped;
  expect(late.isStopped).toBe(true);
});
