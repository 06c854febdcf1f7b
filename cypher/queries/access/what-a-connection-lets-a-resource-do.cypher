// What a connection lets a resource do
// What can a resource do because it is connected to a principal?
//
// Parameters: none.
//
// One row for each connected resource and what it can reach. It acts with the access of that principal, one step
// (docs/rules.md: Effective access).
// A report about the complete graph: it looks at all that connections and owners name.
// Roles: administrator, analyst, auditor.

MATCH (external:ExternalEntity)<-[connection:CONNECTS_TO]-(who:Resource)
MATCH (external)-[:RESOLVES_TO]->(entity:Principal)
// Everything that entity gains, and what is held there.
MATCH (entity)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
WITH DISTINCT who, connection, entity, held
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH DISTINCT who, connection, entity, held, given, scope
// <shared: what a permission or role gives>
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
// </shared>
// <shared: on what it may hold>
// Walks down only if a permission is inherited: a scope may contain much.
CALL (scope, gives) {
  RETURN scope AS target
  UNION ALL
  WITH scope, gives WHERE any(give IN gives WHERE (give.spreads OR give.through_role AND scope:Application))
  MATCH (scope)-[:CONTAINS*1..]->(target)
  RETURN target
}
// </shared>
WITH who, connection, entity, held, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
WITH who, connection, entity, target, collect(permissions) AS found
RETURN who.application AS application, coalesce(who.path, who.name) AS resource,
  coalesce(entity.name, entity.arn, entity.id, entity.unique_id) AS acts_as, [label IN labels(entity) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  target.application AS reaches_in, coalesce(target.path, target.name) AS reaches,
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  connection.since AS since
ORDER BY application, resource, acts_as, reaches_in, reaches
