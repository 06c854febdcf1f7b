import { randomBytes } from 'node:crypto';

/** A masked secret is a pad, and then the secret combined with it (XOR), each of this length. */
const BYTES = 32;

const combined = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));

/**
 * Masks a secret of 32 bytes with a random pad, so that it looks different each time. A page that is
 * compressed next to text of an address reveals nothing of it by its size (BREACH; docs/security.md:
 * Sign-in of people).
 */
export const masked = (secret: Buffer): string => {
  if (secret.length !== BYTES) throw new Error(`only secrets of ${BYTES} bytes can be masked`);
  const pad = randomBytes(BYTES);
  return Buffer.concat([pad, combined(pad, secret)]).toString('base64url');
};

/** Reads a masked secret; `null`: the text is none. */
export const unmasked = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 2 * BYTES
    ? combined(bytes.subarray(0, BYTES), bytes.subarray(BYTES))
    : null;
};
