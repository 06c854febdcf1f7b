// Accounts made by a policy
// Which accounts have policies made or adopted in applications, for whom, and since when?
//
// Parameters: none.
//
// One row for each account that exists, or that was removed.
// A report about the complete graph: it looks at all policies.
// Roles: administrator.

MATCH (policy:LifecyclePolicy)
MATCH (account:ManagedAccount {policy: policy.id})
RETURN policy.name AS policy,
  COLLECT { MATCH (provider:Provider {key: policy.provider}) RETURN provider.name }[0] AS application,
  COLLECT { MATCH (account)-[:ACCOUNT_OF]->(person:IdpUser) RETURN person.name }[0] AS person,
  account.user_name AS user_name, account.account AS account, account.state AS state, account.groups AS groups,
  account.is_adopted AS is_adopted, account.since AS since, account.left_at AS left_at,
  account.delete_at AS delete_at, account.person AS key
ORDER BY application, policy, user_name, key
