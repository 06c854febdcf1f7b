// Permissions that nobody has
// Which permissions does nobody have on anything?
//
// Parameters: none.
//
// One row for each permission of a data source that no grant or role assignment gives, or that is given only where it
// has no effect.
// A report about the complete graph: it looks at all permissions and roles, and for each at the places where it is
// held, until one of them gives something.
// Roles: administrator, analyst, auditor.

CALL () {
  MATCH (given:Permission|LocalRole)
  WHERE EXISTS { (given)<-[:OF]-() }
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
  UNWIND gives AS each
  // Each permission or role once, until one place is found where it has an effect.
  WITH given, each.permission AS permission, [each] AS gives
  WHERE EXISTS {
    MATCH (given)<-[:OF]-(held:Entitlement)-[:ON]->(scope)
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
    WITH
      // <shared: what holds on the target>
      [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
        AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
        AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
      // </shared>
    WHERE size(permissions) > 0
    RETURN permissions
  }
  RETURN collect(DISTINCT permission) AS had
}
MATCH (permission:Permission)
WITH permission.data_source AS source, permission.name AS name, had, collect(permission) AS nodes
WHERE NOT EXISTS { UNWIND nodes AS node WITH node WHERE node IN had RETURN node }
MATCH (data_source:DataSource {id: source})
RETURN data_source.provider AS provider, name AS permission,
  COLLECT {
    UNWIND head(nodes).permission_type AS value
    RETURN DISTINCT value ORDER BY value
  } AS permission_types,
  COLLECT {
    UNWIND nodes AS node
    MATCH (node)<-[:ALLOWS]-(role)
    WITH role.application + ': ' + role.name AS value
    RETURN DISTINCT value ORDER BY value
  } AS roles
ORDER BY provider, permission
