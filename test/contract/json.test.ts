import { parseJson, parsePayload } from '../../src/contract/json';

test('reads JSON', () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ _tag: 'Right', right: { a: [1, null] } });
});

test('reads what is nested deeper than any stack', () => {
  expect(parseJson('['.repeat(1e6) + ']'.repeat(1e6))._tag).toBe('Right');
});

const OF_OBJECT = 'the "}" of the object that begins on line';

test.each([
  ['', 'line 1, column 1: it is empty'],
  // A stranger forgot it, and was told that a value is expected.
  [
    'H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==',
    'it begins like base64 of a gzip, which needs "compression_type": "GZIP"',
  ],
  ['{"a":', 'line 1, column 6: it ends too early: the object that begins on line 1 has no end'],
  [
    '[\n  {"a": "b',
    'line 2, column 11: it ends too early: the text that begins on line 2 has no end',
  ],
  ['{"a": 1,\n  b: 2}', 'line 2, column 3: a name in double quotes is expected'],
  ['[1,\n2 3]', 'line 2, column 3: a "," or the "]" of the list that begins on line 1 is expected'],
  ['{\r\n"a": 1\r\n"b": 2}', `line 3, column 1: a "," or ${OF_OBJECT} 1 is expected`],
  ['[\n{"a": 1\n]', `line 3, column 1: a "," or ${OF_OBJECT} 2 is expected`],
  ['{"a" 1}', 'line 1, column 6: a ":" is expected'],
  ['[1] []', 'line 1, column 5: nothing more is expected'],
  ['{"secret": tru}', 'line 1, column 12: a value is expected'],
  ['{"a":\n  NaN}', 'line 2, column 3: NaN is not JSON: write null, or leave the field out'],
  ['[-Infinity]', 'line 1, column 2: -Infinity is not JSON: write null, or leave the field out'],
  ['{"a": True}', 'line 1, column 7: True is not JSON: write true'],
  ["{'a': 1}", 'line 1, column 2: write double quotes, not single ones'],
  ['{“a”: 1}', 'line 1, column 2: write straight double quotes, not curly ones'],
  ['{"a":\u00a01}', 'line 1, column 6: JSON does not allow this blank: write a usual one'],
  ['{"a": 1,}', 'line 1, column 9: a comma is before it: remove the comma'],
  ['[1, ]', 'line 1, column 5: a comma is before it: remove the comma'],
  ['[1] // x', 'line 1, column 5: JSON has no comments'],
  ['[01]', 'line 1, column 2: this number is not written as JSON writes it'],
  ['["a\nb"]', 'line 1, column 2: this text does not end on its line'],
  ['["a\tb"]', 'line 1, column 4: within a text a tab is written as \\t'],
  ['["C:\\x"]', 'line 1, column 5: JSON has no such escape: write \\\\ for a backslash'],
  [
    '{\0"\0a\0"\0',
    'line 1, column 2: a zero byte is here: the text looks like UTF-16, and must be UTF-8',
  ],
  ['\ufeff\ufeff{}', 'line 1, column 1: a byte order mark may only be at the start'],
  [
    '\ufeff[1 2]',
    'line 1, column 4: a "," or the "]" of the list that begins on line 1 is expected',
  ],
])('says where %j stops being JSON, and repeats none of it', (text, fault) => {
  const message = `the text is not JSON: ${fault}`;
  expect(parseJson(text)).toEqual({
    _tag: 'Left',
    left: { problems: [{ pointer: '', code: 'NOT_JSON', message }], total: 1 },
  });
});

const nearOf = (text: string): string | undefined => {
  const read = parsePayload(text);
  return read._tag === 'Left' ? read.left.problems[0]?.near : undefined;
};

test('a payload that is not JSON shows the text around the place, as one line', () => {
  expect(nearOf('{\n\t"a": 1\n\n\t"b": 2\n}')).toBe('{ "a": 1 ‹here›"b": 2 }');
  expect(nearOf('[1, 2')).toBe('[1, 2‹here›');
});

test('of a long text it shows some characters, and cuts none in two', () => {
  const list = (count: number): string => JSON.stringify(Array(count).fill('😀'));
  const near = nearOf(`${list(5_000).slice(0, -1)} ${list(5_000)}`) ?? '';
  expect(near).toMatch(/^….*"😀" ‹here›\["😀".*…$/u);
  expect(near.isWellFormed()).toBe(true);
  expect(near.length).toBeLessThan(100);
});

test('the place of a missing comma in a file of 30,000 lines', () => {
  const users = Array.from({ length: 7_500 }, (_, at) => ({
    name: `u${at}`,
    email: `u${at}@x.org`,
  }));
  const lines = JSON.stringify({ users }, null, 2).split('\n');
  const line = lines.findIndex((each) => each.includes('"u7000"'));
  lines[line] = lines[line]?.replace(',', '') ?? '';
  const read = parsePayload(lines.join('\n'));
  expect(lines.length).toBeGreaterThan(30_000);
  expect(read).toMatchObject({
    left: {
      problems: [
        {
          message: `the text is not JSON: line ${line + 2}, column 7: a "," or the "}" of the object that begins on line ${line} is expected`,
          near: expect.stringContaining('"name": "u7000" ‹here›"email": "u7000@x.org"') as unknown,
        },
      ],
    },
  });
});
