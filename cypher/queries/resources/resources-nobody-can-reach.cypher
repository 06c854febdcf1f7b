// Resources that nobody can reach
// Which resources can nobody reach?
//
// Parameters: none.
//
// One row for each resource on which nobody holds a permission: it is forgotten, or protected outside of what was
// pushed.
// A report about the complete graph: it looks at all resources, and stops at the first thing held on each.
// Roles: administrator, analyst, auditor.

MATCH (target:Resource)
WHERE NOT EXISTS {
  MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
  MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
  WHERE EXISTS { (held)<-[:HOLDS]-() }
  WITH DISTINCT target, scope, given
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
  WITH
    // <shared: what holds on the target>
    [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
    // </shared>
  WHERE size(permissions) > 0
  RETURN permissions
}
RETURN target.application AS application, target.path AS resource, target.resource_type AS type,
  COLLECT {
    MATCH (target)-[:OWNED_BY]->(owner)
    RETURN DISTINCT coalesce(owner.name, owner.arn, owner.id, owner.unique_id) AS name ORDER BY name
  } AS owners,
  target.since AS since, target.key AS key
ORDER BY application, resource, key
