/**
 * The old records of pushes that may go, by data source: pushes that changed nothing or were
 * refused. Others stay, because facts lead to them (docs/rules.md: Promises). The last push stays
 * too, since the data source shows it. `$days`, `$most`.
 */
export const OLD_PUSHES = `MATCH (push:Push)
WHERE push.outcome IN ['unchanged', 'refused'] AND push.at < datetime() - duration({days: $days})
MATCH (push)-[:FROM]->(source:DataSource)
WHERE source.last_push IS NULL OR source.last_push <> push.key
WITH push, source
LIMIT $most
RETURN source.key AS source, collect(push.key) AS keys`;

/** Removes records of pushes to one data source. `$keys`. */
export const REMOVE_OLD_PUSHES = `UNWIND $keys AS key
MATCH (push:Push {key: key})
DETACH DELETE push`;

/** The oldest moment of which the graph will know, once older history is removed. `$days`. */
export const SHORTEN_HISTORY = `MATCH (store:Store {key: 'store'})
WITH store, datetime.realtime('Z') - duration({days: $days}) AS oldest
WHERE store.history_since < oldest
SET store.history_since = oldest`;
