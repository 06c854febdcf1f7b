/*
 * Statements that count, push by push in the order of commits, what each push changed in effective
 * access (docs/rules.md: Changes of access).
 */

/** The next push that is not counted, if the graph keeps its history. */
export const NEXT_UNCOUNTED = `MATCH (store:Store {key: 'store'})
MATCH (push:Push)
USING INDEX SEEK push:Push(turn)
WHERE push.turn > store.access_turn
WITH store, push ORDER BY push.turn LIMIT 1
OPTIONAL MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN push.id AS push, toString(push.at) AS at, push.turn AS turn, push.request_id AS request_id,
  coalesce(store.history_since < push.at, false) AS is_kept,
  source.id AS data_source, source.name AS name, provider.id AS provider`;

/**
 * Notes that a push is counted, unless another process did. The first SET takes the lock of the
 * node. It writes a property that nobody reads, since Neo4j reads what a SET writes before it locks.
 * `$push`, `$at`, `$turn`, `$counts`.
 */
export const RECORD_COUNTED = `MATCH (store:Store {key: 'store'})
SET store.lock = $push
REMOVE store.lock
WITH store WHERE store.access_turn < $turn
SET store.access_turn = $turn, store.access_push = $push, store.access_at = datetime($at)
WITH store
OPTIONAL MATCH (push:Push {key: $push})
SET push += $counts
RETURN store.access_turn AS turn`;

/** The newest push that is counted, and how many wait. */
export const COUNTED_UP_TO = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN store.access_push AS push, toString(store.access_at) AS at,
  COUNT { MATCH (push:Push) WHERE push.turn > store.access_turn } AS waiting,
  toString(COLLECT {
    MATCH (push:Push) WHERE push.turn > store.access_turn
    RETURN push.at ORDER BY push.turn LIMIT 1
  }[0]) AS next`;
