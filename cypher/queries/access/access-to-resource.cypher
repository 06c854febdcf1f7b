// Who can reach a resource (by key)
// Who can reach a resource?
//
// Parameters (in Neo4j Browser, before the query):
//   :param resource => COLLECT { MATCH (resource:Resource {fold_path: 'firmware.motor-control'}) RETURN resource.key }[0]
//   resource: the key of a resource or application; the example finds one by its path
//
// One row for each principal, and for each resource that connects to one, with the native permissions. The service runs
// the same query with `entities=true`. Without it, the service answers with humans first, one row for each.
// Roles: administrator, analyst, auditor.

// <shared: who can reach a resource>
MATCH (target:Entity {key: $resource})
WHERE target:Application|Resource
MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH target, scope, given, collect(held) AS entitlements
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
WITH entitlements,
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
WHERE size(permissions) > 0
UNWIND entitlements AS held
MATCH (holder)-[:HOLDS]->(held)
UNWIND permissions AS permission
WITH holder, collect(DISTINCT permission) AS permissions
CALL (holder) {
  MATCH (entity:Principal)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
  RETURN DISTINCT entity
}
CALL (entity) {
  RETURN entity AS who
  UNION ALL
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity)
  RETURN who
}
WITH who, collect(permissions) AS permissions
// </shared>
RETURN coalesce(who.name, who.arn, who.id, who.unique_id, '') AS principal, [label IN labels(who) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  coalesce(who.application, who.domain) AS lives_in, who.is_active AS is_active,
  COLLECT {
    UNWIND permissions AS list
    UNWIND list AS permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions, who.key AS key
ORDER BY principal, lives_in, label, key
