import { PastNode, PastRelationship } from '../../model/past-facts';
import { summaryOf } from './summary';
import { textList } from '../../graph/statements/text-list';
import { PERMISSIONS_OF_ROWS } from './access-pages';
import { ACCESS_TYPES } from '../../access/relationship-types';
import { reachedBy } from './access-statements';

/**
 * Cypher that finds what changed access between two instants, `$from` and `$to` (docs/rules.md:
 * Changes of access). A fact counts if it existed at only one of them.
 */

const { label: PAST_FACT } = PastRelationship;

const begunFacts = (type: string): string => `MATCH (start)-[fact:${type}]->(end)
USING INDEX SEEK fact:${type}(since)
WHERE fact.since > $from AND fact.since <= $to
RETURN '${type}' AS type, start.key AS start, end.key AS end LIMIT $most`;

/** The relationships that exist now, and began in the period. `$most` of each type. */
export const BEGUN_FACTS = ACCESS_TYPES.map(begunFacts).join('\nUNION ALL\n');

/** The relationships that ended since, and existed at only one of the instants. `$most`. */
export const ENDED_FACTS = `MATCH (fact:${PAST_FACT})
USING INDEX SEEK fact:${PAST_FACT}(until)
WHERE fact.until > $from AND fact.type IN ${textList(ACCESS_TYPES)}
WITH fact, coalesce(fact.from, fact.since) AS from
WHERE CASE WHEN from <= $from THEN fact.until <= $to ELSE from <= $to AND fact.until > $to END
RETURN fact.type AS type, fact.start AS start, fact.end AS end LIMIT $most`;

/** By label, the properties that decide on what a permission holds, or what it lets its holder do. */
const DECIDING: Readonly<Record<string, readonly string[]>> = {
  Application: ['application_type'],
  Resource: ['resource_type', 'application_type'],
  Permission: [
    ...['name', 'permission_type', 'apply_to_sub_resources'],
    ...['resource_type', 'application_types'],
  ],
};

/** The labels of nodes whose own properties decide about access. */
export const DECIDING_LABELS: readonly string[] = Object.keys(DECIDING);

const changedNodes = (label: string): string => `MATCH (past:${PastNode.label})
USING INDEX SEEK past:${PastNode.label}(until)
WHERE past.until > $from AND past.until <= $to AND past.label = '${label}' AND past.from <= $from
OPTIONAL MATCH (n:Entity {key: past.key})
WITH past, n
WHERE n IS NULL OR n.changed > $to OR ${(DECIDING[label] ?? [])
  .map((name) => `(n.${name} <> past.${name} OR (n.${name} IS NULL) <> (past.${name} IS NULL))`)
  .join(' OR ')}
RETURN '${label}' AS label, past.key AS key LIMIT $most`;

/**
 * The nodes that existed at `$from`, and in which something changed in the period that decides
 * about access. Of a node that changed again later, all changes count. `$most` of each label.
 */
export const CHANGED_NODES = DECIDING_LABELS.map(changedNodes).join('\nUNION ALL\n');

/**
 * What staged principals can reach among the staged nodes: `$principals`. Each permission comes
 * once, with the rows that have it.
 */
export const STAGED_ACCESS = `UNWIND $principals AS principal
CALL (principal) {
  ${reachedBy('principal').replaceAll('\n', '\n  ')}
  RETURN target, permissions
}
WITH collect({principal: principal, node: target, permissions: permissions}) AS rows
${PERMISSIONS_OF_ROWS}
RETURN [row IN rows | [row.principal, row.node.key]] AS pairs, permissions`;

/** What lists say about these nodes. `$ids[0]` are Neo4j's ids of the nodes. */
export const SUMMARIES = `UNWIND $ids[0] AS id
MATCH (node) WHERE elementId(node) = id
RETURN ${summaryOf('node')} AS about`;

/** When a push was. `$push`. */
export const INSTANT_OF_PUSH = `MATCH (push:Push {key: $push})
RETURN toString(push.at) AS at`;

/**
 * Whether a data source is registered, or the history has something of it: `$data_source`, and
 * `$prefix`, with which the keys of its rows begin.
 */
export const HISTORY_OF_SOURCE = `RETURN EXISTS { (:DataSource {key: $data_source}) } OR EXISTS {
  MATCH (past:${PastNode.label})
  USING INDEX SEEK past:${PastNode.label}(key, until)
  WHERE past.key STARTS WITH $prefix AND past.until IS NOT NULL
} AS is_known`;
