import * as E from 'fp-ts/Either';

import type { AnyCodec } from '../../src/codec/codec';
import { Walk } from '../../src/codec/codec';
import { exact, has, mapOf, may, nullable, oneOf } from '../../src/codec/exact';
import { ProblemCollector } from '../../src/codec/problem-collector';
import { flag, number } from '../../src/codec/scalars';
import { anyText } from '../../src/codec/text';
import { SchemaWriter } from '../../src/contract/json-schema';

const Named = exact('named', {
  name: has(anyText, 'Its name.'),
  size: has(nullable(number), 'Its size; null if it has none.'),
  isNew: may(flag, 'Whether it is new.'),
});

const faults = (codec: AnyCodec, value: unknown): readonly string[] => {
  const collector = new ProblemCollector();
  codec.explain(value, new Walk(collector));
  const told = collector.list().problems.map(({ pointer, code }) => `${code} ${pointer}`);
  // The guard and the explanation must never disagree.
  const isGood = told.length === 0;
  expect([codec.is(value), E.isRight(codec.decode(value))]).toEqual([isGood, isGood]);
  return told;
};

test.each([
  [{ name: 'a', size: 1, isNew: true }, []],
  [{ name: 'a', size: null }, []],
  [{ name: 'a' }, ['MISSING_FIELD /size']],
  [{ name: null, size: 1 }, ['WRONG_TYPE /name']],
  [{ name: 'a', size: 1, isNew: null }, ['WRONG_TYPE /isNew']],
  [{ Name: 'a', size: 1 }, ['MISSING_FIELD /name', 'UNKNOWN_FIELD /Name']],
  [{ name: 'a', size: 1, colour: 'red' }, ['UNKNOWN_FIELD /colour']],
  [[], ['WRONG_TYPE ']],
  [null, ['WRONG_TYPE ']],
])('an exact object takes its fields and nothing else: %j', (value, expected) => {
  expect(faults(Named, value)).toEqual(expected);
});

test.each([
  [{}, []],
  [{ a: 1, b: 2 }, []],
  [{ a: 1, b: 'x' }, ['WRONG_TYPE /b']],
  ['x', ['WRONG_TYPE ']],
])('a map takes any keys, and values of one codec: %j', (value, expected) => {
  expect(faults(mapOf('sizes', number), value)).toEqual(expected);
});

test('of several codecs, the one that comes nearest tells what is wrong', () => {
  const Sized = exact('sized', { size: has(number, 'Its size.') });
  const either = oneOf('either', Sized, Named);
  expect(faults(either, { size: 1 })).toEqual([]);
  expect(faults(either, { name: 'a', size: null })).toEqual([]);
  expect(faults(either, { size: 'x' })).toEqual(['WRONG_TYPE /size']);
  expect(faults(either, { name: 'a', size: 'x' })).toEqual(['WRONG_TYPE /size']);
});

test('their schema tells the sentences of the fields', () => {
  const writer = new SchemaWriter();
  expect(writer.of(Named)).toEqual({ $ref: '#/$defs/named' });
  expect(writer.definitions).toEqual({
    named: {
      title: 'named',
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name.' },
        size: {
          anyOf: [{ type: 'number' }, { type: 'null' }],
          description: 'Its size; null if it has none.',
        },
        isNew: { type: 'boolean', description: 'Whether it is new.' },
      },
      required: ['name', 'size'],
    },
  });
});
