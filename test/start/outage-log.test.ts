import * as E from 'fp-ts/Either';

import { outageLog } from '../../src/start/outage-log';
import { type LoggedLine, memoryLog } from '../http/memory-log';

const AWAY = E.left({
  _tag: 'Unavailable' as const,
  message: 'The graph database does not answer.',
});

/** A Neo4j that is back after so many looks, each of which takes some seconds of a clock of its own. */
const away = (looks: number, secondsOfLook: number) => {
  const lines: LoggedLine[] = [];
  let clock = 1_000;
  let looked = 0;
  let back = (): void => undefined;
  const isBack = new Promise<void>((resolve) => (back = resolve));
  const log = memoryLog(lines);
  const outages = outageLog(
    {
      ...log,
      info: (...line) => {
        log.info(...line);
        back();
      },
    },
    () => {
      looked += 1;
      clock += secondsOfLook;
      return Promise.resolve(looked < looks ? AWAY : E.right(undefined));
    },
    { lookSeconds: 0, tellSeconds: 60 },
    () => clock,
  );
  return { lines, outages, isBack, looked: () => looked };
};

const LOST = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ServiceUnavailable' });

test('an outage is one line when it begins, one a minute, and one when it ends', async () => {
  const { lines, outages, isBack } = away(7, 20);
  for (let time = 0; time < 100; time += 1) outages.noticed(LOST);
  await isBack;
  expect(lines).toEqual([
    {
      level: 'error',
      message: 'Neo4j does not answer; requests that need it are answered 503 until it does',
      error_code: 'ServiceUnavailable',
      error_message: 'connect ECONNREFUSED',
    },
    { level: 'warn', message: 'Neo4j still does not answer', seconds: 60 },
    { level: 'warn', message: 'Neo4j still does not answer', seconds: 120 },
    { level: 'info', message: 'Neo4j answers again', seconds: 140 },
  ]);
  await outages.stop();
});

test('the next outage is told as the first one was', async () => {
  const { lines, outages, isBack } = away(1, 5);
  outages.noticed(LOST);
  await isBack;
  await new Promise(setImmediate);
  outages.noticed(LOST);
  await outages.stop();
  expect(lines.filter(({ level }) => level === 'error').length).toBe(2);
});

test('a service that stops looks no more and tells of no outage', async () => {
  const { lines, outages, looked } = away(Infinity, 1);
  outages.noticed(LOST);
  await outages.stop();
  const before = looked();
  await new Promise(setImmediate);
  outages.noticed(LOST);
  expect(looked()).toBe(before);
  expect(lines.map(({ level }) => level)).toEqual(['error']);
});
