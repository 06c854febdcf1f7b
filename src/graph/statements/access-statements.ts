import {
  ACTED_FOR,
  ACTING,
  findTarget,
  findWho,
  GAIN,
  GIVES,
  HELD_BY_ENTITY,
  HOLDING,
  SCOPES_AROUND,
  TARGETS,
  TARGETS_WITHIN,
} from './access-rules';

/*
 * Who can reach what: statements of the questions that the saved queries share.
 */

/**
 * Everything that a principal can reach. `principal` is Cypher that gives its key. Ends with
 * `target` and the lists of its `permissions`.
 */
export const reachedBy = (principal: string): string => `${findWho('who', principal)}
${ACTING}
${HELD_BY_ENTITY}
WITH DISTINCT held
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH given, collect(DISTINCT scope) AS scopes
${GIVES}
UNWIND scopes AS scope
UNWIND gives AS give
WITH scope, collect(give) AS gives
${TARGETS}
WITH target,
  ${HOLDING} AS permissions
WHERE size(permissions) > 0
WITH target, collect(permissions) AS permissions`;

/** Everything that `$principal` can reach. */
export const accessOf = reachedBy('$principal');

/** `holder` → each `entity` that gains what it holds. */
const GAINING = `  MATCH (entity:Principal)-[:${GAIN}*0..]->(holder)`;

/** What is held on `$resource`: lists of `entitlements`, each with the `permissions` that they give there. */
const HELD_ON = `${findTarget('target', '$resource')}
MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH target, scope, given, collect(held) AS entitlements
${GIVES}
WITH entitlements,
  ${HOLDING} AS permissions`;

/** The same lists for what is held on `$resource`, or on something that it contains. */
const HELD_WITHIN = `${findTarget('root', '$resource')}
${SCOPES_AROUND}
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH given, scope, top, collect(held) AS entitlements
WITH given, collect({scope: scope, top: top, entitlements: entitlements}) AS places
${GIVES}
UNWIND places AS place
WITH place.scope AS scope, place.top AS top,
  collect({entitlements: place.entitlements, gives: gives}) AS grants
${TARGETS_WITHIN}
UNWIND grants AS grant
WITH scope, target, grant.entitlements AS entitlements, grant.gives AS gives
WITH entitlements,
  ${HOLDING} AS permissions`;

/** Those who have what is `held`. */
const reaching = (held: string): string => `${held}
WHERE size(permissions) > 0
UNWIND entitlements AS held
MATCH (holder)-[:HOLDS]->(held)
UNWIND permissions AS permission
WITH holder, collect(DISTINCT permission) AS permissions
CALL (holder) {
${GAINING}
  RETURN DISTINCT entity
}
${ACTED_FOR}
WITH who, collect(permissions) AS permissions`;

/**
 * All who can reach a resource or application. `$resource`. Ends with `who` and the lists of their
 * `permissions`.
 */
export const accessTo = reaching(HELD_ON);

/** All who can reach a resource or application, or, with `contents`, it or something in it. */
export const accessToAny = (contents: boolean): string =>
  contents ? reaching(HELD_WITHIN) : accessTo;

const BETWEEN = `${findWho('who', '$principal')}
${findTarget('target', '$resource')}
MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
WITH who, target, collect(scope) AS scopes
${ACTING}`;

/**
 * The permissions of a principal on a resource or application. `$principal`, `$resource`. Ends with
 * each `permission`.
 */
export const accessBetween = `${BETWEEN}
${HELD_BY_ENTITY}
WITH DISTINCT target, scopes, held
MATCH (held)-[:ON]->(scope)
WHERE scope IN scopes
WITH DISTINCT target, scope, held
MATCH (held)-[:OF]->(given)
WITH DISTINCT target, scope, given
${GIVES}
UNWIND ${HOLDING} AS permission
WITH DISTINCT permission`;

/**
 * The grants and assignments that give the requested permissions. `$principal`, `$resource`,
 * `$names`, `$permission_type`. Ends with `found`.
 */
export const accessFound = `${BETWEEN}
MATCH (entity)-[:${GAIN}*0..]->(step)
WITH who, target, scopes, collect(DISTINCT step) AS reached
CALL (target, scopes, reached) {
  UNWIND reached AS held
  WITH target, scopes, held WHERE held:Entitlement
  MATCH (held)-[on:ON]->(scope)
  WHERE scope IN scopes
  MATCH (held)-[:OF]->(given)
  WITH DISTINCT target, held, on, scope, given
  ${GIVES.replaceAll('\n', '\n  ')}
  WITH held, on, scope, given,
    ${HOLDING.replaceAll('\n', '\n  ')} AS permissions
  WITH held, on, scope, given, [permission IN permissions
    WHERE ($names IS NULL OR permission.name IN $names)
      AND ($permission_type IS NULL OR $permission_type IN permission.permission_type)] AS permissions
  WHERE size(permissions) > 0
  RETURN collect({held: held, on: on, scope: scope, given: given, permissions: permissions}) AS found
}`;

/** The permissions of a principal on a resource. `$principal`, `$resource`. */
export const PERMISSIONS_BETWEEN = `${accessBetween}
WITH DISTINCT permission.name AS name, permission.permission_type AS permission_type
ORDER BY name
RETURN name, permission_type`;
