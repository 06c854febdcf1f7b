// Through what a principal has access (by keys, a picture)
// Through what does a principal have access to a resource?
//
// Parameters (in Neo4j Browser, before the query):
//   :param principal => COLLECT { MATCH (user:IdpUser {fold_name: 'nadia haddad'}) RETURN user.key }[0]
//   principal: the key of a principal, or of a resource that connects to one; the example finds one by its name
//   :param resource => COLLECT { MATCH (resource:Resource {fold_path: 'firmware.motor-control'}) RETURN resource.key }[0]
//   resource: the key of a resource or application; the example finds one by its path
//   :param names => null
//   names: the native permissions that count, such as ['Push']; null: all
//   :param permission_type => 'DataWrite'
//   permission_type: the canonical type that counts; null: all
//
// The shortest ways to each thing that is held, what it gives, and where: a picture in Neo4j Browser. The service runs
// the same query.
// Roles: administrator, analyst, auditor.

// <shared: what gives access>
MATCH (who:Entity {key: $principal})
WHERE who:Principal|Resource
MATCH (target:Entity {key: $resource})
WHERE target:Application|Resource
MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
WITH who, target, collect(scope) AS scopes
CALL (who) {
  WITH who WHERE who:Principal
  RETURN who AS entity
  UNION
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity:Principal)
  RETURN entity
}
MATCH (entity)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(step)
WITH who, target, scopes, collect(DISTINCT step) AS reached
CALL (target, scopes, reached) {
  UNWIND reached AS held
  WITH target, scopes, held WHERE held:Entitlement
  MATCH (held)-[on:ON]->(scope)
  WHERE scope IN scopes
  MATCH (held)-[:OF]->(given)
  WITH DISTINCT target, held, on, scope, given
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
  WITH held, on, scope, given,
    [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  WITH held, on, scope, given, [permission IN permissions
    WHERE ($names IS NULL OR permission.name IN $names)
      AND ($permission_type IS NULL OR $permission_type IN permission.permission_type)] AS permissions
  WHERE size(permissions) > 0
  RETURN collect({held: held, on: on, scope: scope, given: given, permissions: permissions}) AS found
}
// </shared>
UNWIND found AS row
UNWIND row.permissions AS permission
WITH DISTINCT who, target, row.held AS held, row.scope AS scope, permission
MATCH way = ALL SHORTEST
  (who) (()-[:CONNECTS_TO]->()-[:RESOLVES_TO]->()){0,1} (entity:Principal)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES]->+(held)
MATCH gives = ALL SHORTEST (held)-[:OF|INCLUDES|ALLOWS]->+(permission)
MATCH place = (held)-[:ON]->(scope)-[:CONTAINS*0..]->(target)
RETURN way, gives, place
ORDER BY length(way) + length(gives), permission.name, held.key
