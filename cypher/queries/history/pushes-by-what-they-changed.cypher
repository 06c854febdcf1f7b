// Pushes by what they changed
// What did each push create, change and end?
//
// Parameters (in Neo4j Browser, before the query):
//   :param since => datetime() - duration('P7D')
//   since: the moment after which pushes count
//
// One row for each push that changed something, those that ended most first; at most 1,000 of the newest. `ended`
// counts what ended by type; versions of nodes are counted by their label.
// Roles: administrator, analyst, auditor.

MATCH (push:Push)
USING INDEX SEEK push:Push(outcome, at)
WHERE push.outcome = 'accepted' AND push.at >= $since
WITH push ORDER BY push.at DESC LIMIT 1000
MATCH (push)-[:FROM]->(source:DataSource)
WITH push, source, COLLECT {
    CALL (push) {
      MATCH (fact:PastRelationship {until: push.at})
      USING INDEX SEEK fact:PastRelationship(until)
      RETURN fact.type AS what
      UNION ALL
      MATCH (version:PastNode {until: push.at})
      USING INDEX SEEK version:PastNode(until)
      RETURN version.label AS what
    }
    WITH what, count(*) AS count ORDER BY count DESC, what
    RETURN {what: what, count: count}
  } AS counts
RETURN push.at AS at, source.provider AS provider, source.name AS data_source,
  toInteger(push.nodes_put) AS nodes_put, toInteger(push.relationships_put) AS relationships_put,
  toInteger(push.nodes_removed) AS nodes_removed, toInteger(push.relationships_removed) AS relationships_removed,
  [each IN counts | each.count + ' ' + each.what] AS ended, push.id AS push
ORDER BY reduce(total = 0, each IN counts | total + each.count) DESC, at DESC
