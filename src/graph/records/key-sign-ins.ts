import type { Runner } from '../../neo4j/transaction';

/**
 * Acquires the lock of a key. Changes, rotations and deletions of the key wait for it, and so does
 * every sign-in with it. It reads nothing, since the key may be gone by then. `$id`.
 */
export const LOCK_KEY = `MATCH (key:TeamKey {key: $id})
SET key.since = key.since`;

/** Finds a team key. `$id`. */
export const FIND_KEY = `MATCH (key:TeamKey {key: $id})
RETURN properties(key) AS key`;

/** Ends the sessions of a team key. `$subject`: whose they are. */
export const END_SESSIONS_OF_KEY = `MATCH (session:PersonSession {subject: $subject})
DELETE session`;

/** Removes the one-time codes that a team key made and nobody has used. `$keyId`. */
export const END_CODES_OF_KEY = `MATCH (code:SignInCode {key_id: $keyId})
WHERE code.used_at IS NULL
DELETE code`;

/** Whose the sessions of a team key are. */
export const subjectOfKey = (keyId: string): string => `key:${keyId}`;

/**
 * Ends what somebody can still use of the sign-ins with a team key, in the transaction that ends the
 * key. The caller holds the lock of the key, as every sign-in with it does.
 */
export const endSignInsOfKey = async (tx: Runner, keyId: string): Promise<void> => {
  await tx.run(END_SESSIONS_OF_KEY, { subject: subjectOfKey(keyId) });
  await tx.run(END_CODES_OF_KEY, { keyId });
};
