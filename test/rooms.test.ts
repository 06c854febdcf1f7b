import { readdirSync } from 'node:fs';
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
