import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { csvOf } from '../../src/contract/csv';

const signs = ['=', '+', '-', '@', ';', ',', '\t', '\r', '\n', '"', "'", ' ', 'a', '1', '\uff1d'];
const texts = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((all) => all.join(''));

/** A formula, at the beginning of a cell that is quoted or not. More quotes are a text. */
const FORMULA = /^"{0,2}[=+\-@\uff1d]/;

test('no cell begins a formula, in whatever locale a spreadsheet reads the file', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), fc.boolean(), (cells, isList) => {
      const csv = csvOf([isList ? [cells, ...cells] : cells]);
      // With commas, quotes hold. Others see neither the commas nor the quotes.
      const [line = []] = parse(csv, { relax_column_count: true }) as readonly string[][];
      expect(line.filter((cell) => /^[=+\-@\t\r\uff1d]/.test(cell))).toEqual([]);
      for (const separator of [/[;\r\n]/, /[\t\r\n]/]) {
        expect(csv.split(separator).filter((cell) => FORMULA.test(cell))).toEqual([]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('other texts stay as they are', () => {
  const cells = ['a;b', 'a - b', 'x@y', 'a\tb', '1;2', 'a "b", c', ''];
  expect(parse(csvOf([cells]))).toEqual([cells]);
});
