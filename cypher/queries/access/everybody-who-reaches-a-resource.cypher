// Everybody who reaches a resource (a picture)
// Who reaches a resource with any permission, and through what?
//
// Parameters (in Neo4j Browser, before the query):
//   :param resource => 'Firmware.motor-control'
//   resource: the key, path or name of a resource, or the key or name of an application
//
// One row for each shortest way of a principal to something that is held: `connected` for a resource that acts with
// its access, `way` to the one who holds it, and `place` from there to the resource. A picture in Neo4j Browser.
// Roles: administrator, analyst, auditor.

// <shared: find the resource>
CALL () {
  MATCH (target:Entity {key: $resource})
  WHERE target:Resource|Application
  RETURN target
  UNION
  MATCH (target:Resource)
  WHERE target.fold_path = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_name = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_exact = normalize($resource)
  RETURN target
  UNION
  MATCH (target:Application)
  WHERE target.fold_name = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_exact = normalize($resource)
  RETURN target
}
// </shared>
// <shared: everybody who reaches the target>
// What is held on the target itself, or on anything that contains it: without a label, at which a plan might begin.
MATCH (scope)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH target, scope, given, collect(DISTINCT held) AS entitlements
CALL (given) {
  MATCH (given)-[:INCLUDES|ALLOWS*0..]->(permission)
  WITH DISTINCT given, permission
  WHERE permission:Permission
  RETURN collect({
    permission: permission,
    spreads: coalesce(permission.apply_to_sub_resources, false),
    through_role: given:LocalRole,
    // Through a role, a typed permission holds on resources of its type only.
    resource_type: CASE WHEN given:LocalRole THEN permission.fold_resource_type END,
    application_types: permission.fold_application_types
  }) AS gives
}
WITH target, scope, entitlements,
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
WHERE size(permissions) > 0
UNWIND entitlements AS held
WITH DISTINCT target, scope, held
// Everyone from whom a path of gain leads to a holder.
MATCH (holder)-[:HOLDS]->(held)
MATCH way = ALL SHORTEST (entity:Principal)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES]->*(holder)
MATCH place = (holder)-[:HOLDS]->(held)-[:ON]->(scope)-[:CONTAINS*0..]->(target)
// A connected resource acts with that entity's access, one step, and does not pass it on.
OPTIONAL MATCH connected = (:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity)
RETURN connected, way, place
ORDER BY length(way), [node IN nodes(way) | coalesce(node.name, node.arn, node.id, node.unique_id)],
  held.name, scope.name, entity.key, held.key, scope.key
// </shared>
