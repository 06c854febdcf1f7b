import fc from 'fast-check';

import { parseJson } from '../../src/contract/json';

const pointers = (text: string): readonly string[] => {
  const parsed = parseJson(text);
  return parsed._tag === 'Right'
    ? []
    : parsed.left.problems.map(({ pointer, code }) => `${pointer} ${code}`);
};

test.each<[string, readonly string[]]>([
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":1}', ['/a REPEATED_FIELD']],
  ['{"a":1,"\\u0061":2}', ['/a REPEATED_FIELD']],
  ['{"a":{"b":1},"c":{"b":1}}', []],
  ['[{"a":1},{"a":[0,{"x":1,"y~/":2,"y~/":":"}]}]', ['/1/a/1/y~0~1 REPEATED_FIELD']],
  ['{"__proto__":1,"__proto__":2}', ['/__proto__ REPEATED_FIELD']],
  ['{"a":":","b":"\\":{\\\\"}', []],
  ['{"a":1,"a":2,"a":3}', ['/a REPEATED_FIELD', '/a REPEATED_FIELD']],
  ['\uFEFF{"a":1}', []],
])('%j repeats %j', (text, expected) => {
  expect(pointers(text)).toEqual(expected);
});

test('any value that is written once is read as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(parseJson(text)).toEqual({ _tag: 'Right', right: JSON.parse(text) as unknown });
    }),
  );
});

test('of any object, a key that is written once more is found', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(objects, fc.nat(), (value, at) => {
      const keys = Object.keys(value);
      const again = keys[at % keys.length] as string;
      const text = JSON.stringify(value);
      const longer = `${text.slice(0, -1)},${JSON.stringify(again)}:0}`;
      expect(pointers(longer)).toHaveLength(1);
      expect(pointers(`[${text},[${longer}]]`)).toHaveLength(1);
    }),
  );
});

test('a hundred repetitions are listed, and all are counted', () => {
  const text = `{${'"a":1,'.repeat(500)}"b":1}`;
  expect(pointers(text)).toHaveLength(100);
  expect(parseJson(text)).toMatchObject({ left: { total: 499 } });
});
