import { HELD_TYPES, type HeldType } from '../../access/relationship-types';
import { seekEntity } from '../../graph/statements/seek';
import { textList } from '../../graph/statements/text-list';
import { PastNode, PastRelationship } from '../../model/past-facts';
import { AccessCommit } from '../records';
import { FACTS, pastRowOf, rowOf, valueOf } from './access-graph-statements';

/*
 * Statements by which a process follows the commits (docs/architecture.md: Access in memory).
 */

/** How many commits one look returns. */
export const COMMITS_AT_ONCE = 50;

/** The newest number of the commit sequence, and which graph it is. Each question reads it. */
export const NEWEST_NUMBER = `OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
OPTIONAL MATCH (store:Store {key: 'store'})
RETURN coalesce(lock.turns, 0) AS turns, lock.epoch AS epoch, toString(store.restored) AS restored`;

/**
 * The newest number of the commit sequence with the newest push, and since when history is stored.
 * It reads the number before and after the push: the push belongs to the number if both are equal.
 */
export const NEWEST_COMMIT = `OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
WITH coalesce(lock.turns, 0) AS before, lock.epoch AS epoch
OPTIONAL MATCH (store:Store {key: 'store'})
WITH before, epoch, toString(store.restored) AS restored, toString(store.history_since) AS history_since
OPTIONAL MATCH (source:DataSource)
WHERE source.last_push IS NOT NULL AND source.last_push_at IS NOT NULL
WITH before, epoch, restored, history_since, source
ORDER BY source.last_push_at DESC
LIMIT 1
OPTIONAL MATCH (again:BindingLock {key: 'binding'})
RETURN before, coalesce(again.turns, 0) AS turns, epoch, restored, history_since, source.last_push AS push,
  toString(source.last_push_at) AS at`;

/** The commits after one number of the commit sequence up to another one: `$after`, `$until`. */
export const COMMITS_AFTER = `MATCH (commit:${AccessCommit.label})
USING INDEX SEEK commit:${AccessCommit.label}(turn)
WHERE commit.turn > $after AND commit.turn <= $until
WITH commit
ORDER BY commit.turn
LIMIT ${COMMITS_AT_ONCE}
RETURN commit.turn AS turn, toString(commit.at) AS at, commit.changes AS changes`;

/**
 * Waits until the transaction of a commit has ended: `$key`, its number as text. Neo4j shows parts of
 * a commit one after the other, and releases its locks last. The statement takes two of these locks:
 * that of the key, and that of the record. Who runs it rolls back, for it makes a missing record.
 */
export const AWAIT_COMMIT = `MERGE (commit:${AccessCommit.label} {key: $key})
SET commit.at = commit.at`;

/** Nodes, and the versions of them that ended at an instant or later. `$keys[0]`, `$at`. */
export const NODES_NOW = `UNWIND $keys[0] AS key
OPTIONAL ${seekEntity('node', 'key')}
RETURN key,
  CASE WHEN node IS NULL THEN null ELSE ${rowOf(
    'node',
    'node.since',
    FACTS.map((fact) => valueOf('node', fact)),
  )} END AS row,
  COLLECT {
    MATCH (past:${PastNode.label} {key: key})
    USING INDEX SEEK past:${PastNode.label}(key, until)
    WHERE past.until >= $at
    RETURN [${pastRowOf('past')}, toString(past.until)]
  } AS past`;

/** The relationships of a type between pairs of nodes. `$pairs[0]`: `[from, to, number]`. */
export const relationshipsNow = (type: HeldType): string => `UNWIND $pairs[0] AS pair
${seekEntity('a', 'pair[0]')}
${seekEntity('b', 'pair[1]')}
CALL (pair, a, b) {
  MATCH (a)-[fact:${type}]->(b)
  RETURN toString(fact.since) AS since
}
RETURN pair[2] AS number, since`;

/** The relationships from nodes that ended at an instant or later. `$keys[0]`, `$at`. */
export const ENDED_FROM = `UNWIND $keys[0] AS key
MATCH (fact:${PastRelationship.label} {start: key})
USING INDEX SEEK fact:${PastRelationship.label}(start, until)
WHERE fact.until >= $at AND fact.type IN ${textList(HELD_TYPES)}
RETURN fact.type AS type, fact.start AS from, fact.end AS to,
  toString(coalesce(fact.from, fact.since)) AS since, toString(fact.until) AS until`;

/** Of which provider most rows and past facts are, and how many. It counts all of them. */
export const LARGEST_PROVIDER = `CALL () {
  MATCH (source:DataSource)
  RETURN source.key AS key, coalesce(source.rows, 0) AS rows, 0 AS past
  UNION ALL
  MATCH (fact:${PastNode.label})
  RETURN fact.data_source AS key, 0 AS rows, count(*) AS past
  UNION ALL
  MATCH (fact:${PastRelationship.label})
  WHERE fact.data_source IS NOT NULL
  RETURN fact.data_source AS key, 0 AS rows, count(*) AS past
}
WITH key, sum(rows) AS rows, sum(past) AS past
MATCH (source:DataSource {key: key})-[:FROM]->(provider:Provider)
WITH provider, sum(rows) AS rows, sum(past) AS past
ORDER BY rows + past DESC
LIMIT 1
RETURN provider.id AS provider, provider.name AS name, rows, past`;
