// Who can write to a resource
// Who can write to a resource, and through what?
//
// Parameters (in Neo4j Browser, before the query):
//   :param resource => 'Firmware.motor-control'
//   resource: the key, path or name of a resource, or the key or name of an application
//
// One row for each principal with effective access (docs/rules.md: Effective access) of the canonical types
// DataWrite: who it is, its permissions, and the shortest ways to each grant or role assignment that gives them.
// Roles: administrator, analyst, auditor.

// <shared: find the resource>
CALL () {
  MATCH (target:Entity {key: $resource})
  WHERE target:Resource|Application
  RETURN target
  UNION
  MATCH (target:Resource)
  WHERE target.fold_path = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_name = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_exact = normalize($resource)
  RETURN target
  UNION
  MATCH (target:Application)
  WHERE target.fold_name = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_exact = normalize($resource)
  RETURN target
}
// </shared>
// What is held on the target itself, or on anything that contains it: without a label, at which a plan might begin.
MATCH (scope)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH target, scope, given, collect(DISTINCT held) AS entitlements
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
WITH target, scope, entitlements,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
UNWIND entitlements AS held
UNWIND permissions AS permission
WITH target, held, permission.name AS permission, permission.permission_type AS types, scope.name AS scope
WHERE any(type IN types WHERE type IN ['DataWrite'])
WITH target, held, permission, scope ORDER BY permission, scope
WITH target, held, collect(DISTINCT permission) AS permissions, collect(DISTINCT scope) AS scopes
// Everyone from whom a path of gain leads to a holder.
MATCH (holder)-[:HOLDS]->(held)
MATCH way = ALL SHORTEST
  (entity:Principal)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES]->*(holder)
// A connected resource acts with that entity's access, one step, and does not pass it on.
// <shared: who acts with its access>
CALL (entity) {
  RETURN entity AS who
  UNION ALL
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity)
  RETURN who
}
// </shared>
WITH target, who, permissions, length(way) AS steps,
  reduce(text = '', step IN CASE WHEN who = entity THEN [] ELSE [who.name] END + [node IN nodes(way) WHERE NOT node:Entitlement | coalesce(node.name, node.arn, node.id, node.unique_id)] |
    CASE WHEN text = '' THEN step ELSE text + ' → ' + step END) +
  ' → ' + held.name + ' on ' + reduce(text = '', name IN scopes[..100] | CASE WHEN text = '' THEN name ELSE text + ', ' + name END) +
  CASE WHEN size(scopes) > 100 THEN ', …' ELSE '' END AS through
UNWIND permissions AS permission
WITH target, who, permission, through ORDER BY steps, through, permission
WITH target, who, collect(DISTINCT permission) AS permissions, collect(DISTINCT through) AS through
RETURN coalesce(target.path, target.name) AS resource,
  coalesce(who.name, who.arn, who.id, who.unique_id) AS who,
  [label IN labels(who) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  // <shared: marks of who>
  [mark IN [
    CASE WHEN who.is_active = false OR who.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN who.is_guest THEN 'guest' END,
    CASE WHEN who.identity_type = 'NONHUMAN' OR who.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  coalesce(who.application, who.domain) AS lives_in,
  permissions,
  through,
  who.key AS key
ORDER BY resource, who, label, key
