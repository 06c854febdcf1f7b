import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedSecret } from '../src/secrets/stored-secret';

describe('storedSecret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grantgraph-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('makes a secret once, readable by its owner alone', async () => {
    const below = join(folder, 'data');
    const secret = await storedSecret(below, 'api-key');
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect((await stat(join(below, 'api-key'))).mode & 0o777).toBe(0o600);
    expect(await storedSecret(below, 'api-key')).toBe(secret);
    expect(await readdir(below)).toEqual(['api-key']);
  });

  test('two that make it at once agree', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => storedSecret(folder, 'key')));
    expect(new Set(secrets).size).toBe(1);
    expect((await readFile(join(folder, 'key'), 'utf8')).trim()).toBe(secrets[0]);
  });

  test('an empty file is no secret', async () => {
    await writeFile(join(folder, 'key'), '\n');
    await expect(storedSecret(folder, 'key')).rejects.toThrow('is empty');
  });
});
