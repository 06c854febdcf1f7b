// Permissions that nobody has
// Which permissions does nobody have on anything?
//
// Parameters: none.
//
// One row for each permission of a data source that no grant or role assignment gives, or only where it does not
// hold.
// A report about the whole graph: it looks at all that is held, each permission or role once for each scope.
// Generated from src/kit by `npm run cypher`; do not edit.
CALL () {
  MATCH (scope:Application|Resource)
  MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
  WITH scope, given, collect(DISTINCT held) AS entitlements
  CALL (given, scope) {
    MATCH (given)-[:INCLUDES*0..]->(part)
    WITH DISTINCT given, scope, part
    MATCH (part)-[:ALLOWS*0..1]->(permission:Permission)
    WITH DISTINCT given, scope, permission
    RETURN collect({
      permission: permission,
      // Inherited by what the scope contains; a role on an application holds on all its resources.
      spreads: coalesce(permission.apply_to_sub_resources, false) OR (given:LocalRole AND scope:Application),
      // Through a role, a typed permission holds on resources of its type only.
      resource_type: CASE WHEN given:LocalRole THEN permission.fold_resource_type END,
      application_types: permission.fold_application_types
    }) AS gives
  }
  // What contains much is walked only for what it hands down.
  CALL (scope, gives) {
    RETURN scope AS target
    UNION ALL
    WITH scope, gives WHERE any(give IN gives WHERE give.spreads)
    MATCH (scope)-[:CONTAINS*1..]->(target)
    RETURN target
  }
  WITH entitlements, target,
    [give IN gives WHERE (target = scope OR give.spreads)
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  WHERE size(permissions) > 0
  UNWIND permissions AS permission
  RETURN collect(DISTINCT permission) AS had
}
MATCH (permission:Permission)
WITH permission.data_source AS source, permission.name AS name, had, collect(permission) AS nodes
WHERE none(node IN nodes WHERE node IN had)
MATCH (data_source:DataSource {id: source})
RETURN data_source.provider AS provider, name AS permission,
  COLLECT {
    UNWIND head(nodes).permission_type AS value
    RETURN DISTINCT value ORDER BY value
  } AS permission_types,
  COLLECT {
    UNWIND reduce(names = [], node IN nodes | names + [(node)<-[:ALLOWS]-(role) | role.application + ': ' + role.name]) AS value
    RETURN DISTINCT value ORDER BY value
  } AS roles
ORDER BY provider, permission
