import * as E from 'fp-ts/Either';

import { parseSearchFilter, type SearchFilter } from '../../src/contract/filters/search-filter';

const spelled = (filter: SearchFilter | null): string => {
  if (filter === null) return 'everything';
  switch (filter.kind) {
    case 'condition':
      return [filter.property, filter.operator, JSON.stringify(filter.value)].join(' ');
    case 'not':
      return `not ${spelled(filter.part)}`;
    case 'and':
    case 'or':
      return `(${filter.parts.map(spelled).join(` ${filter.kind} `)})`;
  }
};

const read = (text: string): string => {
  const filter = parseSearchFilter(text);
  return E.isRight(filter) ? spelled(filter.right) : (filter.left.problems[0]?.message ?? '');
};

test.each([
  ['', 'everything'],
  ['name eq "ann"', 'name eq "ann"'],
  ['name eq ann', 'name eq "ann"'],
  [String.raw`name eq "a \"b\" \\ c"`, String.raw`name eq "a \"b\" \\ c"`],
  ['name eq "x) or y eq (1"', 'name eq "x) or y eq (1"'],
  ['level ge 3', 'level ge 3'],
  ['level lt -2.5e1', 'level lt -25'],
  ['level eq "3"', 'level eq "3"'],
  ['is_active eq True', 'is_active eq true'],
  ['email pr', 'email pr null'],
  ['since gt 2024-01-31T09:30:00Z', 'since gt "2024-01-31T09:30:00Z"'],
  ['a pr AND b pr Or c pr', '((a pr null and b pr null) or c pr null)'],
  ['a pr and (b pr or c pr)', '(a pr null and (b pr null or c pr null))'],
  ['not a pr and b pr', '(not a pr null and b pr null)'],
  ['not (a pr or not b pr)', 'not (a pr null or not b pr null)'],
  ['(((a pr)))', 'a pr null'],
])('%s is read', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  ['name', 'at character 5: one of eq, ne, co, sw, ew, gt, ge, lt, le, pr is expected'],
  ['name is "x"', 'at character 6: one of eq, ne, co, sw, ew, gt, ge, lt, le, pr is expected'],
  ['name eq', 'at character 8: a value is missing'],
  ['name eq )', 'at character 9: a value is missing'],
  ['name eq "x', 'at character 9: a quote is not closed'],
  ['(a pr', 'at character 6: ) is expected'],
  ['a pr)', 'at character 5: and, or, or the end of the filter is expected'],
  ['a pr b pr', 'at character 6: and, or, or the end of the filter is expected'],
  ['"a" eq 1', 'at character 1: the name of a property is expected'],
  ['and', 'at character 4: one of eq, ne, co, sw, ew, gt, ge, lt, le, pr is expected'],
  ['a pr and', 'at character 9: the name of a property is expected'],
  [`${'('.repeat(60)}a pr`, 'at character 52: there are more than 50 levels'],
  [`${'not '.repeat(60)}a pr`, 'at character 205: there are more than 50 levels'],
  [
    Array.from({ length: 51 }, () => 'a pr').join(' or '),
    'at character 401: there are more than 50 conditions',
  ],
  ['x'.repeat(4001), 'at character 4001: is longer than 4000'],
])('%s is refused with its place', (text, expected) => {
  expect(read(text)).toBe(expected);
});
