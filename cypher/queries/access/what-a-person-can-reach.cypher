// What a person can reach
// What can a person reach, and with which permissions?
//
// Parameters (in Neo4j Browser, before the query):
//   :param person => 'Omar Farouk'
//   person: the key, id, name or email of a user of a directory
//
// One row for each application or resource, with the permissions of all ways: of the user with all identities and
// accounts. With `person=true` the service answers for a human, and so also for other users that belong to the same
// employee.
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
// Everything that person gains, and what is held there.
MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
WITH DISTINCT person, held
MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH DISTINCT person, held, given, scope
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
WITH person, held, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
WITH person, target, collect(permissions) AS found
RETURN person.name AS person,
  target.application AS application,
  coalesce(target.path, target.name) AS resource,
  coalesce(target.resource_type, [label IN labels(target) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0]) AS type,
  COLLECT {
    UNWIND found AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  target.key AS key
ORDER BY person, application, resource, key
