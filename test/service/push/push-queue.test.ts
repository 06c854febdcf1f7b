import * as E from 'fp-ts/Either';

import { pushQueue } from '../../../src/service/threads/push-queue';

/** A push that runs until it is told to end, and tells that it has begun. */
const held = (begun: string[], name: string) => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const push = async () => {
    begun.push(name);
    await ended;
    return E.right(name);
  };
  return { push, end: () => end() };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('pushes to one data source run one after the other, to others meanwhile, as many as may', async () => {
  const queue = pushQueue(2, 60);
  const begun: string[] = [];
  const [a1, a2, b, c] = [held(begun, 'a1'), held(begun, 'a2'), held(begun, 'b'), held(begun, 'c')];
  const answers = [
    queue.run('a', a1.push)(),
    queue.run('a', a2.push)(),
    queue.run('b', b.push)(),
    queue.run('c', c.push)(),
  ];
  await settled();
  expect(begun).toEqual(['a1', 'b']);
  b.end();
  await settled();
  expect(begun).toEqual(['a1', 'b', 'c']);
  a1.end();
  await settled();
  expect(begun).toEqual(['a1', 'b', 'c', 'a2']);
  a2.end();
  c.end();
  expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'b', 'c'].map((name) => E.right(name)));
});

test('who waits too long is told whether its data source or the service is busy, and the next one has its turn', async () => {
  const queue = pushQueue(1, 0.05);
  const begun: string[] = [];
  const first = held(begun, 'first');
  const answer = queue.run('a', first.push)();
  const never = held(begun, 'never');
  expect(await Promise.all([queue.run('a', never.push)(), queue.run('b', never.push)()])).toEqual([
    E.left({
      _tag: 'Conflict',
      message: 'Another push to this data source is running; try again later.',
    }),
    E.left({ _tag: 'Exhausted', message: 'Too many pushes are running; try again later.' }),
  ]);
  first.end();
  await answer;
  const next = held(begun, 'next');
  next.end();
  expect(await queue.run('a', next.push)()).toEqual(E.right('next'));
  expect(begun).toEqual(['first', 'next']);
});

test('a push that fails leaves its turn to the next one', async () => {
  const queue = pushQueue(1, 60);
  await expect(queue.run('a', () => Promise.reject(new Error('a bug')))()).rejects.toThrow('a bug');
  expect(await queue.run('a', () => Promise.resolve(E.right(1)))()).toEqual(E.right(1));
});
