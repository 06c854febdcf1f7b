// Leavers not yet deprovisioned
// Which accounts that a policy made still work, although the person has left or is inactive?
//
// Parameters: none.
//
// One row for each account that a policy made and that is not disabled. `open` names the action that waits, if one
// does. Accounts that no policy made are not in it: see people/accounts-of-people-who-left.cypher.
// A report about the complete graph: it looks at all accounts that policies made.
// Roles: administrator.

MATCH (account:ManagedAccount)
WHERE account.state IN ['ACTIVE', 'LEAVING'] AND account.account IS NOT NULL
WITH account,
  COLLECT { MATCH (account)-[:ACCOUNT_OF]->(person:IdpUser) RETURN person }[0] AS person,
  COLLECT {
    MATCH (action:LifecycleAction {provider: account.provider})
    WHERE action.status IN ['PLANNED', 'FAILED', 'DEAD'] AND action.kind IN ['disable', 'delete']
      AND account.person IN action.people
    RETURN action.status ORDER BY action.key
  }[0] AS open
WHERE account.state = 'LEAVING' OR open IS NOT NULL OR person IS NULL OR person.is_active = false
RETURN COLLECT { MATCH (provider:Provider {key: account.provider}) RETURN provider.name }[0] AS application,
  COLLECT { MATCH (policy:LifecyclePolicy {key: account.policy}) RETURN policy.name }[0] AS policy,
  person.name AS person, account.user_name AS user_name, account.account AS account, account.state AS state,
  open, account.left_at AS left_at, account.person AS key
ORDER BY application, policy, user_name, key
