import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

import { derivedSecret, type VaultKey } from '../../../secrets/vault';

/*
 * The signed part of a mail: heads of chains at an instant. `examples/verify-mail.py` verifies it
 * without the service (docs/reviews.md: Mail).
 */

/** How far the chain of a review is. */
export interface Head {
  readonly review: string;
  /** How many entries it has. */
  readonly entries: number;
  /** The hash of the newest entry. */
  readonly hash: string;
}

/** An Ed25519 key in PKCS #8 begins with these bytes, and the key follows (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BYTES = 32;
/** Half of a signature in base64: a line that no mail server breaks. */
const LINE = 44;

/**
 * The Ed25519 key that signs mails. It follows from the key of secrets, so it is outside Neo4j, and
 * all processes have the same one.
 */
export const mailKeyOf = (key: VaultKey): KeyObject => {
  const secret = Buffer.from(derivedSecret(key, 'mail of reviews'), 'base64url');
  return createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });
};

/** The public key with which everybody can verify mails, in base64. */
export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-PUBLIC_BYTES)
    .toString('base64');

/**
 * The signed part of a mail. What is signed are its words up to `signature`, with one space between,
 * so it does not matter how a mail server or a reader breaks its lines.
 */
export const signedHeads = (heads: readonly Head[], at: string, key: KeyObject): string => {
  const lines = [
    'grantgraph heads 1',
    `at ${at}`,
    ...heads.flatMap(({ review, entries, hash }) => [
      `review ${review}`,
      `entry ${entries}`,
      `head ${hash}`,
    ]),
    `key ${publicKeyOf(key)}`,
  ];
  const signature = sign(null, Buffer.from(lines.join(' ')), key).toString('base64');
  return [
    '-----BEGIN GRANTGRAPH HEADS-----',
    ...lines,
    `signature ${signature.slice(0, LINE)}`,
    signature.slice(LINE),
    '-----END GRANTGRAPH HEADS-----',
  ].join('\n');
};
