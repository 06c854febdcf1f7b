import { readFileSync } from 'node:fs';

import { records } from '../src/features';
import { ALL_CONSTANTS, ALL_SETTINGS } from '../src/settings/settings';

const [, table = ''] =
  /\*\*What is stored, and how much of it\.\*\*(.*?)\nTest: /s.exec(
    readFileSync('docs/security.md', 'utf8'),
  ) ?? [];
const words = [...table.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

test('docs/security.md says of each kind of record how much of it there may be', () => {
  const labels = records.map(({ label }) => label);
  expect(labels.filter((label) => !words.includes(label))).toEqual([]);
  const kinds = words.filter((word) => /[a-z]/.test(word) && /^[A-Z]/.test(word));
  expect(kinds.filter((kind) => !labels.includes(kind))).toEqual([]);
  expect(new Set(kinds).size).toBe(kinds.length);
});

test('the quotas that it names are settings or constants, with these numbers', () => {
  const all = new Map([
    ...ALL_SETTINGS.map(({ variable }) => [variable, null] as const),
    ...ALL_CONSTANTS.map(({ name, value }) => [name, String(value)] as const),
  ]);
  const named = words.filter((word) => /^(LIMIT|KEEP)_/.test(word));
  expect(named.filter((name) => !all.has(name))).toEqual([]);
  for (const [, number = '', name = ''] of table.matchAll(/(\d+)[^|`]*\(`(LIMIT_\w+)`/g)) {
    expect([name, all.get(name)]).toEqual([name, number]);
  }
});
