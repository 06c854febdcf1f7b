// What a principal can reach (by key)
// What can a principal reach?
//
// Parameters (in Neo4j Browser, before the query):
//   :param principal => COLLECT { MATCH (user:IdpUser {fold_name: 'nadia haddad'}) RETURN user.key }[0]
//   principal: the key of a principal, or of a resource that connects to one; the example finds one by its name
//
// One row for each resource or application, with the native permissions. The service runs the same query.
// Roles: administrator, analyst, auditor.

// <shared: what a principal can reach>
MATCH (who:Entity {key: $principal})
WHERE who:Principal|Resource
CALL (who) {
  WITH who WHERE who:Principal
  RETURN who AS entity
  UNION
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity:Principal)
  RETURN entity
}
MATCH (entity)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
WITH DISTINCT held
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH given, collect(DISTINCT scope) AS scopes
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
UNWIND scopes AS scope
UNWIND gives AS give
WITH scope, collect(give) AS gives
// Walks down only if a permission is inherited: a scope may contain much.
CALL (scope, gives) {
  RETURN scope AS target
  UNION ALL
  WITH scope, gives WHERE any(give IN gives WHERE (give.spreads OR give.through_role AND scope:Application))
  MATCH (scope)-[:CONTAINS*1..]->(target)
  RETURN target
}
WITH target,
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
WHERE size(permissions) > 0
WITH target, collect(permissions) AS permissions
// </shared>
RETURN coalesce(target.name, target.arn, target.id, target.unique_id, '') AS resource, target.path AS path, [label IN labels(target) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  target.application AS application,
  COLLECT {
    UNWIND permissions AS list
    UNWIND list AS permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions, target.key AS key
ORDER BY resource, application, label, key
