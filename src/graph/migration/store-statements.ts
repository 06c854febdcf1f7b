/** Reads the store version, and the release that brought the graph to it. */
export const READ_STORE = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN store.version AS version, store.release AS release, EXISTS { (:Provider) } AS is_used, store.restoring IS NOT NULL AS is_restoring`;

/** Takes the lock under which a process migrates the graph. `$holder`. */
export const LOCK_STORE = `MERGE (store:Store {key: 'store'})
SET store.lock = $holder`;

/** Records the store version. `$version`; `$release`: this release. */
export const RECORD_STORE = `MATCH (store:Store {key: 'store'})
SET store.version = $version, store.release = $release
REMOVE store.lock`;

/**
 * Notes since when the graph stores ended facts, and from which push on it counts changes of
 * access: from now on, unless it does already (docs/rules.md: History, Changes of access).
 */
export const BEGIN_HISTORY = `MATCH (store:Store {key: 'store'})
OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
SET store.history_since = coalesce(store.history_since, datetime.realtime('Z')),
  store.access_turn = coalesce(store.access_turn, lock.turns, 0)`;

/** Notes that the graph stores no ended facts from now on. */
export const END_HISTORY = `MATCH (store:Store {key: 'store'})
REMOVE store.history_since, store.access_turn`;

/**
 * Removes what imports and runs of policies held instead of a lease, up to store version 1
 * (docs/architecture.md: Locks).
 */
export const FORGET_FORMER_LEASES = `CALL () {
  MATCH (import:ScimImport)
  REMOVE import.runner, import.runner_until
  RETURN count(*) AS changed
  UNION ALL
  MATCH (state:LifecycleState)
  REMOVE state.fence
  RETURN count(*) AS changed
}
RETURN sum(changed) AS changed`;
