// Administrators by application
// Who can change how each application itself is set up?
//
// Parameters: none.
//
// One row for each application and principal with permissions of the canonical types MetadataWrite, MetadataCreate,
// MetadataDelete on the application itself.
// A report about the complete graph: it looks at all applications.
// Roles: administrator, analyst, auditor.

MATCH (scope:Application)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH scope, given, collect(DISTINCT held) AS entitlements
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
WITH scope, entitlements, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
WITH scope, entitlements, target, [permission IN permissions WHERE any(type IN permission.permission_type WHERE type IN ['MetadataWrite', 'MetadataCreate', 'MetadataDelete'])] AS permissions
WHERE target = scope AND size(permissions) > 0
UNWIND entitlements AS held
MATCH (holder)-[:HOLDS]->(held)
MATCH (who:IdpUser|LocalUser|LocalAgent|AccessCredential)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
WITH target, who, collect(DISTINCT permissions) AS found
RETURN target.name AS application, coalesce(who.name, who.arn, who.id, who.unique_id) AS who, [label IN labels(who) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  coalesce(who.application, who.domain) AS lives_in,
  // <shared: marks of who>
  [mark IN [
    CASE WHEN who.is_active = false OR who.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN who.is_guest THEN 'guest' END,
    CASE WHEN who.identity_type = 'NONHUMAN' OR who.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  who.key AS key
ORDER BY application, who, label, key
