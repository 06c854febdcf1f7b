/*
 * Statements that count, push by push in the order of commits, what each push changed in effective
 * access (docs/rules.md: Changes of access).
 */

/** The next pushes that are not counted, in the order of commits. `$most`. */
export const NEXT_UNCOUNTED = `MATCH (store:Store {key: 'store'})
MATCH (push:Push)
USING INDEX SEEK push:Push(turn)
WHERE push.turn > store.access_turn
WITH store, push ORDER BY push.turn LIMIT $most
OPTIONAL MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN push.id AS push, toString(push.at) AS at, push.turn AS turn, push.request_id AS request_id,
  coalesce(store.history_since < push.at, false) AS is_kept, push.access_state IS NOT NULL AS is_told,
  source.id AS data_source, source.name AS name, provider.id AS provider
ORDER BY turn`;

/**
 * Notes that pushes are counted up to `$push`, unless another process did. The first SET acquires
 * the lock of the node. It writes a property that nobody reads, since Neo4j reads what a SET writes
 * before it locks. `$pushes`, `$push`, `$at`, `$turn`, `$counts`.
 */
export const RECORD_COUNTED = `MATCH (store:Store {key: 'store'})
SET store.lock = $push
REMOVE store.lock
WITH store WHERE store.access_turn < $turn
SET store.access_turn = $turn, store.access_push = $push, store.access_at = datetime($at)
WITH store
UNWIND $pushes AS counted
OPTIONAL MATCH (push:Push {key: counted})
SET push += $counts
RETURN store.access_turn AS turn`;
