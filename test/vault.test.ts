import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { vaultKeySource } from '../src/secrets/vault-key';
import {
  newVaultKey,
  seal,
  SealBroken,
  sealedBy,
  unseal,
  type VaultKey,
  vaultKeyOf,
} from '../src/secrets/vault';

const key = vaultKeyOf('0a'.repeat(32)) as VaultKey;
const other = vaultKeyOf(newVaultKey()) as VaultKey;

test('what is sealed opens for its owner with its key alone', () => {
  const sealed = seal(key, 'wiki', 'tökèn');
  expect(unseal(key, 'wiki', sealed)).toBe('tökèn');
  expect(sealedBy(sealed)).toBe(key.id);
  expect(sealed).not.toContain('tökèn');
  expect(seal(key, 'wiki', 'tökèn')).not.toBe(sealed);
  expect(() => unseal(key, 'crm', sealed)).toThrow(SealBroken);
  expect(() => unseal(other, 'wiki', sealed)).toThrow(`sealed with the key ${key.id}`);
});

test('what was changed does not open', () => {
  const sealed = seal(key, 'wiki', 'a token');
  const parts = sealed.split('.');
  for (const [place, part] of parts.entries()) {
    const changed = (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
    const text = parts.map((each, at) => (at === place ? changed : each)).join('.');
    expect(() => unseal(key, 'wiki', text)).toThrow(SealBroken);
  }
  for (const text of ['', '.', 'v1', `v1.${key.id}`, `v1.${key.id}...`, `${sealed.slice(0, -4)}`]) {
    expect(() => unseal(key, 'wiki', text)).toThrow(SealBroken);
  }
});

test.each([
  ['ab'.repeat(32), true],
  [Buffer.alloc(32, 7).toString('base64'), true],
  [` ${Buffer.alloc(32, 255).toString('base64url')}\n`, true],
  ['ab'.repeat(31), false],
  [Buffer.alloc(31).toString('base64'), false],
  ['', false],
])('%j is a key: %s', (text, is) => {
  expect(vaultKeyOf(text) !== null).toBe(is);
});

describe('where the key comes from', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grantgraph-vault-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const source = (secrets: { key?: string; keyFile?: string } = {}) =>
    vaultKeySource({
      secrets: { key: undefined, keyFile: undefined, ...secrets },
      data: { folder },
    });

  test('it is made once, for its owner alone', async () => {
    const [first, second] = await Promise.all([source()(), source()()]);
    expect(first.id).toBe(second.id);
    const file = join(folder, 'secrets-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(vaultKeyOf(await readFile(file, 'utf8'))?.id).toBe(first.id);
  });

  test('a file is read each time, so a rotation needs no restart', async () => {
    const keyFile = join(folder, 'key');
    const read = source({ keyFile });
    await expect(read()).rejects.toThrow('ENOENT');
    await writeFile(keyFile, 'no key');
    await expect(read()).rejects.toThrow(`${keyFile} does not hold a key`);
    for (const one of [key, other]) {
      await writeFile(keyFile, one.bytes.toString('base64'));
      expect((await read()).id).toBe(one.id);
    }
  });

  test('the setting goes before the folder', async () => {
    expect((await source({ key: '0a'.repeat(32) })()).id).toBe(key.id);
  });
});
