// Reviewers of a resource
// Who would review a resource?
//
// Parameters (in Neo4j Browser, before the query):
//   :param resource => 'Firmware.motor-control'
//   resource: the key, path or name of a resource, or the key or name of an application
//
// One row for each suggested reviewer: the users and groups of directories that own the resource by their
// `entities_owned`, for which it has the tag SYSTEM_resource_managers (docs/rules.md: Derived relationships).
// Roles: administrator, analyst, auditor.

// <shared: find the resource>
CALL () {
  MATCH (target:Entity {key: $resource})
  WHERE target:Resource|Application
  RETURN target
  UNION
  MATCH (target:Resource)
  WHERE target.fold_path = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_name = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_exact = normalize($resource)
  RETURN target
  UNION
  MATCH (target:Application)
  WHERE target.fold_name = replace(normalize(toLower(normalize($resource))), 'ς', 'σ')
    OR target.fold_exact = normalize($resource)
  RETURN target
}
// </shared>
MATCH (target)-[managed:SYSTEM_resource_managers]->(reviewer:IdpUser|IdpGroup)
RETURN coalesce(target.path, target.name) AS resource,
  reviewer.name AS reviewer,
  [label IN labels(reviewer) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  reviewer.email AS email,
  // <shared: marks of reviewer>
  [mark IN [
    CASE WHEN reviewer.is_active = false OR reviewer.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN reviewer.is_guest THEN 'guest' END,
    CASE WHEN reviewer.identity_type = 'NONHUMAN' OR reviewer.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  // The people to contact if the reviewer has left.
  COLLECT {
    MATCH (reviewer)-[:MANAGED_BY]->(manager:IdpUser)
    RETURN DISTINCT coalesce(manager.name, manager.arn, manager.id, manager.unique_id) AS name ORDER BY name
  } AS managers,
  COLLECT {
    MATCH (reviewer)-[:OWNS]->(owned:ExternalEntity)-[:RESOLVES_TO]->(target)
    RETURN 'owns ' + owned.node_type + ' ' + owned.id AS reason ORDER BY reason
  } AS reasons,
  managed.since AS since,
  reviewer.key AS key
ORDER BY resource, size(marks), reviewer, key
