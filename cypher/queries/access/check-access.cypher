// What a principal may do with a resource (by keys)
// What may a principal do with a resource?
//
// Parameters (in Neo4j Browser, before the query):
//   :param principal => COLLECT { MATCH (user:IdpUser {fold_name: 'nadia haddad'}) RETURN user.key }[0]
//   principal: the key of a principal, or of a resource that connects to one; the example finds one by its name
//   :param resource => COLLECT { MATCH (resource:Resource {fold_path: 'firmware.motor-control'}) RETURN resource.key }[0]
//   resource: the key of a resource or application; the example finds one by its path
//
// One row for each native permission, with its canonical types. No row means no access. The service runs the same
// query.
// Roles: administrator, analyst, auditor.

// <shared: what a principal may do>
MATCH (who:Entity {key: $principal})
WHERE who:Principal|Resource
MATCH (target:Entity {key: $resource})
WHERE target:Application|Resource
MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
WITH who, target, collect(scope) AS scopes
CALL (who) {
  WITH who WHERE who:Principal
  RETURN who AS entity
  UNION
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity:Principal)
  RETURN entity
}
MATCH (entity)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
WITH DISTINCT target, scopes, held
MATCH (held)-[:ON]->(scope)
WHERE scope IN scopes
WITH DISTINCT target, scope, held
MATCH (held)-[:OF]->(given)
WITH DISTINCT target, scope, given
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
UNWIND [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permission
WITH DISTINCT permission
WITH DISTINCT permission.name AS name, permission.permission_type AS permission_type
ORDER BY name
RETURN name, permission_type
// </shared>
