// Inactive accounts with grants
// Which accounts are inactive or deactivated and still hold something?
//
// Parameters (in Neo4j Browser, before the query):
//   :param now => datetime()
//   now: the moment that counts as now
//
// One row for each account and each thing that it holds, directly or by a group or role.
// A report about the complete graph: it looks at all accounts.
// Roles: administrator, analyst, auditor.

MATCH (account:LocalUser)
WHERE account.is_active = false OR account.deactivated_at <= $now
WITH account, COLLECT {
    MATCH (account)<-[:IDENTITY_OF]-()<-[:KNOWN_AS]-(person:IdpUser)
    RETURN DISTINCT coalesce(person.name, person.arn, person.id, person.unique_id) AS name ORDER BY name
  } AS people
MATCH (account)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(holder)
WITH DISTINCT account, people, holder
MATCH (holder)-[:HOLDS]->(held:Entitlement)-[:ON]->(scope)
WITH DISTINCT account, people, holder, held, scope
RETURN account.name AS account, account.application AS application, account.deactivated_at AS deactivated_at,
  people, [label IN labels(held) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label, held.name AS holds, coalesce(scope.path, scope.name) AS on,
  CASE WHEN holder = account THEN 'itself' ELSE coalesce(holder.name, holder.arn, holder.id, holder.unique_id) END AS through,
  account.key AS key
ORDER BY application, account, holds, on, through, key
