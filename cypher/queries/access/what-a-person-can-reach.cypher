// What a person can reach
// What can a person reach, and with which permissions?
//
// Parameters (in Neo4j Browser, before the query):
//   :param person => 'Omar Farouk'
//   person: the key, id, name or email of a user of a directory
//
// One row for each application or resource, with all permissions of all ways.
// Generated from src/kit by `npm run cypher`; do not edit.
MATCH (person:IdpUser)
WHERE person.key = $person OR person.fold_id = toLower($person)
  OR person.fold_name = toLower($person) OR person.fold_email = toLower($person)
// Everything that person gains, and what is held there.
MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
WITH DISTINCT person, holder
MATCH (holder)-[:HOLDS]->(held:Entitlement)
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH DISTINCT person, held, given, scope
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
WITH person, held, target,
  [give IN gives WHERE (target = scope OR give.spreads)
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
WHERE size(permissions) > 0
WITH person, target, collect(permissions) AS found
RETURN person.name AS person,
  target.application AS application,
  coalesce(target.path, target.name) AS resource,
  coalesce(target.resource_type, [label IN labels(target) WHERE NOT label IN ['Principal', 'Role', 'Entitlement']][0]) AS type,
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  target.key AS key
ORDER BY person, application, resource, key
