import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../src');

const MOST = 15;

test('no folder of src has more files than one can look over (docs/architecture.md: Rooms)', () => {
  const entries = readdirSync(SRC, { recursive: true, withFileTypes: true });
  const folders = new Map<string, number>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const folder = entry.parentPath.slice(SRC.length);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  expect(folders.size).toBeGreaterThan(20);
  expect([...folders].filter(([, files]) => files > MOST)).toEqual([]);
});

test.each([
  ['feature', 'the list of features', 'features.ts', './', 10],
  ['command', 'the list of commands', 'cli/grantgraph.ts', '../', 4],
] as const)(
  'every %s.ts is in %s (docs/architecture.md: Features)',
  (name, _list, file, above, some) => {
    const list = readFileSync(join(SRC, file), 'utf8');
    const declared = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((found) => found.endsWith(`/${name}.ts`))
      .map((found) => `'${above}${found.replace(/\.ts$/, '')}'`);
    expect(declared.length).toBeGreaterThan(some);
    expect(declared.filter((found) => !list.includes(found))).toEqual([]);
  },
);
