import * as E from 'fp-ts/Either';

import { filtered, parseFilter } from '../../src/contract/filter';

const records = [
  { id: '1', name: 'CRM', state: 'ENABLED', application_types: ['crm'] },
  { id: '2', name: 'crm', state: 'DELETING', application_types: [] },
  { id: '3', name: 'a "quoted" name', state: 'ENABLED', application_types: [] },
  { id: '4', name: 'x" and state eq "y', state: 'ENABLED', application_types: [] },
  { id: '5', name: 'Straße = (1:2)', state: 'ENABLED', application_types: ['wiki', 'CRM'] },
];
const FIELDS = ['id', 'name', 'state', 'application_types'];

const idsOf = (text: string): string | readonly string[] => {
  const filter = parseFilter(text, FIELDS);
  if (E.isLeft(filter)) return filter.left.problems[0]?.message ?? '';
  return filtered(records, filter.right).map(({ id }) => id);
};

test.each([
  ['nothing', '', ['1', '2', '3', '4', '5']],
  ['a name exactly', 'name eq "CRM"', ['1']],
  ['a name in another case, where none fits exactly', 'name eq "Crm"', ['1', '2']],
  ['quotes in a name, not escaped', 'name eq "a "quoted" name"', ['3']],
  ['a name that reads like a filter', 'name eq "x" and state eq "y"', ['4']],
  ['a name with signs', 'name eq "Straße = (1:2)"', ['5']],
  ['words in another case', 'Name EQ "CRM"', ['1']],
  ['two conditions', 'name eq "crm" and state eq "DELETING"', ['2']],
  ['two conditions, one without quotes', 'state eq ENABLED and id ge "4"', ['4', '5']],
  ['one of a list', 'application_types eq "wiki"', ['5']],
  ['other than', 'state ne "ENABLED"', ['2']],
  ['a part of a name', 'name co "quoted"', ['3']],
  ['the start of a name', 'name sw "x"', ['4']],
  ['nobody', 'name eq "nobody"', []],
  ['an unknown field', 'toString eq "x"', 'can filter only by id, name, state, application_types'],
  ['no comparison', 'name', 'must be like: name eq "a name"'],
  ['an open quote', 'name eq "x', 'must be like: name eq "a name"'],
])('a filter for %s', (_what, text, expected) => {
  expect(idsOf(text)).toEqual(expected);
});

test('a text that is too long is refused', () => {
  expect(idsOf(`name eq "${'x'.repeat(4_000)}"`)).toBe('must not be longer than 4000 characters');
});

test('a filter has at most 20 comparisons', () => {
  const filter = (comparisons: number): string =>
    Array.from({ length: comparisons }, (_, at) => `name co "${at}"`).join(' and ');
  expect(idsOf(filter(20))).toEqual([]);
  expect(idsOf(filter(21))).toBe('may have at most 20 comparisons');
});

test.each([
  ['spaces', (size: number) => `name eq "x"${' '.repeat(size)}y`],
  ['spaces before and', (size: number) => `name eq${' '.repeat(size)}and"`],
  ['many ands', (size: number) => 'and '.repeat(size / 4)],
  ['a long word', (size: number) => 'a'.repeat(size)],
  ['many quotes', (size: number) => `name eq ${'"'.repeat(size)} x`],
])('no pattern takes longer than the text is: %s', (_what, make) => {
  // Backtracking makes a text of this length take seconds; nothing is timed, the test merely ends.
  const text = make(3_900);
  for (let time = 0; time < 200; time += 1) expect(E.isLeft(parseFilter(text, FIELDS))).toBe(true);
});
