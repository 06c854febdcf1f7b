import { parseJson } from '../../src/contract/json';

test('reads JSON', () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ _tag: 'Right', right: { a: [1, null] } });
});

test('reads what is nested deeper than any stack', () => {
  expect(parseJson('['.repeat(1e6) + ']'.repeat(1e6))._tag).toBe('Right');
});

test.each([
  ['', 'the text is not JSON: it ends too early'],
  ['{"a":', 'the text is not JSON: it ends too early'],
  ['{"a": 1,\n  b: 2}', 'the text is not JSON: line 2, column 3'],
  ['[1,\n2 3]', 'the text is not JSON: line 2, column 3'],
  ['{"secret": tru}', 'the text is not JSON: unexpected "}"'],
])('says where %j stops being JSON, and repeats none of it', (text, message) => {
  expect(parseJson(text)).toEqual({
    _tag: 'Left',
    left: { problems: [{ pointer: '', code: 'NOT_JSON', message }], total: 1 },
  });
});
