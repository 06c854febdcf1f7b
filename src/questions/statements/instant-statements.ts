import { PastNode, PastRelationship } from '../../model/past-facts';
import type { NodeKind } from '../../model/table';
import { derivations } from '../../templates/graph/derivations';
import { sharedKinds } from '../../templates/graph/nodes';
import { relationshipKinds } from '../../templates/graph/relationships';
import { seekEntity } from '../../graph/statements/seek';
import { textList } from '../../graph/statements/text-list';

/*
 * Cypher that reads facts at an instant, `$at`.
 */

const isShared = (kind: NodeKind): boolean => sharedKinds.includes(kind);

/** The types of all relationships from or to shared nodes. */
export const AT_SHARED = [
  ...new Set([
    ...relationshipKinds
      .filter(({ from, to }) => isShared(from) || isShared(to))
      .map(({ type }) => type),
    ...derivations
      .filter(({ asker, answerer }) => isShared(asker) || isShared(answerer))
      .map(({ type }) => type),
  ]),
];

/** The first instant of the history. */
export const HISTORY_SINCE = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN toString(store.history_since) AS since`;

/** Since when history is stored, and the newest push by `$at`. */
export const INSTANT_ASKED = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN toString(store.history_since) AS since, coalesce(store.history_since <= $at, false) AS is_kept,
  COLLECT {
    MATCH (push:Push)
    WHERE push.at <= $at AND push.outcome IN ['accepted', 'unchanged']
    WITH push ORDER BY push.at DESC LIMIT 1
    RETURN {push: push.id, at: toString(push.at)}
  } AS newest`;

const newestPush = (outcomes: string): string => `COLLECT {
    MATCH (source)<-[:FROM]-(push:Push)
    WHERE push.at <= $at AND push.outcome IN [${outcomes}]
    RETURN push
    ORDER BY push.at DESC LIMIT 1
  }[0]`;

/** What data sources said about their pushes at an instant. `$sources[0]`, `$at`. */
export const PUSHES_THEN = `UNWIND $sources[0] AS id
MATCH (source:DataSource {key: id})
WITH source,
  ${newestPush("'accepted', 'unchanged'")} AS accepted,
  ${newestPush("'refused', 'failed'")} AS refused
RETURN source.id AS data_source, accepted.id AS last_push, accepted.at AS last_push_at,
  CASE
    WHEN accepted IS NULL AND refused IS NULL THEN 'PENDING'
    WHEN accepted IS NULL OR refused.at > accepted.at THEN 'ERROR'
    ELSE 'SUCCESS'
  END AS status`;

/** The nodes with these keys. `$keys[0]`. */
export const NODES_BY_KEY = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
RETURN key, elementId(n) AS id`;

/** Types of relationships, and whether they lead from a node (`end`) or to it. */
interface Way {
  readonly types: readonly string[];
  readonly towards: 'end' | 'start';
}

/** The condition that a relationship that ended existed at the instant. */
const EXISTED = 'fact.until > $at AND coalesce(fact.from, fact.since) <= $at';

/**
 * Finds the relationships that ended, and existed at the instant, from a node or to it. `key` is
 * Cypher that gives the key of the node.
 */
export const endedFacts = ({ types, towards }: Way, key: string): string => {
  const end = towards === 'end' ? 'start' : 'end';
  return `MATCH (fact:${PastRelationship.label} {${end}: ${key}})
USING INDEX SEEK fact:${PastRelationship.label}(${end}, until)
WHERE ${EXISTED} AND fact.type IN ${textList(types)}`;
};

/** Finds the version of a node that held at the instant and ended. `key` is Cypher. */
export const endedVersion = (key: string): string =>
  `MATCH (version:${PastNode.label} {key: ${key}})
USING INDEX SEEK version:${PastNode.label}(key, until)
WHERE version.until > $at AND version.from <= $at`;

const inCall = (cypher: string): string => cypher.replaceAll('\n', '\n  ');

const endedAt = (towards: Way['towards']): string =>
  inCall(endedFacts({ types: AT_SHARED, towards }, 'key'));

/** Those of the rows that existed at the instant. What exists is read before what ended. `$keys[0]`. */
export const ROWS_THEN = `UNWIND $keys[0] AS key
CALL (key) {
  ${inCall(seekEntity('n', 'key'))}
  WITH n WHERE n.since <= $at
  RETURN 1 AS found LIMIT 1
  UNION ALL
  ${inCall(endedVersion('key'))}
  RETURN 1 AS found LIMIT 1
}
RETURN DISTINCT key`;

/**
 * Those of the shared nodes that existed at the instant: something led to them (docs/rules.md:
 * History). What exists is read before what ended. `$keys[0]`.
 */
export const SHARED_THEN = `UNWIND $keys[0] AS key
CALL (key) {
  ${inCall(seekEntity('n', 'key'))}
  MATCH (n)-[fact:${AT_SHARED.join('|')}]-()
  WHERE fact.since <= $at
  RETURN 1 AS found LIMIT 1
  UNION ALL
  ${endedAt('end')}
  RETURN 1 AS found LIMIT 1
  UNION ALL
  ${endedAt('start')}
  RETURN 1 AS found LIMIT 1
}
RETURN DISTINCT key`;

/**
 * The versions of relationships that existed, if they ended since. `$rows[0]`: lists of `type`,
 * `start` and `end`.
 */
export const ENDED_SINCE = `UNWIND $rows[0] AS row
MATCH (fact:${PastRelationship.label} {start: row[1]})
USING INDEX SEEK fact:${PastRelationship.label}(start, until)
WHERE ${EXISTED} AND fact.type = row[0] AND fact.end = row[2]
RETURN DISTINCT properties(fact) AS fact`;
