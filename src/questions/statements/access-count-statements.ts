import { PastNode, PastRelationship } from '../../model/past-facts';
import { textList } from '../../graph/statements/text-list';
import { ACCESS_TYPES } from '../../access/relationship-types';
import { DECIDING_LABELS } from './change-statements';

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

const begunAt = (type: string): string => `MATCH (start)-[fact:${type}]->(end)
  USING INDEX SEEK fact:${type}(since)
  WHERE fact.since = at
  RETURN true AS found LIMIT 1`;

/** Those of `$instants` at which a relationship of access began that still exists. */
export const BEGAN_AT = `UNWIND $instants AS at
CALL (at) {
  ${ACCESS_TYPES.map(begunAt).join('\n  UNION\n  ')}
}
RETURN DISTINCT toString(at) AS at`;

/** Those of `$instants` at which a relationship of access ended, or began that has ended since. `$first`. */
export const ENDED_AT = `MATCH (fact:${PastRelationship.label})
USING INDEX SEEK fact:${PastRelationship.label}(until)
WHERE fact.until >= $first AND fact.type IN ${textList(ACCESS_TYPES)}
UNWIND [coalesce(fact.from, fact.since), fact.until] AS at
WITH DISTINCT at WHERE at IN $instants
RETURN toString(at) AS at`;

/** Those of `$instants` at which a node changed whose own properties decide about access. */
export const CHANGED_AT = `UNWIND $instants AS at
MATCH (past:${PastNode.label})
USING INDEX SEEK past:${PastNode.label}(until)
WHERE past.until = at AND past.label IN ${textList(DECIDING_LABELS)}
RETURN DISTINCT toString(at) AS at`;

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
