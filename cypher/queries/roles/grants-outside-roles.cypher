// Grants outside roles
// Which permissions are granted one by one, outside of roles?
//
// Parameters: none.
//
// One row for each grant that something other than a role holds.
// A report about the complete graph: it looks at all grants.
// Roles: administrator, analyst, auditor.

MATCH (held:Grant)<-[holds:HOLDS]-(holder)
WHERE NOT holder:LocalRole
RETURN held.application AS application, coalesce(holder.name, holder.arn, holder.id, holder.unique_id) AS holder, [label IN labels(holder) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  held.name AS permission,
  COLLECT {
    UNWIND reduce(types = [], list IN [(held)-[:OF]->(permission) | permission.permission_type] | types + list) AS value
    RETURN DISTINCT value ORDER BY value
  } AS permission_types,
  COLLECT {
    UNWIND [(held)-[:ON]->(scope) | coalesce(scope.path, scope.name)] AS value
    RETURN DISTINCT value ORDER BY value
  } AS on,
  holds.since AS since, held.key AS key
ORDER BY application, holder, permission, key
