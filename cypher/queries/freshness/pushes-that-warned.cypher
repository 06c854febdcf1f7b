// Pushes that warned
// Which pushes were accepted with warnings, and what do these say?
//
// Parameters (in Neo4j Browser, before the query):
//   :param since => datetime() - duration('P7D')
//   since: the moment after which things are new
//
// One row for each push, the newest first.
// Roles: administrator, analyst, auditor.

MATCH (push:Push)-[:FROM]->(source:DataSource)
WHERE push.at >= $since AND push.warning_count > 0
RETURN source.provider AS provider, source.name AS data_source, push.at AS at, push.outcome AS outcome,
  toInteger(push.warning_count) AS warning_count, push.warnings AS warnings, push.id AS push
ORDER BY at DESC
