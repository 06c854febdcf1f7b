import { HELD_TYPES } from '../../access/relationship-types';
import { accessKinds } from '../../graph/statements/access-kinds';
import { textList } from '../../graph/statements/text-list';
import { PastNode, PastRelationship } from '../../model/past-facts';
import { ENTITY, type NodeKind } from '../../model/table';
import { nameOf } from './summary';

/*
 * Statements that read the access graph (docs/architecture.md: Access in memory). Each row is one
 * list, which the driver unpacks faster than columns.
 */

/** The columns of a node behind its key and its time. Steps of ways only have a name. */
export const FACTS = [
  'name',
  'path',
  'resource_type',
  'application',
  'domain',
  'provider',
  'application_type',
  'application_types',
  'permission_type',
  'apply_to_sub_resources',
  'is_active',
  'deactivated_at',
  'identity_type',
  'user_type',
  'is_guest',
] as const;

/** A fact of a node, in Cypher. */
export const valueOf = (node: string, fact: (typeof FACTS)[number]): string => {
  if (fact === 'name') return nameOf(node);
  return fact === 'deactivated_at' ? `toString(${node}.${fact})` : `${node}.${fact}`;
};

/** Whether answers say more about nodes of a kind than their name. */
export const isShown = ({ label, also }: NodeKind): boolean =>
  also.includes('Principal') ||
  ['Application', 'Resource', 'Permission', 'IdpApp', 'HrisGroup'].includes(label);

/** A row of a node: its key, its time and its facts, in Cypher. */
export const rowOf = (node: string, since: string, facts: readonly string[]): string =>
  `[${[`${node}.key`, `toString(${since})`, ...facts].join(', ')}]`;

/** A row of a version that ended, in Cypher. */
export const pastRowOf = (past: string): string =>
  rowOf(
    past,
    `${past}.from`,
    FACTS.map((fact) => valueOf(past, fact)),
  );

const ONE_AFTER_THE_OTHER = '\nUNION ALL\n';

/** All nodes, each with the place of its kind. It is one statement, since small graphs are loaded often. */
export const ALL_NODES = accessKinds
  .map((kind, place) => {
    const facts = (isShown(kind) ? FACTS : (['name'] as const)).map((fact) =>
      valueOf('node', fact),
    );
    return `MATCH (node:${kind.label})
RETURN ${rowOf('node', 'node.since', facts)} AS row, ${place} AS of`;
  })
  .join(ONE_AFTER_THE_OTHER);

/** All relationships, by the nodes where they start: a key is sent once for all of them. */
export const ALL_RELATIONSHIPS = `MATCH (from:${ENTITY})
WITH from, [(from)-[fact:${HELD_TYPES.join('|')}]->(to) | [type(fact), to.key, toString(fact.since)]] AS facts
WHERE size(facts) > 0
RETURN from.key AS from, facts`;

/** The versions of nodes that ended after an instant: `$at`. */
export const NODES_ENDED = `MATCH (node:${PastNode.label})
WHERE node.until > $at
RETURN ${pastRowOf('node')} AS row, node.label AS label, toString(node.until) AS until`;

/** The relationships that ended after an instant: `$at`. */
export const RELATIONSHIPS_ENDED = `MATCH (fact:${PastRelationship.label})
WHERE fact.until > $at AND fact.type IN ${textList(HELD_TYPES)}
RETURN [fact.start, fact.end, toString(coalesce(fact.from, fact.since))] AS row, fact.type AS type,
  toString(fact.until) AS until`;

/** The pushes that brought facts at some instants: `$instants`. */
export const PUSHES_AT = `UNWIND $instants AS at
MATCH (push:Push {at: at})-[:FROM]->(source:DataSource)
RETURN at, push.id AS push, source.id AS data_source`;
