import { findTarget, findWho, GAIN } from '../../graph/statements/access-rules';
import { accessFound } from '../../graph/statements/access-statements';
import { summaryOf } from './summary';

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
