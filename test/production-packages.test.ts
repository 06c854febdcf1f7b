import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('docs/architecture.md says of each production package what it is for', () => {
  const { dependencies } = JSON.parse(read('package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const [, section = ''] = read('docs/architecture.md').split('\n## Packages\n');
  const [listed = ''] = section.split('\n## ');
  const rows = [...listed.matchAll(/^\| `([^`]+)` +\| \S.*\S +\|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(dependencies).sort());
});
