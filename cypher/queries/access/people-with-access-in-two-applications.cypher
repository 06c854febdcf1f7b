// People with access in two applications (separation of duties)
// Who has access in both of two applications, and to do what?
//
// Parameters (in Neo4j Browser, before the query):
//   :param one => 'Forge'
//   one: the name of an application
//   :param other => 'Clientbook'
//   other: the name of an application
//
// One row for each user of a directory who reaches something in both, with the permissions in each.
// Roles: administrator, analyst, auditor.

UNWIND [$one, $other] AS name
// <shared: find the application of a name>
CALL (name) {
  MATCH (application:Entity {key: name})
  WHERE application:Application
  RETURN application
  UNION
  MATCH (application:Application)
  WHERE application.fold_name = replace(normalize(toLower(normalize(name))), 'ς', 'σ')
    OR application.fold_exact = normalize(name)
  RETURN application
}
// </shared>
MATCH (application)-[:CONTAINS*0..]->(scope)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH name, application, scope, given, collect(DISTINCT held) AS entitlements
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
WITH name, application, entitlements, target,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
UNWIND entitlements AS held
UNWIND permissions AS permission
WITH DISTINCT name, held, permission.name AS permission
MATCH (holder)-[:HOLDS]->(held)
WITH name, holder, collect(DISTINCT permission) AS permissions
MATCH (person:IdpUser)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
WITH DISTINCT name, person, permissions
UNWIND permissions AS permission
WITH name, person, permission ORDER BY permission
WITH name, person, collect(DISTINCT permission) AS permissions
WITH person, collect({application: name, permissions: permissions}) AS found
WHERE size(found) > 1
RETURN person.name AS person, person.email AS email,
  // <shared: marks of person>
  [mark IN [
    CASE WHEN person.is_active = false OR person.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN person.is_guest THEN 'guest' END,
    CASE WHEN person.identity_type = 'NONHUMAN' OR person.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  head([access IN found WHERE access.application = $one | access.permissions]) AS in_one,
  head([access IN found WHERE access.application = $other | access.permissions]) AS in_other,
  person.key AS key
ORDER BY person, email, key
