// Employees without an account
// Which employees of an HR system work for the company and have no account in a directory?
//
// Parameters: none.
//
// One row for each of them: what the HR system knows, and the values by which an account would be found.
// A report about the complete graph: it looks at all employees.
// Roles: administrator, analyst, auditor.

MATCH (employee:Employee)
WHERE employee.is_active AND NOT EXISTS { (employee)-[:HAS_ACCOUNT]->() }
RETURN employee.name AS employee, employee.job_title AS job_title,
  COLLECT {
    MATCH (employee)-[:IN_DEPARTMENT]->(department)
    RETURN DISTINCT coalesce(department.name, department.arn, department.id, department.unique_id) AS name ORDER BY name
  } AS department,
  COLLECT {
    MATCH (employee)-[:MANAGED_BY]->(manager)
    RETURN DISTINCT coalesce(manager.name, manager.arn, manager.id, manager.unique_id) AS name ORDER BY name
  } AS managers,
  employee.start_date AS start_date, employee.employment_status AS employment_status,
  coalesce(employee.idp_id, employee.email, employee.id) AS account_would_be,
  employee.system AS system, employee.key AS key
ORDER BY system, employee, key
