// Managers that do not exist
// Whose manager does the directory not know?
//
// Parameters: none.
//
// One row for each user whose `manager_id` is nobody of the same directory.
// A report about the complete graph: it looks at all users of directories.
// Roles: administrator, analyst, auditor.

MATCH (person:IdpUser)
WHERE person.manager_id IS NOT NULL AND NOT EXISTS { (person)-[:MANAGED_BY]->() }
RETURN person.name AS person, person.email AS email, person.domain AS domain, person.manager_id AS manager,
  // <shared: marks of person>
  [mark IN [
    CASE WHEN person.is_active = false OR person.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN person.is_guest THEN 'guest' END,
    CASE WHEN person.identity_type = 'NONHUMAN' OR person.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  person.since AS since, person.key AS key
ORDER BY domain, person, key
