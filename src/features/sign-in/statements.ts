import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';

/** Writes a session. `$id`, `$at`, `$properties`. */
export const ADD_SESSION = `CREATE (session:PersonSession {key: $id, since: $at})
SET session += $properties`;

/** Finds a session that has not ended, with the team key that it needs. `$hash`, `$now`, `$idle`. */
export const FIND_SESSION = `MATCH (session:PersonSession {fold_hash: $hash})
WHERE session.ends_at > $now AND session.last_seen > $idle
OPTIONAL MATCH (key:TeamKey {key: session.key_id})
RETURN properties(session) AS session, properties(key) AS key`;

/** Notes that somebody was here, at most once a minute. `$id`, `$now`, `$before`. */
export const NOTE_SEEN = `MATCH (session:PersonSession {key: $id})
WHERE session.last_seen < $before
SET session.last_seen = $now`;

/** Lists the sessions that have not ended. `$now`, `$idle`. */
export const LIST_SESSIONS = `MATCH (session:PersonSession)
WHERE session.ends_at > $now AND session.last_seen > $idle
RETURN properties(session) AS session`;

/**
 * Acquires the lock of a session. Without it, two requests could both find it, and both report its
 * end. `$id`.
 */
export const LOCK_SESSION = `MATCH (session:PersonSession {key: $id})
SET session.since = session.since`;

/** Ends a session whose lock is held. `$id`. */
export const END_SESSION = `MATCH (session:PersonSession {key: $id})
WITH session, properties(session) AS ended
DELETE session
RETURN ended AS session`;

/** Ends the session of a token. `$hash`. */
export const END_SESSION_OF_TOKEN = `MATCH (session:PersonSession {fold_hash: $hash})
WITH session, properties(session) AS ended
DELETE session
RETURN ended AS session`;

/** Ends the oldest sessions of a person who has too many. `$subject`, `$most`. */
export const END_OLDEST_SESSIONS = `MATCH (session:PersonSession {subject: $subject})
WITH session
ORDER BY session.last_seen DESC
SKIP $most
DELETE session`;

/** Removes sessions that have ended by themselves. `$now`, `$idle`, `$most`. */
export const REMOVE_ENDED_SESSIONS = `MATCH (session:PersonSession)
WHERE session.ends_at <= $now OR session.last_seen <= $idle
WITH session
LIMIT $most
DELETE session
RETURN count(*) AS removed`;

/** Writes a one-time code. `$hash`, `$at`, `$properties`. */
export const ADD_CODE = `CREATE (code:SignInCode {key: $hash, since: $at})
SET code += $properties`;

/** Locks a one-time code, so that it is used once, and reads it with the team key that made it. `$hash`. */
export const LOCK_CODE = `MATCH (code:SignInCode {key: $hash})
SET code.since = code.since
WITH code
OPTIONAL MATCH (key:TeamKey {key: code.key_id})
RETURN properties(code) AS code, properties(key) AS key`;

/** Notes that a one-time code was used. `$hash`, `$now`. */
export const USE_CODE = `MATCH (code:SignInCode {key: $hash})
SET code.used_at = $now`;

/** Removes one-time codes that expired before a time. `$before`, `$most`. */
export const REMOVE_OLD_CODES = `MATCH (code:SignInCode)
WHERE code.expires_at < $before
WITH code
LIMIT $most
DELETE code
RETURN count(*) AS removed`;

/** The statements of sign-ins. */
export const signInStatements = (): readonly CatalogEntry[] => [
  entry('Write a session', ADD_SESSION),
  entry('Find a session', FIND_SESSION),
  entry('Note that a person was here', NOTE_SEEN),
  entry('List sessions', LIST_SESSIONS),
  entry('Lock a session', LOCK_SESSION),
  entry('End a session', END_SESSION),
  entry('End the session of a token', END_SESSION_OF_TOKEN),
  entry('End the oldest sessions of a person', END_OLDEST_SESSIONS),
  entry('Remove sessions that ended', REMOVE_ENDED_SESSIONS),
  entry('Write a one-time code', ADD_CODE),
  entry('Lock a one-time code', LOCK_CODE),
  entry('Use a one-time code', USE_CODE),
  entry('Remove old one-time codes', REMOVE_OLD_CODES),
];
