// Roles that allow everything
// Which roles allow to read, change, create and delete both data and metadata?
//
// Parameters: none.
//
// One row for each role whose permissions, with those of the roles that it includes, have all eight canonical types of
// data and metadata. `holders` are those to whom it is assigned.
// A report about the complete graph: it looks at all roles.
// Roles: administrator, analyst, auditor.

MATCH (given:LocalRole)
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
WITH given, [give IN gives | give.permission] AS permissions
WHERE all(type IN [verb IN ['Read', 'Write', 'Create', 'Delete'] | 'Data' + verb] + [verb IN ['Read', 'Write', 'Create', 'Delete'] | 'Metadata' + verb]
  WHERE any(permission IN permissions WHERE type IN permission.permission_type))
RETURN given.application AS application, given.name AS role,
  COLLECT {
    UNWIND [permissions] AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  COLLECT {
    MATCH (given)<-[:OF]-(held:RoleAssignment)<-[:HOLDS]-(holder)
    MATCH (held)-[:ON]->(scope)
    RETURN DISTINCT coalesce(holder.name, holder.arn, holder.id, holder.unique_id) + ' on ' + coalesce(scope.path, scope.name) AS text ORDER BY text
  } AS holders,
  given.key AS key
ORDER BY application, role, key
