import { PastNode, PastRelationship } from '../../model/past-facts';
import type { NodeKind } from '../../model/table';
import { derivations } from '../../templates/graph/derivations';
import { sharedKinds } from '../../templates/graph/nodes';
import { relationshipKinds } from '../../templates/graph/relationships';
import { seekEntity } from '../../graph/statements/seek';
import { textList } from '../../graph/statements/text-list';

/*
 * Cypher that reads facts at an instant, and that stages them (docs/architecture.md: A question
 * about an instant). `$at` is the instant.
 */

/** One step of a walk: from the nodes of a set, along relationships of these types. */
export interface Step {
  /** The set of nodes from which the step leads. */
  readonly from: string;
  readonly types: readonly string[];
  /** Whether the step follows the relationships, or goes against them. */
  readonly towards: 'end' | 'start';
  /** The set to which it adds what it finds. */
  readonly into: string;
  /**
   * Whether it goes on from what it finds. Then the set has the nodes of `from` too. It does not go
   * on from nodes that are in the set already, so only steps that go the same way may share such a
   * set.
   */
  readonly repeats?: boolean;
  /**
   * Takes only the facts that lead into this set, which must exist before. `into` then gets the
   * near ends of these facts.
   */
  readonly within?: string;
}

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

/** The values that distinguish relationships of one type between the same nodes. */
const APART = '[fact.id, fact.owner_type, fact.primary]';

/** The condition that a relationship that ended existed at the instant. */
const EXISTED = 'fact.until > $at AND coalesce(fact.from, fact.since) <= $at';

/** The two halves of the arrow of a pattern that goes this way. */
const arrows = (towards: Step['towards']): readonly [left: string, right: string] =>
  towards === 'end' ? ['-', '->'] : ['<-', '-'];

const standing = (begin: string, { types, towards }: Step): string => {
  const [left, right] = arrows(towards);
  return `UNWIND $ids[0] AS id
${begin}
MATCH (near)${left}[fact:${types.join('|')}]${right}(far)
WHERE fact.since <= $at
RETURN near.key AS near, elementId(near) AS near_id, far.key AS far, elementId(far) AS far_id,
  type(fact) AS type, elementId(fact) AS id, ${APART} AS apart`;
};

/**
 * The relationships that exist now, and existed at the instant, from nodes or to them. `$ids[0]`
 * are Neo4j's ids of the nodes.
 */
export const existingFacts = (step: Step): string =>
  standing('MATCH (near) WHERE elementId(near) = id', step);

/**
 * The same, and those from all nodes to which such relationships lead. It walks from each node
 * separately, so it is for a few nodes. It may walk along relationships that were created after the
 * instant.
 */
export const existingFactsBeyond = (step: Step): string => {
  const [left, right] = arrows(step.towards);
  return standing(
    `MATCH (begin) WHERE elementId(begin) = id
MATCH (begin)${left}[:${step.types.join('|')}*0..]${right}(near)
WITH DISTINCT near`,
    step,
  );
};

/**
 * Finds the relationships that ended, and existed at the instant, from a node or to it. `key` is
 * Cypher that gives the key of the node.
 */
export const endedFacts = (
  { types, towards }: Pick<Step, 'types' | 'towards'>,
  key: string,
): string => {
  const end = towards === 'end' ? 'start' : 'end';
  return `MATCH (fact:${PastRelationship.label} {${end}: ${key}})
USING INDEX SEEK fact:${PastRelationship.label}(${end}, until)
WHERE ${EXISTED} AND fact.type IN ${textList(types)}`;
};

/** The relationships that ended, and existed at the instant, from nodes or to them. `$keys[0]`. */
export const pastFacts = (step: Step): string => `UNWIND $keys[0] AS key
${endedFacts(step, 'key')}
RETURN properties(fact) AS fact, ${APART} AS apart`;

/** Finds the version of a node that held at the instant and ended. `key` is Cypher. */
export const endedVersion = (key: string): string =>
  `MATCH (version:${PastNode.label} {key: ${key}})
USING INDEX SEEK version:${PastNode.label}(key, until)
WHERE version.until > $at AND version.from <= $at`;

/** The versions of nodes that held at the instant and ended. `$keys[0]`. */
export const PAST_VERSIONS = `UNWIND $keys[0] AS key
${endedVersion('key')}
RETURN key, properties(version) AS properties`;

const inCall = (cypher: string): string => cypher.replaceAll('\n', '\n  ');

const endedAt = (towards: Step['towards']): string =>
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
 * The property in which a staged node has a `deactivated_at` after the instant. Without the property
 * itself the node is not inactive then.
 */
export const DEACTIVATED_LATER = 'deactivated_later';

const deactivation = (node: string): string =>
  `deactivated_at: CASE WHEN ${node}.deactivated_at <= $at THEN ${node}.deactivated_at END,
  ${DEACTIVATED_LATER}: CASE WHEN ${node}.deactivated_at > $at THEN ${node}.deactivated_at END`;

/**
 * Stages nodes that exist now, if they existed at the instant. Nobody knows since when a shared
 * node existed that was created again, nor when a row changed before its last change. `$ids[0]`,
 * `$prefix`.
 */
export const STAGE_STANDING_NODES = `UNWIND $ids[0] AS id
MATCH (n) WHERE elementId(n) = id AND (n.data_source IS NULL OR n.since <= $at)
CREATE (staged:$(labels(n)))
SET staged = n {.*, key: $prefix + n.key, data_source: $prefix + n.data_source,
  since: CASE WHEN n.since <= $at THEN n.since END,
  changed: CASE WHEN n.changed <= $at THEN n.changed END,
  ${deactivation('n')}}
RETURN n.key AS key, elementId(staged) AS id`;

/**
 * Stages nodes that ended, like existing ones. `$rows[0]`: a list of `key`, `labels` and
 * `properties`.
 */
export const STAGE_PAST_NODES = `UNWIND $rows[0] AS row
CREATE (staged:$(row.labels))
SET staged = row.properties
SET staged += {${deactivation('staged')}}
RETURN row.key AS key, elementId(staged) AS id`;

/** Gives staged nodes the properties of a version that held then. `$rows[0]`: a list of `id` and `properties`. */
export const STAGE_VERSIONS = `UNWIND $rows[0] AS row
MATCH (staged) WHERE elementId(staged) = row.id
SET staged = row.properties
SET staged += {${deactivation('staged')}}`;

/**
 * Stages relationships that exist now. `$rows[0]`: lists of Neo4j's ids of it and of both ends.
 * Returns the ids of those that no longer exist.
 */
export const STAGE_STANDING_FACTS = `UNWIND $rows[0] AS row
OPTIONAL MATCH ()-[fact]->() WHERE elementId(fact) = row[0]
CALL (row, fact) {
  WITH row, fact WHERE fact IS NOT NULL
  MATCH (start) WHERE elementId(start) = row[1]
  MATCH (end) WHERE elementId(end) = row[2]
  CREATE (start)-[staged:$(type(fact))]->(end)
  SET staged = properties(fact)
}
WITH row, fact
WHERE fact IS NULL
RETURN row[0] AS id`;

/**
 * The versions of relationships that existed, if they ended since. `$rows[0]`: lists of `type`,
 * `start` and `end`.
 */
export const ENDED_SINCE = `UNWIND $rows[0] AS row
MATCH (fact:${PastRelationship.label} {start: row[1]})
USING INDEX SEEK fact:${PastRelationship.label}(start, until)
WHERE ${EXISTED} AND fact.type = row[0] AND fact.end = row[2]
RETURN DISTINCT properties(fact) AS fact, ${APART} AS apart`;

/** Stages relationships that ended. `$rows[0]`: lists of type, both ends' ids, and properties. */
export const STAGE_PAST_FACTS = `UNWIND $rows[0] AS row
MATCH (start) WHERE elementId(start) = row[1]
MATCH (end) WHERE elementId(end) = row[2]
CREATE (start)-[staged:$(row[0])]->(end)
SET staged = row[3]`;
