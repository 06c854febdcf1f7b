// Accounts of people who left
// Who has left, as an HR system says, and still has accounts in directories or applications?
//
// Parameters: none.
//
// One row for each account: of a directory, and of an application to which that account leads. Inactive ones still have
// their access (marks).
// A report about the complete graph: it looks at all employees.
// Roles: administrator, analyst, auditor.

MATCH (employee:Employee)
WHERE NOT employee.is_active
MATCH (employee)-[:HAS_ACCOUNT]->(user:IdpUser)
CALL (user) {
  RETURN user AS account
  UNION
  MATCH (user)-[:KNOWN_AS]->(:Identity)-[:IDENTITY_OF]->(account:LocalUser)
  RETURN account
}
WITH DISTINCT employee, account
RETURN employee.name AS employee, employee.termination_date AS termination_date,
  COLLECT {
    MATCH (employee)-[:MANAGED_BY]->(manager)
    RETURN DISTINCT coalesce(manager.name, manager.arn, manager.id, manager.unique_id) AS name ORDER BY name
  } AS managers,
  coalesce(account.name, account.arn, account.id, account.unique_id) AS account, [label IN labels(account) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  coalesce(account.application, account.domain) AS lives_in,
  // <shared: marks of account>
  [mark IN [
    CASE WHEN account.is_active = false OR account.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN account.is_guest THEN 'guest' END,
    CASE WHEN account.identity_type = 'NONHUMAN' OR account.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  account.last_login_at AS last_login_at,
  employee.system AS system, account.key AS key
ORDER BY employee, lives_in, account, key
