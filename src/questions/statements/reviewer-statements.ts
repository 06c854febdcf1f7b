import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { findTarget, findWho } from '../../graph/statements/access-rules';
import { seekEntity } from '../../graph/statements/seek';
import { endedVersion } from './instant-statements';
import { summaryOf } from './summary';

/*
 * The service finds reviewers in memory (`src/access/reviewers.ts`). These statements find the same
 * for people who run them in Neo4j Browser.
 */

/**
 * The emails of nodes, now (`$at` is null) or at an instant: first of those that exist, then of the
 * versions that ended. `$keys[0]`, `$at`.
 */
export const EMAILS = `UNWIND $keys[0] AS key
CALL (key) {
  ${seekEntity('n', 'key').replaceAll('\n', '\n  ')}
  WITH n WHERE $at IS NULL OR n.since <= $at
  RETURN n.email AS email, 0 AS place
  UNION ALL
  ${endedVersion('key').replaceAll('\n', '\n  ')}
  RETURN version.email AS email, 1 AS place
}
RETURN key, email ORDER BY place`;

const RETURN_REVIEWERS = `RETURN ${summaryOf('reviewer')} AS about, reviewer.email AS email, why, through, since, distance`;

const through = (node: string): string => summaryOf(node).replaceAll('\n', '\n  ');

/**
 * Who should review the access of a principal, or of all nodes of a human: the managers of the
 * person, or of the people behind an account or identity; their owners; those who own them by
 * `entities_owned`. `$ids`.
 */
const REVIEWERS_OF_PRINCIPAL = `UNWIND $ids AS id
${findWho('who', 'id')}
CALL (who) {
  MATCH (person:IdpUser)-[:KNOWN_AS|IDENTITY_OF|HAS_CREDENTIAL*0..3]->(who)
  WITH DISTINCT person, who
  MATCH (person)-[managed:MANAGED_BY]->(reviewer:IdpUser)
  RETURN reviewer, 'manager' AS why, person AS by, managed.since AS since, CASE WHEN person.key IN $ids THEN 0 ELSE 1 END AS distance
  UNION
  MATCH (who)-[owned:OWNED_BY]->(identity:Identity)
  OPTIONAL MATCH (person:IdpUser|IdpGroup)-[:KNOWN_AS]->(identity)
  RETURN coalesce(person, identity) AS reviewer, 'owner' AS why, who AS by, owned.since AS since, 0 AS distance
  UNION
  MATCH (reviewer:IdpUser|IdpGroup)-[:OWNS]->(:ExternalEntity)-[named:RESOLVES_TO]->(who)
  RETURN reviewer, 'entities_owned' AS why, who AS by, named.since AS since, 0 AS distance
}
WITH DISTINCT reviewer, why, by, since, distance
WITH reviewer, why, since, distance, ${through('by')} AS through
${RETURN_REVIEWERS}`;

/**
 * Who should review the access to a resource or application: its managers and owners, and those of
 * what contains it. `$ids`: one key.
 */
const REVIEWERS_OF_RESOURCE = `UNWIND $ids AS id
${findTarget('target', 'id')}
MATCH way = (place:Application|Resource)-[:CONTAINS*0..]->(target)
WITH place, length(way) AS distance
CALL (place) {
  MATCH (place)-[managed:${RESOURCE_MANAGERS}]->(reviewer:IdpUser|IdpGroup)
  RETURN reviewer, '${RESOURCE_MANAGERS}' AS why, managed.since AS since
  UNION
  MATCH (place)-[owned:OWNED_BY]->(identity:Identity)
  OPTIONAL MATCH (person:IdpUser|IdpGroup)-[:KNOWN_AS]->(identity)
  RETURN coalesce(person, identity) AS reviewer, 'owner' AS why, owned.since AS since
}
WITH reviewer, why, since, distance, ${through('place')} AS through
${RETURN_REVIEWERS}`;

/** Farther than anything that contains a resource: who manages only those who have left comes last. */
const FARTHEST = 1_000;

const MANAGERS = `MATCH (person:Entity {key: id})
MATCH (person)-[managed:MANAGED_BY]->(reviewer:IdpUser)
WITH reviewer, 'manager' AS why, managed.since AS since, ${FARTHEST} AS distance, ${through('person')} AS through
${RETURN_REVIEWERS}`;

/**
 * All suggestions in one query, for people: the reviewers, and the managers of those who have left.
 * `$ids`.
 */
export const reviewersOf = (of: 'principal' | 'resource'): string => {
  const found = of === 'principal' ? REVIEWERS_OF_PRINCIPAL : REVIEWERS_OF_RESOURCE;
  return `${found}
UNION ALL
CALL () {
  ${found.replaceAll('\n', '\n  ')}
}
WITH about WHERE about.inactive
WITH DISTINCT about.id AS id
${MANAGERS}`;
};
