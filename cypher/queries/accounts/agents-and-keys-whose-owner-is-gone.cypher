// Agents and keys whose owner is gone
// Which AI agents and credentials have an owner who is not there any more?
//
// Parameters: none.
//
// One row for each AI agent or credential of which at least one owner is no active user and no group of a directory:
// the owners who are gone, those who are still there, and who uses it.
// A report about the complete graph: it looks at all owners of agents and credentials.
// Roles: administrator, analyst, auditor.

MATCH (owned:LocalAgent|AccessCredential)-[:OWNED_BY]->(owner:Identity)
WITH DISTINCT owned, owner
// A directory that disabled its user, or removed them, says that they left.
WITH owned, coalesce(owner.name, owner.arn, owner.id, owner.unique_id) AS name, EXISTS {
    MATCH (known:IdpUser|IdpGroup)-[:KNOWN_AS]->(owner)
    WHERE coalesce(known.is_active, true) AND coalesce(known.deactivated_at > datetime(), true)
  } AS is_there
ORDER BY name
WITH owned, collect(CASE WHEN NOT is_there THEN name END) AS gone, collect(CASE WHEN is_there THEN name END) AS there
WHERE size(gone) > 0
RETURN coalesce(owned.name, owned.arn, owned.id, owned.unique_id) AS name,
  [label IN labels(owned) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  owned.application AS application,
  // <shared: marks of owned>
  [mark IN [
    CASE WHEN owned.is_active = false OR owned.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN owned.is_guest THEN 'guest' END,
    CASE WHEN owned.identity_type = 'NONHUMAN' OR owned.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  gone,
  there,
  COLLECT {
    MATCH (user)-[:HAS_CREDENTIAL]->(owned)
    RETURN DISTINCT coalesce(user.name, user.arn, user.id, user.unique_id) AS name ORDER BY name
  } AS used_by,
  coalesce(owned.last_login_at, owned.last_used_at) AS last_seen,
  owned.key AS key
ORDER BY name, label, key
