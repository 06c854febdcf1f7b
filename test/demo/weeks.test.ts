import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { company } from '../../src/demo/company';
import { asOfWeek, weeksIn } from '../../src/demo/weeks';

const FOLDER = join(__dirname, '../../examples/company');

test('a week changes, leaves out and adds entries by their ids, and keeps the rest', () => {
  const now = {
    name: 'Directory',
    users: [
      { name: 'ann', identity: 'a', groups: ['x'], custom_properties: { title: 'now', level: 1 } },
      { name: 'bob', identity: 'b' },
      { name: 'cat' },
    ],
  };
  const otherwise = {
    users: {
      a: { groups: [], custom_properties: { title: 'then' } },
      b: null,
      dan: { name: 'dan' },
    },
  };
  expect(asOfWeek(now, otherwise)).toEqual({
    name: 'Directory',
    users: [
      {
        name: 'ann',
        identity: 'a',
        groups: [],
        custom_properties: { title: 'then', level: 1 },
      },
      { name: 'cat' },
      { name: 'dan' },
    ],
  });
  expect(asOfWeek(now, {})).toEqual(now);
});

test('each week says something else of systems that are pushed', async () => {
  const files = company.map(({ file }) => file);
  for (const week of await weeksIn(FOLDER)) {
    expect(files).toEqual(expect.arrayContaining(Object.keys(week)));
    for (const [file, otherwise] of Object.entries(week)) {
      const now = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as typeof otherwise;
      expect(asOfWeek(now, otherwise)).not.toEqual(now);
    }
  }
});
