// Every account of a person
// Which accounts does a person have, in directories and applications, and by which identity?
//
// Parameters (in Neo4j Browser, before the query):
//   :param person => 'Dana Whitlock'
//   person: the key, id, name or email of a user of a directory
//
// One row for each account, with what it holds and its credentials. Users that source identities link are one person.
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
MATCH (person)-[:SOURCE_IDENTITY_OF*0..]-(user:IdpUser)
WITH DISTINCT person, user
CALL (user) {
  RETURN user AS account, null AS identity
  UNION
  MATCH (user)-[:KNOWN_AS]->(identity:Identity)-[:IDENTITY_OF]->(account:LocalUser)
  RETURN account, identity.name AS identity
}
WITH person, user, account, collect(DISTINCT identity) AS identities
RETURN person.name AS person, user.name AS user,
  coalesce(account.name, account.arn, account.id, account.unique_id) AS account, [label IN labels(account) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  coalesce(account.application, account.domain) AS lives_in,
  // <shared: marks of account>
  [mark IN [
    CASE WHEN account.is_active = false OR account.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN account.is_guest THEN 'guest' END,
    CASE WHEN account.identity_type = 'NONHUMAN' OR account.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  COLLECT {
    UNWIND identities AS value
    RETURN DISTINCT value ORDER BY value
  } AS known_as,
  COLLECT {
    MATCH (account)-[:HAS_CREDENTIAL]->(credential)
    RETURN DISTINCT coalesce(credential.name, credential.arn, credential.id, credential.unique_id) AS name ORDER BY name
  } AS credentials,
  account.last_login_at AS last_login_at,
  account.key AS key
ORDER BY person, user, label, lives_in, account, key
