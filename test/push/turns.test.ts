import * as E from 'fp-ts/Either';

import type { Failure } from '../../src/problem';
import { dryRunTurns, pushTurns } from '../../src/push/threads/push-turns';
import { Turns } from '../../src/web/admission/turns';

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

/** The only push of a key and to a data source: both have this name. */
const of = (name: string) => ({ key: name, dataSource: name });

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('pushes to one data source run one after the other, to others meanwhile, as many as may', async () => {
  const turns = pushTurns(2, 60);
  const begun: string[] = [];
  const [a1, a2, b, c] = [held(begun, 'a1'), held(begun, 'a2'), held(begun, 'b'), held(begun, 'c')];
  const answers = [
    turns.run(of('a'), a1.push)(),
    turns.run(of('a'), a2.push)(),
    turns.run(of('b'), b.push)(),
    turns.run(of('c'), c.push)(),
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
  const answer = turns.run(of('a'), first.push)();
  const never = held(begun, 'never');
  expect(
    await Promise.all([turns.run(of('a'), never.push)(), turns.run(of('b'), never.push)()]),
  ).toEqual([
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
  expect(await turns.run(of('a'), next.push)()).toEqual(E.right('next'));
  expect(begun).toEqual(['first', 'next']);
});

test('a push that fails leaves its turn to the next one', async () => {
  const turns = pushTurns(1, 60);
  await expect(turns.run(of('a'), () => Promise.reject(new Error('a bug')))()).rejects.toThrow(
    'a bug',
  );
  expect(await turns.run(of('a'), () => Promise.resolve(E.right(1)))()).toEqual(E.right(1));
});

test('one key takes half of the turns, however many data sources it makes; others have theirs at once', async () => {
  const turns = pushTurns(4, 60);
  const begun: string[] = [];
  const run = (key: string, dataSource: string) => {
    const push = held(begun, `${key} ${dataSource}`);
    return { end: push.end, answer: turns.run({ key, dataSource }, push.push)() };
  };
  const greedy = ['1', '2', '3', '4', '5'].map((dataSource) => run('greedy', dataSource));
  const other = run('other', '6');
  await settled();
  expect(begun).toEqual(['greedy 1', 'greedy 2', 'other 6']);
  [...greedy, other].forEach(({ end }) => end());
  await Promise.all([...greedy, other].map(({ answer }) => answer));
  expect(begun.slice(3)).toEqual(['greedy 3', 'greedy 4', 'greedy 5']);
});

test('keys that wait take turns, whoever sent more or came first', async () => {
  const turns = pushTurns(1, 60);
  const begun: string[] = [];
  const pushes = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => {
    const { push, end } = held(begun, name);
    end();
    return turns.run({ key: name.slice(0, 1), dataSource: name }, push)();
  });
  await Promise.all(pushes);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('who frees a data source and a share of a key lets both go on', async () => {
  const turns = pushTurns(3, 60);
  const begun: string[] = [];
  const run = (key: string, dataSource: string) => {
    const push = held(begun, `${key}${dataSource}`);
    return { end: push.end, answer: turns.run({ key, dataSource }, push.push)() };
  };
  const [a1, a2, a3, b1] = [run('a', '1'), run('a', '2'), run('a', '3'), run('b', '1')];
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  a1.end();
  await a1.answer;
  await settled();
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
  [a2, a3, b1].forEach(({ end }) => end());
  await Promise.all([a2.answer, a3.answer, b1.answer]);
});

test('one key takes half of the places to wait; who finds none is told at once', async () => {
  const [full, keyFull] = (['full', 'key full'] as const).map((message) => ({
    _tag: 'Exhausted' as const,
    message,
  })) as [Failure, Failure];
  const turns = new Turns({ atOnce: 1, ofKey: 1, places: { most: 3, full, keyFull } });
  const begun: string[] = [];
  const pushes = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => ({
    name,
    ...held(begun, name),
  }));
  const answers = pushes.map(({ name, push }) => turns.run({ key: name.slice(0, 1) }, push)());
  expect([turns.count, turns.waitingCount]).toEqual([1, 3]);
  pushes.forEach(({ end }) => end());
  expect(await Promise.all(answers)).toEqual([
    ...['a1', 'a2', 'a3'].map((name) => E.right(name)),
    E.left(keyFull),
    E.right('b1'),
    E.left(full),
  ]);
});

test('plans and verifications of one key run one after the other, those of others beside them', async () => {
  const turns = dryRunTurns(16, 60);
  const begun: string[] = [];
  const [a1, a2, b] = [held(begun, 'a1'), held(begun, 'a2'), held(begun, 'b')];
  const answers = [
    turns.run({ key: 'a', dataSource: '1' }, a1.push)(),
    turns.run({ key: 'a', dataSource: '2' }, a2.push)(),
    turns.run({ key: 'b' }, b.push)(),
  ];
  await settled();
  expect(begun).toEqual(['a1', 'b']);
  a1.end();
  await settled();
  expect(begun).toEqual(['a1', 'b', 'a2']);
  a2.end();
  b.end();
  expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'b'].map((name) => E.right(name)));
});
