// Credentials that are unused
// Which active keys and tokens has nobody used for long, or ever?
//
// Parameters (in Neo4j Browser, before the query):
//   :param now => datetime()
//   now: the moment that counts as now
//   :param days => 90
//   days: after how many days without use a credential counts as unused
//
// One row for each credential; one without `last_used_at` was never seen in use.
// A report about the complete graph: it looks at all credentials.
// Roles: administrator, analyst, auditor.

MATCH (credential:AccessCredential)
WHERE coalesce(credential.is_active, true)
  AND coalesce(credential.last_used_at < $now - duration({days: $days}), true)
RETURN coalesce(credential.name, credential.arn, credential.id, credential.unique_id) AS credential, credential.application AS application,
  COLLECT {
    MATCH (user)-[:HAS_CREDENTIAL]->(credential)
    RETURN DISTINCT coalesce(user.name, user.arn, user.id, user.unique_id) AS name ORDER BY name
  } AS used_by,
  COLLECT {
    MATCH (credential)-[:OWNED_BY]->(owner)
    RETURN DISTINCT coalesce(owner.name, owner.arn, owner.id, owner.unique_id) AS name ORDER BY name
  } AS owners,
  credential.created_at AS created_at, credential.expires_at AS expires_at, credential.last_used_at AS last_used_at,
  // What it reaches by itself: it does not have the access of its user.
  COLLECT {
    MATCH (credential)-[:HOLDS]->(held)-[:ON]->(scope)
    RETURN DISTINCT held.name + ' on ' + coalesce(scope.path, scope.name) AS text ORDER BY text
  } AS holds,
  credential.key AS key
ORDER BY application, credential, key
