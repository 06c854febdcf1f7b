// Access through source identity
// What access do people have because a user of another directory names them as source identity?
//
// Parameters: none.
//
// One row for each pair of users and application: what the one holds, the other holds too (docs/rules.md: Effective
// access).
// A report about the complete graph: it looks at all users of directories.
// Roles: administrator, analyst, auditor.

MATCH (source:IdpUser)-[link:SOURCE_IDENTITY_OF]->(person:IdpUser)
// Everything that person gains, and what is held there.
MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
WITH DISTINCT source, link, person, held
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH DISTINCT source, link, person, held, given, scope
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
WITH source, link, person, held, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
WITH source, link, person, target.application AS application, collect(permissions) AS found, collect(DISTINCT coalesce(target.path, target.name)) AS places
RETURN source.name AS who, source.domain AS of, person.name AS through, person.domain AS at,
  application,
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  size(places) AS resources,
  link.since AS since
ORDER BY who, through, application
