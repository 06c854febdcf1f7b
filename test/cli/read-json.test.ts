import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readJson } from '../../src/cli/read-json';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-json-'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (text: string): Promise<unknown> => {
  const file = join(folder, 'settings.json');
  await writeFile(file, text);
  return readJson(file, 'Name a file');
};

test('a file of JSON is read, also with the byte order mark of Windows', async () => {
  expect(await read('{"name": "Forge"}')).toEqual({ name: 'Forge' });
  expect(await read('\uFEFF{"name": "Forge"}')).toEqual({ name: 'Forge' });
});

test.each([
  ['{"name": "Forge"', 'line 1, column 17'],
  ['\uFEFF{\n"name" "Forge"}', 'line 2, column 8'],
  ['{"name": 1, "name": 2}', 'occurs twice'],
])('what is wrong in %j is said with the file and the place', async (text, said) => {
  await expect(read(text)).rejects.toThrow(said);
  await expect(read(text)).rejects.toThrow('settings.json: ');
});
