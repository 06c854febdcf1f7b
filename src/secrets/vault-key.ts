import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '../config';
import { oncePerContext } from '../context';
import { storedText } from './stored-secret';
import { derivedSecret, newVaultKey, type VaultKey, vaultKeyOf } from './vault';

/** The file of the key in `DATA_DIR`, where the settings name none. */
export const VAULT_KEY_FILE = 'secrets-key';

/** A text that should be a key of secrets is none. */
export class NoVaultKey extends Error {}

/** Reads a key; the message of its error names where it stands, and never the key. */
export const readVaultKey = (text: string, place: string): VaultKey => {
  const key = vaultKeyOf(text);
  if (key !== null) return key;
  throw new NoVaultKey(`${place} does not hold a key: 32 bytes in base64 or hexadecimal.`);
};

/**
 * The key that seals secrets: that of the settings, else one that the service makes once and keeps
 * in `DATA_DIR` (docs/operating.md: The key of secrets). A file is read each time.
 */
export const vaultKeySource =
  ({ secrets, data }: Pick<Config, 'secrets' | 'data'>) =>
  async (): Promise<VaultKey> => {
    const { key, keyFile } = secrets;
    if (key !== undefined) return readVaultKey(key, 'SECRETS_KEY');
    if (keyFile !== undefined) return readVaultKey(await readFile(keyFile, 'utf8'), keyFile);
    const text = await storedText(data.folder, VAULT_KEY_FILE, () =>
      Promise.resolve(newVaultKey()),
    );
    return readVaultKey(text, join(data.folder, VAULT_KEY_FILE));
  };

/** Reads the key that seals secrets. */
export const sealingKeyOf = oncePerContext(({ config }) => vaultKeySource(config));

/** The secret that seals places in streams and exports. All processes have the same. */
export const placeSecretOf = oncePerContext(
  (context) => async (): Promise<string> => derivedSecret(await sealingKeyOf(context)(), 'places'),
);
