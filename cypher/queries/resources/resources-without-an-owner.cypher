// Resources without an owner
// Which resources have no owner, and are in no resource that has one?
//
// Parameters: none.
//
// One row for each of them, with the owners of the application. The owner of something that contains a resource counts
// as responsible for it.
// A report about the complete graph: it looks at all resources.
// Roles: administrator, analyst, auditor.

MATCH (target:Resource)
WHERE NOT EXISTS {
  MATCH (target)<-[:CONTAINS*0..]-(place:Resource)
  WHERE EXISTS { (place)-[:OWNED_BY|SYSTEM_resource_managers]->() }
}
RETURN target.application AS application, target.path AS resource, target.resource_type AS type,
  COLLECT {
    MATCH (target)<-[:CONTAINS*1..]-(:Application)-[:OWNED_BY]->(owner:Identity)
    RETURN DISTINCT owner.name AS name ORDER BY name
  } AS owners_of_the_application,
  target.key AS key
ORDER BY application, resource, key
