// Groups that give nothing
// Which groups give their members no access at all?
//
// Parameters: none.
//
// One row for each group of a directory or application that leads to no permission on anything, with the number of its
// direct members.
// A report about the complete graph: it looks at all groups, and stops at the first thing that each gives.
// Roles: administrator, analyst, auditor.

MATCH (group:IdpGroup|LocalGroup)
WHERE NOT EXISTS {
  // Everything that group gains, and what is held there.
  MATCH (group)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
  WITH DISTINCT group, held
  MATCH (held)-[:OF]->(given)
  MATCH (held)-[:ON]->(scope)
  WITH DISTINCT group, held, given, scope
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
  WITH group, held, target,
    // <shared: what holds on the target>
    [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
    // </shared>
  WHERE size(permissions) > 0
  RETURN target
}
RETURN group.name AS group, [label IN labels(group) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label, coalesce(group.application, group.domain) AS of,
  COUNT { (group)<-[:MEMBER_OF]-() } AS members, group.key AS key
ORDER BY of, group, key
