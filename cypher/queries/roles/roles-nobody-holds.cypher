// Roles that nobody holds
// Which roles does nobody hold in any way?
//
// Parameters: none.
//
// One row for each role that is not assigned, is not included in an assigned one, and as which no cloud role or
// connection acts.
// A report about the complete graph: it looks at all roles.
// Roles: administrator, analyst, auditor.

MATCH (role:LocalRole)
WHERE NOT EXISTS { (role)<-[:INCLUDES*0..]-()<-[:OF]-(:RoleAssignment)<-[:HOLDS]-() }
  AND NOT EXISTS { (role)<-[:ACTS_AS]-() }
  AND NOT EXISTS { (role)<-[:RESOLVES_TO]-()<-[:CONNECTS_TO]-() }
RETURN role.application AS application, role.name AS role,
  COLLECT {
    MATCH (role)<-[:INCLUDES]-(other)
    RETURN DISTINCT coalesce(other.name, other.arn, other.id, other.unique_id) AS name ORDER BY name
  } AS included_in,
  COLLECT {
    MATCH (role)-[:OWNED_BY]->(owner)
    RETURN DISTINCT coalesce(owner.name, owner.arn, owner.id, owner.unique_id) AS name ORDER BY name
  } AS owners,
  role.since AS since, role.key AS key
ORDER BY application, role, key
