// Guests with write access
// Which guests can change data, and where?
//
// Parameters: none.
//
// One row for each guest and resource, with the permissions of the canonical types DataWrite, DataCreate,
// DataDelete.
// A report about the complete graph: it looks at all users of directories.
// Roles: administrator, analyst, auditor.

MATCH (person:IdpUser)
WHERE person.is_guest
// Everything that each person gains, and what is held there: each thing once, however many gain it.
MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
WITH holder, collect(DISTINCT [person]) AS seekers
MATCH (holder)-[:HOLDS]->(held:Entitlement)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
UNWIND seekers AS seeker
WITH given, scope, collect(DISTINCT seeker) AS seekers
WITH given, collect({scope: scope, seekers: seekers}) AS places
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
UNWIND places AS place
WITH gives, place.scope AS scope, place.seekers AS seekers
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
WITH seekers, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
UNWIND seekers AS seeker
WITH seeker[0] AS person, target, permissions
WITH person, target, [permission IN permissions WHERE any(type IN permission.permission_type WHERE type IN ['DataWrite', 'DataCreate', 'DataDelete'])] AS permissions
WHERE size(permissions) > 0
WITH person, target, collect(permissions) AS found
RETURN person.name AS guest, person.email AS email,
  COLLECT {
    MATCH (person)-[:MANAGED_BY]->(manager)
    RETURN DISTINCT coalesce(manager.name, manager.arn, manager.id, manager.unique_id) AS name ORDER BY name
  } AS managers,
  target.application AS application, coalesce(target.path, target.name) AS resource,
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  person.key AS key
ORDER BY guest, application, resource, key
