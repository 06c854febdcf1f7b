import type { TeamKey } from './records';

/** Whether the key has expired by a time, in milliseconds since 1970. */
export const isExpired = (
  { expires_at }: Pick<TeamKey, 'expires_at'>,
  now: number = Date.now(),
): boolean => expires_at !== null && Date.parse(expires_at) <= now;

/** Whether the key admits somebody at a time: it is neither revoked nor expired. */
export const admits = (key: Pick<TeamKey, 'status' | 'expires_at'>, now?: number): boolean =>
  key.status === 'ACTIVE' && !isExpired(key, now);

/** Whether a key still has all scopes of another one; `admin` has every scope but `cypher`. */
const hasScopesOf = (key: TeamKey, other: TeamKey): boolean =>
  other.scopes.every(
    (scope) => key.scopes.includes(scope) || (scope !== 'cypher' && key.scopes.includes('admin')),
  );

/** Whether a key still reaches all providers of another one; no providers mean all. */
const hasProvidersOf = (key: TeamKey, other: TeamKey): boolean =>
  key.providers.length === 0 ||
  (other.providers.length > 0 && other.providers.every((id) => key.providers.includes(id)));

/**
 * Whether a change takes something away from a key, or the key had ended before it. What people do
 * with the key by then ends, so that a key which comes back brings no session back.
 */
export const takesAway = (before: TeamKey, after: TeamKey, now: number): boolean =>
  !admits(before, now) ||
  !admits(after, now) ||
  !hasScopesOf(after, before) ||
  !hasProvidersOf(after, before);
