// Data sources by age
// How old is what the graph knows of each system?
//
// Parameters (in Neo4j Browser, before the query):
//   :param now => datetime()
//   now: the moment that counts as now
//
// One row for each data source, the oldest first. For one without a push the time is empty.
// A report about the complete graph: it looks at all data sources.
// Roles: administrator, analyst, auditor.

MATCH (source:DataSource)-[:FROM]->(provider:Provider)
RETURN provider.name AS provider, provider.custom_template AS template, source.name AS data_source, source.status AS status,
  source.last_push_at AS last_push_at,
  duration.inDays(source.last_push_at, $now).days AS days_old,
  toInteger(source.rows) AS rows
ORDER BY last_push_at IS NOT NULL, last_push_at, provider, data_source
