import fc from 'fast-check';

import { lineAndColumn } from '../../src/json/place';
import { utf8Fault } from '../../src/json/utf8-fault';

const MEGABYTE = 1024 * 1024;

test.each<[string, Buffer, string]>([
  ['Latin-1', Buffer.from('{\n  "name": "Renée"\n}', 'latin1'), 'line 2, column 15'],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'it is UTF-16: save it as UTF-8'],
  [
    'UTF-16, high bytes first',
    Buffer.from([0xfe, 0xff, 0, 0x7b]),
    'it is UTF-16: save it as UTF-8',
  ],
  ['a gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'it is a gzip: uncompress it'],
  [
    'a spreadsheet',
    Buffer.from([0x50, 0x4b, 3, 4, 0xff]),
    'it is a zip file or a spreadsheet: save it as CSV or JSON',
  ],
  ['half a character', Buffer.from('😀é€😀').subarray(0, -1), 'line 1, column 5'],
  ['nothing but the middle of characters', Buffer.alloc(2 * MEGABYTE, 0x80), 'line 1, column 1'],
  [
    'a fault far into a large text',
    Buffer.concat([Buffer.from('é\n'.repeat(MEGABYTE)), Buffer.from([0x61, 0xff])]),
    'line 1048577, column 2',
  ],
])('says where %s stops being UTF-8', (_what, bytes, fault) => {
  expect(utf8Fault(bytes)).toBe(fault);
});

const LATIN_E = 0xe9;

test('a text that a byte spoils stops being UTF-8 at that byte, counted as errors of JSON count', () => {
  const texts = fc.array(fc.constantFrom('a', 'é', '€', '😀', '\n', '\r', '\r\n', '\uFEFF'));
  fc.assert(
    fc.property(fc.boolean(), texts, (hasMark, characters) => {
      const before = characters.join('');
      const text = `${hasMark ? '\uFEFF' : ''}${before}`;
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from([LATIN_E, 0x22])]);
      const read = text.startsWith('\uFEFF') ? text.slice(1) : text;
      const { line, column } = lineAndColumn(`${read}"`, read.length);
      expect(utf8Fault(bytes)).toBe(`line ${line}, column ${column}`);
    }),
  );
});
