import { parseJson } from '../../src/contract/json';

test('reads JSON', () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ _tag: 'Right', right: { a: [1, null] } });
});

test('reads what is nested deeper than any stack', () => {
  expect(parseJson('['.repeat(1e6) + ']'.repeat(1e6))._tag).toBe('Right');
});

test.each([
  ['', 'the text is not JSON: it ends too early'],
  // A stranger forgot it, and was told that a value is expected.
  [
    'H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==',
    'the text is not JSON: it begins like base64 of a gzip, which needs "compression_type": "GZIP"',
  ],
  ['{"a":', 'the text is not JSON: it ends too early'],
  [
    '{"a": 1,\n  b: 2}',
    'the text is not JSON: line 2, column 3: a name in double quotes is expected',
  ],
  [
    '[1,\n2 3]',
    'the text is not JSON: line 2, column 3: a "," or the end of the list or object is expected',
  ],
  ['{"secret": tru}', 'the text is not JSON: line 1, column 12: a value is expected'],
  [
    '{"a":\n  NaN}',
    'the text is not JSON: line 2, column 3: NaN is not JSON: write null, or leave the field out',
  ],
  [
    '[-Infinity]',
    'the text is not JSON: line 1, column 2: -Infinity is not JSON: write null, or leave the field out',
  ],
  ['{"a": True}', 'the text is not JSON: line 1, column 7: True is not JSON: write true'],
  ["{'a': 1}", 'the text is not JSON: line 1, column 2: write double quotes, not single ones'],
  ['{"a": 1,}', 'the text is not JSON: line 1, column 9: a comma is before it: remove the comma'],
  ['[1, ]', 'the text is not JSON: line 1, column 5: a comma is before it: remove the comma'],
  ['[1] // x', 'the text is not JSON: line 1, column 5: JSON has no comments'],
  ['["a\nb"]', 'the text is not JSON: line 1, column 2: this text does not end on its line'],
  [
    '["\\x"]',
    'the text is not JSON: line 1, column 2: this text or number is not written as JSON writes it',
  ],
])('says where %j stops being JSON, and repeats none of it', (text, message) => {
  expect(parseJson(text)).toEqual({
    _tag: 'Left',
    left: { problems: [{ pointer: '', code: 'NOT_JSON', message }], total: 1 },
  });
});

test('a fault far into a long text has no place: a scanner of it all would work for minutes', () => {
  const faultOf = (text: string): unknown => {
    const read = parseJson(text);
    return read._tag === 'Left' ? read.left.problems[0]?.message : null;
  };
  for (const text of [
    ' '.repeat(20_000_000),
    `["${'\\n'.repeat(3_000_000)}", NaN]`,
    `[${'1, '.repeat(2_000_000)}NaN]`,
  ]) {
    expect(faultOf(text)).toBe(
      'the text is not JSON: the fault is after its first 4000000 characters',
    );
  }
  expect(faultOf(`[NaN, ${'1, '.repeat(2_000_000)}1]`)).toMatch(
    /line 1, column 2: NaN is not JSON/,
  );
});
