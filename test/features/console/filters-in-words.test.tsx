import { renderToString } from 'preact-render-to-string';

import {
  byAnyType,
  byMarks,
  byTypes,
  type Filters,
  OnlyWhere,
} from '../../../src/features/console/tables/narrowing';

const textOf = (filters: Filters): string =>
  renderToString(<OnlyWhere filters={filters} />)
    .replaceAll(/<[^>]+>/g, '')
    .trim();

// Whether values were types depended on the last word of the name of their filter.
test('values of types are said in words, whatever their filter is called', () => {
  for (const name of ['type', 'one of the types', 'kind of permission']) {
    expect(textOf([byTypes(['DataWrite', 'DataRead'], name)])).toBe(
      `Only this counts here: ${name} write, read.`,
    );
  }
  expect(textOf([{ name: 'type', values: ['DataWrite'] }])).toContain('type DataWrite');
});

test('each filter that is set has its name once, and marks need none', () => {
  const filters = [
    { name: 'application', values: [''] },
    { name: 'permission', values: ['Push'] },
    byAnyType(['DataWrite', 'DataRead']),
    byMarks(['direct', 'guest']),
  ];
  expect(textOf(filters)).toBe(
    'Only this counts here: permission Push, one of the types write, read, not through a group, guests.',
  );
  expect(textOf([byAnyType(['DataRead'])])).toBe('Only this counts here: type read.');
  expect(textOf([byAnyType([]), byMarks([])])).toBe('');
});
