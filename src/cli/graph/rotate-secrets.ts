import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { resealConnections } from '../../scim/connections/connection-records';
import { resealed, resealEvent } from '../../scim/connections/reseal';
import { newVaultKey } from '../../secrets/vault';
import { readVaultKey, VAULT_KEY_FILE, vaultKeySource } from '../../secrets/vault-key';
import { Unsuccessful, WrongUsage } from '../../command/context';
import { EXIT, outputFor } from '../../command/output';
import { withRefusals } from './refusals';
import { withGraph } from './with-graph';

/** What `rotate-secrets` needs. */
export interface RotateArguments {
  readonly newKeyFile: string | undefined;
  readonly json: boolean;
}

/** The text of the new key: the content of the file, or else a new random text. */
const newKeyText = async (file: string | undefined): Promise<string> => {
  if (file === undefined) return newVaultKey();
  return readFile(file, 'utf8').catch(() => {
    throw new WrongUsage(`Cannot read ${file}.`);
  });
};

/** Seals all secrets again, with the settings of the service. */
export const rotateSecrets = ({ newKeyFile, json }: RotateArguments): Promise<void> =>
  withRefusals(async () => {
    await withGraph(async (graph, config) => {
      const { secrets, data } = config;
      const isOfSettings = secrets.key !== undefined || secrets.keyFile !== undefined;
      if (isOfSettings && newKeyFile === undefined) {
        throw new WrongUsage(
          'The settings name the key: name the --new-key-file, and set it afterwards.',
        );
      }
      // The draft of the key survives an interruption, so the same command goes on with the same
      // key.
      const draft = join(data.folder, `${VAULT_KEY_FILE}.new`);
      const left = isOfSettings ? null : await readFile(draft, 'utf8').catch(() => null);
      if (left !== null && newKeyFile !== undefined) {
        throw new WrongUsage(
          `A rotation to the key in ${draft} is not finished: leave --new-key-file out.`,
        );
      }
      const text = left ?? (await newKeyText(newKeyFile));
      const newKey = readVaultKey(text, newKeyFile ?? draft);
      const oldKey = await vaultKeySource(config)();
      if (!isOfSettings && left === null) {
        await writeFile(draft, `${text.trim()}\n`, { mode: 0o600, flag: 'wx' });
      }
      const reseal = () =>
        resealConnections(graph, resealed(oldKey, newKey), (rotation) =>
          resealEvent(newKey, rotation),
        );
      const first = await reseal();
      if (!isOfSettings) await rename(draft, join(data.folder, VAULT_KEY_FILE));
      // This seals again what the service sealed with the old key during the first pass.
      const { count: late, damaged } = await reseal();
      const count = first.count + late;
      const unreadable = damaged.map(({ provider, fault }) => ({
        provider,
        message: fault.message,
      }));
      outputFor(json).answer({ count, key: newKey.id, damaged: unreadable }, [
        `Sealed the secrets of ${count} connections with the key ${newKey.id}.`,
        isOfSettings
          ? 'Set SECRETS_KEY or SECRETS_KEY_FILE to the new key, and restart the processes.'
          : `The key is in ${join(data.folder, VAULT_KEY_FILE)}; the service reads it there.`,
        ...unreadable.map(
          ({ provider, message }) =>
            `The connection of the provider ${provider} is unchanged: ${message} Set it again.`,
        ),
      ]);
      if (unreadable.length > 0) throw new Unsuccessful(EXIT.refused);
    });
  });
