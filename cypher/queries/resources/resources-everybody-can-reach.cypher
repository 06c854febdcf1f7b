// Resources that everybody can reach
// Which resources can every active person of a directory reach?
//
// Parameters (in Neo4j Browser, before the query):
//   :param domain => 'halden.example'
//   domain: the domain whose people count as everybody
//
// One row for each resource or application. Guests, robots and inactive users do not count.
// A report about the complete graph: it looks at all users of directories, and at who holds something on each resource
// that each of some twenty of them reaches.
// Roles: administrator, analyst, auditor.

MATCH (person:IdpUser)
WHERE person.domain = $domain AND coalesce(person.is_active, true) AND NOT coalesce(person.is_guest, false)
  AND coalesce(person.identity_type, 'HUMAN') <> 'NONHUMAN'
WITH collect(person) AS people
// What everybody can reach, each of some twenty people can reach.
WITH size(people) AS everybody, [at IN range(0, size(people) - 1, 1 + size(people) / 20) | people[at]] AS some
CALL (some) {
  UNWIND some AS one
  // Everything that one gains, and what is held there.
  MATCH (one)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
  WITH DISTINCT some, one, held
  MATCH (held)-[:OF]->(given)
  MATCH (held)-[:ON]->(scope)
  WITH some, given, scope, collect(DISTINCT one) AS reaching
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
  WITH some, reaching, target,
    // <shared: what holds on the target>
    [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
    // </shared>
  WHERE size(permissions) > 0
  UNWIND reaching AS one
  WITH size(some) AS all, target, count(DISTINCT one) AS reaching
  WHERE reaching = all
  RETURN target
}
// What is held on the target itself, or on anything that contains it: without a label, at which a plan might begin.
MATCH (scope)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH everybody, target, scope, given, collect(DISTINCT held) AS entitlements
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
WITH everybody, target, scope, entitlements,
  // <shared: what holds on the target>
  [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
  // </shared>
WHERE size(permissions) > 0
UNWIND entitlements AS held
MATCH (holder)-[:HOLDS]->(held)
WITH everybody, target, holder, collect(DISTINCT permissions) AS lists
// Each holder once, whatever it holds, and how many people gain what it holds.
WITH everybody, holder, collect({target: target, lists: lists}) AS found
CALL (holder) {
  MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
  WHERE 'IdpUser' IN labels(person) AND person.domain = $domain AND coalesce(person.is_active, true) AND NOT coalesce(person.is_guest, false)
  AND coalesce(person.identity_type, 'HUMAN') <> 'NONHUMAN'
  RETURN count(DISTINCT person) AS people
}
UNWIND found AS row
WITH everybody, row.target AS target, collect(holder) AS holders, collect(row.lists) AS lists,
  max(people) AS most, sum(people) AS bound
// If everybody has one of the holders, that is enough. If all holders together have too few people, the resource is
// out.
WHERE bound >= everybody
CALL (everybody, holders, most) {
  WITH holders WHERE most < everybody
  UNWIND holders AS holder
  MATCH (person)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
  WHERE 'IdpUser' IN labels(person) AND person.domain = $domain AND coalesce(person.is_active, true) AND NOT coalesce(person.is_guest, false)
  AND coalesce(person.identity_type, 'HUMAN') <> 'NONHUMAN'
  RETURN count(DISTINCT person) AS people
}
WITH everybody, target, lists, CASE most WHEN everybody THEN most ELSE people END AS people
WHERE people = everybody
RETURN target.application AS application, coalesce(target.path, target.name) AS resource,
  coalesce(target.resource_type, [label IN labels(target) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0]) AS type, people,
  COLLECT {
    UNWIND lists AS some
    UNWIND some AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions_of_some,
  target.key AS key
ORDER BY application, resource, key
