import { createHash } from 'node:crypto';

/** The SHA-256 of a value as JSON, in hexadecimal. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
