import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { csvOf } from '../../src/contract/csv';

/** All characters of one code unit. */
const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
/** What nobody sees. */
const unseen = characters.filter((each) =>
  /[\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(each),
);
/** What some spreadsheets take for the sign of a formula. */
const alike = characters.filter((each) => /^[=+\-@\u2212]/.test(each.normalize('NFKC')));

const signs = ['=', '+', '-', '@', ';', ',', '\t', '\r', '\n', '"', "'", ' ', 'a', '1', '\uff1d'];
const piece = fc.oneof(fc.constantFrom(...signs), fc.constantFrom(...unseen, ...alike));
const texts = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));

/** A formula, at the beginning of a cell that is quoted or not, behind what nobody sees. */
const FORMULA = /^["\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\u2212]/u;
const isFormula = (cell: string): boolean => FORMULA.test(cell.normalize('NFKC'));

test('no cell begins a formula, in whatever locale a spreadsheet reads the file', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), fc.boolean(), (cells, isList) => {
      const csv = csvOf([isList ? [cells, ...cells] : cells]);
      // With commas, quotes hold. Others see neither the commas nor the quotes.
      const [line = []] = parse(csv, { relax_column_count: true }) as readonly string[][];
      expect(line.filter((cell) => isFormula(cell) || /^[\t\r]/.test(cell))).toEqual([]);
      for (const separator of [/[;\r\n]/, /[\t\r\n]/]) {
        expect(csv.split(separator).filter(isFormula)).toEqual([]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each(
  [...new Set([...unseen, ...alike])].map((each) => [each.charCodeAt(0).toString(16), each]),
)('U+%s hides no formula', (_, each) => {
  const cells = alike.includes(each) ? [`${each}1`] : [`${each}=1`, `${each.repeat(40)}=1`];
  const [line = []] = parse(csvOf([cells]), { relax_column_count: true }) as readonly string[][];
  expect(line.filter(isFormula)).toEqual([]);
});

test('a long text of blanks and separators is read at once', () => {
  const text = `${' '.repeat(1_000_000)}\n`.repeat(3) + '\n'.repeat(1_000_000);
  expect(csvOf([[text]]).length).toBe(text.length + 4);
});

test('other texts stay as they are', () => {
  const cells = ['a;b', 'a - b', 'x@y', 'a\tb', '1;2', ' a', '\u00a0', 'a\u200b=b', 'a "b", c', ''];
  expect(parse(csvOf([cells]))).toEqual([cells]);
});
