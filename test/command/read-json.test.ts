import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readJson } from '../../src/command/read-json';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-json-'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (text: string | Uint8Array): Promise<unknown> => {
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

// The service refuses such bytes; before, a name of a review or of a policy was repaired unseen.
test.each([
  [Buffer.from('{\n"name": "Büro"}', 'latin1'), 'line 2, column 11: save it as UTF-8.'],
  [Buffer.from('\uFEFF{"name": "Forge"}', 'utf16le'), 'it is UTF-16: save it as UTF-8.'],
])(
  'bytes that are not UTF-8 are refused with the file, the place and what to do',
  async (bytes, said) => {
    await expect(read(bytes)).rejects.toThrow(/settings\.json: it is not UTF-8: /);
    await expect(read(bytes)).rejects.toThrow(said);
  },
);
