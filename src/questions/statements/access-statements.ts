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
} from '../../graph/statements/access-rules';
import { summaryOf } from './summary';

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

/**
 * The material of an explanation, in one record: what is `found`, all `ways` of gain among the
 * nodes that the principal reaches, and the `places`, which are the ways from scopes down to the
 * resource. Parameters as in `accessFound`.
 */
export const EXPLAIN_ACCESS = `${accessFound}
CALL (reached, found) {
  WITH reached, [row IN found | row.held] AS entitlements,
    reduce(all = [], row IN found | all + row.permissions) AS permissions
  WHERE size(found) > 0
  UNWIND reached AS step
  MATCH (step)-[way:${GAIN}|ALLOWS]->(next)
  WHERE (NOT next:Permission OR next IN permissions) AND (NOT next:Grant OR next IN entitlements)
  RETURN collect([elementId(way), elementId(step), type(way), elementId(next)]) AS ways
}
CALL (who, found) {
  MATCH (who:Resource)-[connection:CONNECTS_TO]->(external:ExternalEntity)-[resolution:RESOLVES_TO]->(entity:Principal)
  WHERE size(found) > 0
  RETURN collect(DISTINCT [elementId(connection), elementId(who), type(connection), elementId(external)]) +
    collect(DISTINCT [elementId(resolution), elementId(external), type(resolution), elementId(entity)]) AS connections
}
CALL (target, found) {
  UNWIND [row IN found | row.scope] AS scope
  WITH DISTINCT scope, target
  MATCH place = (scope)-[:CONTAINS*0..]->(target)
  RETURN collect([elementId(scope), [contains IN relationships(place) | elementId(contains)]]) AS places
}
RETURN elementId(who) AS who, connections + ways AS ways, places, [row IN found | {
  held: elementId(row.held),
  on: elementId(row.on),
  given: elementId(row.given),
  scope: elementId(row.scope),
  permissions: [permission IN row.permissions | elementId(permission)]
}] AS found`;

/**
 * The names that a permission has in the resource's data source, in any case. `$resource`,
 * `$fold_name`.
 */
export const PERMISSIONS_NAMED = `${findTarget('target', '$resource')}
MATCH (permission:Permission {fold_name: $fold_name})
WHERE permission.data_source = target.data_source
RETURN DISTINCT permission.name AS name`;

/**
 * The names of the requested permissions, each after its data source. In each data source this is
 * exactly the requested name, or else the same name in other cases. `$asked`: a list of `name` and
 * `fold_name`.
 */
export const PERMISSIONS_ASKED = `UNWIND $asked AS asked
MATCH (permission:Permission {fold_name: asked.fold_name})
WITH asked, permission.data_source AS source, collect(DISTINCT permission.name) AS names
UNWIND CASE WHEN asked.name IN names THEN [asked.name] ELSE names END AS name
RETURN collect(DISTINCT source + '|' + name) AS names`;

/**
 * The names of the requested applications: the exact name, or else the same name in other cases.
 * `$asked`: a list of `name` and `fold_name`.
 */
export const APPLICATIONS_ASKED = `UNWIND $asked AS asked
MATCH (application:Application {fold_name: asked.fold_name})
WITH asked, collect(DISTINCT application.name) AS names
UNWIND CASE WHEN asked.name IN names THEN [asked.name] ELSE names END AS name
RETURN collect(DISTINCT name) AS names`;

/** The start of an explanation's paths. `$id`. */
export const FIRST_HOP = `${findWho('node', '$id')}
OPTIONAL MATCH (push:Push {at: node.since})-[:FROM]->(source:DataSource)
RETURN ${summaryOf('node')} AS about, toString(node.since) AS since, push.id AS push, source.id AS data_source`;

/** The names of data sources and of their providers. `$ids`. */
export const SOURCE_NAMES = `UNWIND $ids AS id
MATCH (source:DataSource {key: id})-[:FROM]->(provider:Provider)
RETURN id, source.name AS name, provider.name AS provider`;
