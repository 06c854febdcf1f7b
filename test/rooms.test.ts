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

test('every feature is in the list of features (docs/architecture.md: Features)', () => {
  const list = readFileSync(join(SRC, 'features.ts'), 'utf8');
  const declared = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\/feature\.ts$/.test(file))
    .map((file) => `'./${file.replace(/\.ts$/, '')}'`);
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.filter((file) => !list.includes(file))).toEqual([]);
});
