import {
  END_CODES_OF_KEY,
  END_SESSIONS_OF_KEY,
  FIND_KEY,
  LOCK_KEY,
} from '../../../graph/records/key-sign-ins';
import { END_SESSIONS_OF_PEOPLE } from '../../../graph/write/person-sessions';
import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';

/** Writes a session. `$id`, `$at`, `$properties`. */
export const ADD_SESSION = `CREATE (session:PersonSession {key: $id, since: $at})
SET session += $properties`;

/** What decides whether a session still lets somebody in. `$now`, `$idle`. */
const WITH_WHAT_IT_NEEDS = `WHERE session.ends_at > $now AND session.last_seen > $idle
OPTIONAL MATCH (key:TeamKey {key: session.key_id})
OPTIONAL MATCH (person:Entity {key: session.people[0]})
RETURN session {.*, id_token: null} AS session, properties(key) AS key,
  session.people IS NULL OR person IS NOT NULL AND coalesce(person.is_active, true) AS is_active`;

/**
 * Finds a session that has not ended, with the team key that it needs, and whether its person is there
 * and active. `$hash`, `$now`, `$idle`.
 */
export const FIND_SESSION = `MATCH (session:PersonSession {fold_hash: $hash})
${WITH_WHAT_IT_NEEDS}`;

/** Notes that somebody was here, at most once a minute. `$id`, `$now`, `$before`. */
export const NOTE_SEEN = `MATCH (session:PersonSession {key: $id})
WHERE session.last_seen < $before
SET session.last_seen = $now`;

/** Lists the sessions that have not ended, in the same way. `$now`, `$idle`. */
export const LIST_SESSIONS = `MATCH (session:PersonSession)
${WITH_WHAT_IT_NEEDS}`;

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

/**
 * Acquires the lock of the sign-in counts of a key or a person. It returns nothing: another
 * transaction may remove the node before this one has the lock. `$subject`, `$now`.
 */
export const LOCK_COUNT = `MERGE (count:SignInCount {key: $subject})
ON CREATE SET count.since = $now, count.sign_ins = 0.0, count.codes = 0.0, count.subject = $subject
SET count.key = $subject`;

/** Reads what is counted of a key or a person, under its lock. `$subject`, `$now`. */
export const READ_COUNT = `MERGE (count:SignInCount {key: $subject})
ON CREATE SET count.since = $now, count.sign_ins = 0.0, count.codes = 0.0, count.subject = $subject
RETURN properties(count) AS count`;

/** Writes what is counted of a key or a person. `$subject`, `$counts`. */
export const WRITE_COUNT = `MATCH (count:SignInCount {key: $subject})
SET count += $counts`;

/** Removes what was counted in an hour that is over. `$before`, `$most`. */
export const REMOVE_OLD_COUNTS = `MATCH (count:SignInCount)
WHERE count.since < $before
WITH count
LIMIT $most
DELETE count
RETURN count(*) AS removed`;

/** Ends the sessions of a setting that is not as it was. `$setting`; `$mark`: `null` if it is unset. */
export const END_SESSIONS_OF_SETTING = `MATCH (session:PersonSession)
WHERE session.setting = $setting AND session.setting_mark <> coalesce($mark, '')
DELETE session`;

/** Removes the unused codes of a setting that is not as it was. `$setting`, `$mark`. */
export const END_CODES_OF_SETTING = `MATCH (code:SignInCode)
WHERE code.setting = $setting AND code.setting_mark <> coalesce($mark, '') AND code.used_at IS NULL
DELETE code`;

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
  entry('Lock what is counted of sign-ins', LOCK_COUNT),
  entry('Read what is counted of sign-ins', READ_COUNT),
  entry('Write what is counted of sign-ins', WRITE_COUNT),
  entry('Remove old counts of sign-ins', REMOVE_OLD_COUNTS),
  entry('Lock a team key', LOCK_KEY),
  entry('Find a team key', FIND_KEY),
  entry('End the sessions of a team key', END_SESSIONS_OF_KEY),
  entry('End the one-time codes of a team key', END_CODES_OF_KEY),
  entry('End the sessions of people', END_SESSIONS_OF_PEOPLE),
  entry('End the sessions of a changed setting', END_SESSIONS_OF_SETTING),
  entry('End the one-time codes of a changed setting', END_CODES_OF_SETTING),
];
