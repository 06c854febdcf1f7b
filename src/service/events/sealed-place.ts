import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * A place in the live stream, as a reader is told that may not see all events. Places count the events of everybody, so that two of them would tell
 * how much happened between; sealed, they tell nothing, not even whether they are the same.
 */
export const sealPlace = (place: number, secret: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv);
  // Of one length, whatever the number.
  const sealed = [cipher.update(String(place).padStart(16, '0'), 'utf8'), cipher.final()];
  return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64url');
};

/** The place that was sealed; `null` of a text that nobody sealed with this secret. */
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
