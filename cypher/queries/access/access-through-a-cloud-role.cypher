// Access through a cloud role
// Who can do what because a cloud role that they assume acts as a role of an application?
//
// Parameters: none.
//
// One row for each cloud role and resource: the users of directories who assume it, directly, by a group or by an
// app, and what it allows there.
// A report about the complete graph: it looks at all cloud roles.
// Roles: administrator, analyst, auditor.

MATCH (cloud:CloudRole)
WHERE EXISTS { (cloud)-[:ACTS_AS]->() }
// Everything that cloud gains, and what is held there.
MATCH (cloud)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
WITH DISTINCT cloud, held
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH DISTINCT cloud, held, given, scope
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
WITH cloud, held, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
WITH cloud, target, collect(permissions) AS found
RETURN cloud.arn AS cloud_role,
  COLLECT {
    UNWIND [(cloud)-[:ACTS_AS]->(role) | role.name] AS value
    RETURN DISTINCT value ORDER BY value
  } AS acts_as,
  target.application AS application,
  coalesce(target.path, target.name) AS resource,
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  COLLECT {
    MATCH (person:IdpUser)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*1..]->(cloud)
    RETURN DISTINCT person.name AS name ORDER BY name
  } AS people
ORDER BY cloud_role, application, resource
