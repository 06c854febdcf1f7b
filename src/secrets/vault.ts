import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** A key with which the service seals secrets before it writes them to the graph. */
export interface VaultKey {
  /** Distinguishes keys; it says nothing about the key itself. */
  readonly id: string;
  readonly bytes: Buffer;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';

/** The secrets were sealed with another key, or somebody changed them. */
export class SealBroken extends Error {}

/** Reads a key: 32 bytes in base64 or hexadecimal. Null if the text is no key. */
export const vaultKeyOf = (text: string): VaultKey | null => {
  const trimmed = text.trim();
  const bytes = /^[\da-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[\w+/-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) return null;
  const id = createHash('sha256')
    .update('grantgraph vault')
    .update(bytes)
    .digest('hex')
    .slice(0, 8);
  return { id, bytes };
};

/** The text of a new key. */
export const newVaultKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/**
 * A secret for one purpose, which all processes with this key can compute. It is stored nowhere,
 * and says nothing about the key.
 */
export const derivedSecret = ({ bytes }: VaultKey, purpose: string): string =>
  createHmac('sha256', bytes).update(`grantgraph ${purpose}`).digest('base64url');

/** The id of the key that sealed a text. */
export const sealedBy = (sealed: string): string => sealed.split('.')[1] ?? '';

/**
 * Seals a text with AES-256-GCM. `owner` names the owner of the text: it opens only for this owner,
 * so nobody can move it to another one (docs/security.md: Secrets of applications).
 */
export const seal = ({ id, bytes }: VaultKey, owner: string, text: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv);
  cipher.setAAD(Buffer.from(`${FORMAT}|${owner}`));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
  return [FORMAT, id, ...parts].join('.');
};

/** Opens a sealed text. Throws `SealBroken` if the key is another one or the text was changed. */
export const unseal = ({ id, bytes }: VaultKey, owner: string, sealed: string): string => {
  const [format, key, ...parts] = sealed.split('.');
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (
    format !== FORMAT ||
    iv?.length !== IV_BYTES ||
    tag?.length !== TAG_BYTES ||
    text === undefined
  ) {
    throw new SealBroken('The sealed secrets are damaged.');
  }
  if (key !== id) {
    throw new SealBroken(`The secrets were sealed with the key ${key}, and the service has ${id}.`);
  }
  const decipher = createDecipheriv('aes-256-gcm', bytes, iv);
  decipher.setAAD(Buffer.from(`${FORMAT}|${owner}`));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new SealBroken('Somebody changed the secrets in the graph, or where they are sent.', {
      cause: error,
    });
  }
};
