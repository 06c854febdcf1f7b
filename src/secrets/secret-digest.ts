import { createHash, timingSafeEqual } from 'node:crypto';

/** The digest of a secret. All have one length, so a comparison needs the same time for each. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether a secret has this digest. */
export const hasDigest = (secret: string, digest: Buffer): boolean =>
  timingSafeEqual(digestOf(secret), digest);
