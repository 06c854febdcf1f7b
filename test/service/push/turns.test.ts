import * as E from 'fp-ts/Either';

import { pushTurns } from '../../../src/service/threads/push-turns';

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
  const turns = pushTurns(2, 60);
  const begun: string[] = [];
  const [a1, a2, b, c] = [held(begun, 'a1'), held(begun, 'a2'), held(begun, 'b'), held(begun, 'c')];
  const answers = [
    turns.run('a', a1.push)(),
    turns.run('a', a2.push)(),
    turns.run('b', b.push)(),
    turns.run('c', c.push)(),
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
  const turns = pushTurns(1, 0.05);
  const begun: string[] = [];
  const first = held(begun, 'first');
  const answer = turns.run('a', first.push)();
  const never = held(begun, 'never');
  expect(await Promise.all([turns.run('a', never.push)(), turns.run('b', never.push)()])).toEqual([
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
  expect(await turns.run('a', next.push)()).toEqual(E.right('next'));
  expect(begun).toEqual(['first', 'next']);
});

test('a push that fails leaves its turn to the next one', async () => {
  const turns = pushTurns(1, 60);
  await expect(turns.run('a', () => Promise.reject(new Error('a bug')))()).rejects.toThrow('a bug');
  expect(await turns.run('a', () => Promise.resolve(E.right(1)))()).toEqual(E.right(1));
});
