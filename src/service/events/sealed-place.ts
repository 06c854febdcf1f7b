import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * Seals a place of the live stream for a reader with a limited key. Places count the events of
 * everybody. So two bare places would show how many events others had in between. Sealed places
 * show nothing, not even whether two are the same.
 */
export const sealPlace = (place: number, secret: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv);
  // All numbers have the same length, so the length of the sealed text shows nothing.
  const sealed = [cipher.update(String(place).padStart(16, '0'), 'utf8'), cipher.final()];
  return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64url');
};

/** Opens a sealed place; `null` if the text was not sealed with this secret. */
export const openPlace = (text: string, secret: string): number | null => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== IV_BYTES + 16 + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
    return Number(Buffer.concat(opened).toString('utf8'));
  } catch {
    return null;
  }
};
