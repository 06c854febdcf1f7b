// Why a person has access
// Through what does a person have access to a resource, and since when?
//
// Parameters (in Neo4j Browser, before the query):
//   :param person => 'Nadia Haddad'
//   person: the key, id, name or email of a user of a directory
//   :param resource => 'Firmware.motor-control'
//   resource: the key, path or name of a resource, or the key or name of an application
//
// One row for each shortest way to something that is held, hop by hop, with what it gives there. `since` is when the
// newest hop was created. The same as a picture: access/explain-access.cypher.
// Roles: administrator, analyst, auditor.

// <shared: find the person>
CALL () {
  MATCH (person:Entity {key: $person})
  WHERE person:IdpUser
  RETURN person
  UNION
  MATCH (person:IdpUser)
  WHERE person.fold_id = replace(normalize(toLower(normalize($person))), 'ς', 'σ')
    OR person.fold_name = replace(normalize(toLower(normalize($person))), 'ς', 'σ')
    OR person.fold_email = replace(normalize(toLower(normalize($person))), 'ς', 'σ')
    OR person.fold_exact = normalize($person)
  RETURN person
}
// </shared>
MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
WITH person, collect(DISTINCT holder) AS holders
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
WITH person, holders, target, scope, given, collect(DISTINCT held) AS entitlements
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
WITH person, holders, target, scope, entitlements,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
UNWIND entitlements AS held
MATCH (holder)-[holds:HOLDS]->(held)
WHERE holder IN holders
UNWIND permissions AS permission
WITH person, target, held, holds, holder, permission.name AS permission, scope.name AS scope ORDER BY permission, scope
WITH person, target, held, holds, holder, collect(DISTINCT permission) AS permissions, collect(DISTINCT scope) AS scopes
MATCH way = ALL SHORTEST
  (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES]->*(holder)
WITH person, target, held, permissions, length(way) + 1 AS hops,
  reduce(text = '', step IN [] + [node IN nodes(way) WHERE NOT node:Entitlement | coalesce(node.name, node.arn, node.id, node.unique_id)] |
    CASE WHEN text = '' THEN step ELSE text + ' → ' + step END) +
  ' → ' + held.name + ' on ' + reduce(text = '', name IN scopes[..100] | CASE WHEN text = '' THEN name ELSE text + ', ' + name END) +
  CASE WHEN size(scopes) > 100 THEN ', …' ELSE '' END AS through,
  [hop IN relationships(way) + [holds] | type(hop)] AS relationships,
  reduce(newest = held.since, hop IN relationships(way) + [holds] |
    CASE WHEN hop.since > newest THEN hop.since ELSE newest END) AS since
RETURN person.name AS person, coalesce(target.path, target.name) AS resource, permissions, through, relationships, hops, since
ORDER BY person, resource, hops, through
