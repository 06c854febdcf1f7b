import * as E from 'fp-ts/Either';
import fc from 'fast-check';

import { parameterValue, typeOf } from '../../src/kit/values';
import { savedQueries } from '../../src/kit/saved-queries';

const of = (example: string, doc = 'what it is', name = 'p') => ({ name, example, doc });

const PARAMETERS = {
  who: of('COLLECT { MATCH (n) RETURN n.key }[0]', 'the key'),
  time: of('datetime()'),
  span: of("duration('P7D')"),
  days: of('90'),
  names: of('null', 'the names; null: all'),
  text: of("'Ann'"),
  type: of("'DataWrite'", 'the type; null: all'),
};

test.each<[keyof typeof PARAMETERS, unknown, unknown]>([
  ['who', 's|IdpUser|ann', 's|IdpUser|ann'],
  ['time', '2026-03-01T00:00:00Z', { datetime: '2026-03-01T00:00:00Z' }],
  ['span', 'P7D', { duration: 'P7D' }],
  ['days', 0, 0],
  ['names', ['Push'], ['Push']],
  ['names', undefined, null],
  ['type', null, null],
  ['text', 'Ann', 'Ann'],
])('the parameter %s may be %j', (name, given, read) => {
  expect(parameterValue(PARAMETERS[name], given)).toEqual(E.right(read));
});

test.each<[keyof typeof PARAMETERS, unknown, string]>([
  ['who', undefined, 'a text of 1 to 1000'],
  ['who', { map: {} }, 'a text'],
  ['who', ['a'], 'a text'],
  ['text', '', 'a text of 1 to'],
  ['text', 'x'.repeat(1_001), 'a text'],
  ['time', 'yesterday', 'a time like'],
  ['time', { datetime: '2026-03-01T00:00:00Z' }, 'a time like'],
  ['span', 'seven days', 'a duration like'],
  ['days', 1.5, 'a whole number'],
  ['days', 1e18, 'a whole number'],
  ['days', '90', 'a whole number'],
  ['names', Array(101).fill('a'), 'a list of at most 100'],
  ['names', [['a']], 'a list'],
  ['names', 'Push', 'a list'],
])('the parameter %s may not be %j', (name, given, expected) => {
  expect(parameterValue(PARAMETERS[name], given)).toEqual(
    E.left(expect.stringContaining(expected)),
  );
});

test('whatever is sent, a parameter of a saved query is small and of its own type', () => {
  const parameters = savedQueries().flatMap((saved) => saved.parameters);
  fc.assert(
    fc.property(fc.constantFrom(...parameters), fc.anything(), (parameter, given) => {
      const read = parameterValue(parameter, given);
      if (E.isLeft(read)) return;
      expect(JSON.stringify(read.right).length).toBeLessThan(200_000);
      const type = typeOf(parameter);
      if (type === 'number') expect(Math.abs(Number(read.right))).toBeLessThanOrEqual(1e9);
    }),
  );
});
