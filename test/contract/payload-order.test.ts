import { mergeProblems, sortProblems } from '../../src/codec/payload-order';
import type { Problem } from '../../src/problem';

const at = (pointer: string, code: Problem['code'] = 'EMPTY'): Problem => ({
  pointer,
  code,
  message: '',
});
const payload = { b: [{ y: 1, x: { 'k/~': 1 } }, 2], a: {} };
const ordered = [
  '',
  '/b',
  '/b/0',
  '/b/0/y',
  '/b/0/x',
  '/b/0/x/k~1~0',
  '/b/0/z',
  '/b/1',
  '/b/10',
  '/a',
  '/c',
];

test('problems come in the order of the payload, what is missing last', () => {
  const shuffled = [...ordered]
    .sort()
    .reverse()
    .map((pointer) => at(pointer));
  expect(sortProblems(payload, shuffled).map(({ pointer }) => pointer)).toEqual(ordered);
});

test('a pointer and code come once', () => {
  const problems = [at('/a'), at('/a'), at('/a', 'TOO_LONG')];
  expect(sortProblems(payload, problems)).toEqual([at('/a'), at('/a', 'TOO_LONG')]);
});

test('lists of several checks become one, with the total of all', () => {
  const merged = mergeProblems(payload, [
    { problems: [at('/a')], total: 5 },
    { problems: [at('/b'), at('/a')], total: 2 },
  ]);
  expect(merged).toEqual({ problems: [at('/b'), at('/a')], total: 6 });
});

test('many problems in one large object are sorted in no time', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}`);
  const large = Object.fromEntries(keys.map((key) => [key, 0]));
  const problems = [...keys].reverse().map((key) => at(`/${key}`));
  expect(sortProblems(large, problems)[0]).toEqual(at('/k0'));
});
