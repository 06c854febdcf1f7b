import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../error-code';

/**
 * Reads the secret of this name in the folder. If there is none, makes one and stores it so that
 * only its owner can read it.
 */
export const storedSecret = (folder: string, name: string): Promise<string> =>
  storedText(folder, name, () => Promise.resolve(randomBytes(24).toString('base64url')));

/**
 * Reads the text of this name in the folder. If there is none, makes one and stores it so that only
 * its owner can read it.
 */
export const storedText = async (
  folder: string,
  name: string,
  make: () => Promise<string>,
): Promise<string> => {
  const file = join(folder, name);
  const stored = await readSecret(file);
  if (stored !== undefined) return stored;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The text is first written to a draft file and then linked to its real name. So another process
  // never reads an incomplete text, and if two processes make one, the first one wins.
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${(await make()).trim()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readSecret(file);
  if (made === undefined) throw new Error(`${file} went away while it was read.`);
  return made;
};

async function readSecret(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const secret = text.trim();
  if (secret === '') throw new Error(`${file} is empty: remove it, and a new one is made.`);
  return secret;
}
