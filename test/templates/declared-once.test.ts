import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { templates } from '../../src/templates/templates';
import type { EntityKind, RowKind } from '../../src/templates/kind';

const SRC = join(__dirname, '../../src');

const isEntity = (kind: RowKind): kind is EntityKind => 'list' in kind;
const lists = Object.values(templates)
  .flatMap(({ rows }) => rows.filter(isEntity))
  .map(({ list }) => list);

/** Words that mean other things too. */
const COMMON = ['applications', 'resources', 'groups', 'system'];

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)))
  .filter((file) => !file.startsWith('templates/'));

test('the templates list kinds', () => {
  expect(lists).toEqual(expect.arrayContaining(['local_users', 'users', 'employees', 'system']));
});

test('no file outside src/templates lists kinds a second time', () => {
  // One list alone may be meant by itself, as where a rule is about roles.
  const second = files.filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const named = lists.filter((list) => !COMMON.includes(list) && text.includes(`'${list}'`));
    return named.length > 1;
  });
  expect(second).toEqual([]);
});
