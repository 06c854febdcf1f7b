// Identities that nobody matches
// Which logins, emails and group names do applications mention that no directory knows?
//
// Parameters: none.
//
// One row for each identity: whose it is by what applications say, what it holds, what it owns.
// A report about the complete graph: it looks at all identities.
// Roles: administrator, analyst, auditor.

MATCH (identity:Identity)
WHERE NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
RETURN identity.name AS identity,
  COLLECT {
    MATCH (identity)-[:IDENTITY_OF]->(account)
    RETURN DISTINCT coalesce(account.name, account.arn, account.id, account.unique_id) AS name ORDER BY name
  } AS said_to_be_of,
  COLLECT {
    MATCH (identity)-[:HOLDS]->(held)-[:ON]->(scope)
    RETURN DISTINCT held.name + ' on ' + coalesce(scope.path, scope.name) AS text ORDER BY text
  } AS holds,
  COLLECT {
    MATCH (identity)<-[:OWNED_BY]-(owned)
    RETURN DISTINCT coalesce(owned.name, owned.arn, owned.id, owned.unique_id) AS name ORDER BY name
  } AS owns,
  COLLECT {
    UNWIND [(identity)--(mention) WHERE mention.application IS NOT NULL | mention.application] AS value
    RETURN DISTINCT value ORDER BY value
  } AS applications
ORDER BY identity
