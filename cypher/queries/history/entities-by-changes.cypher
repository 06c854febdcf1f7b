// Entities by how often they changed
// Which entities changed most often: their own properties, or what they belong to, hold and contain?
//
// Parameters (in Neo4j Browser, before the query):
//   :param since => datetime() - duration('P30D')
//   since: the moment after which changes count
//
// One row for each entity of which something ended, those with the most pushes first; at most 100. Something that was
// only created counts as no change.
// Roles: administrator, analyst, auditor.

CALL () {
  MATCH (version:PastNode)
  USING INDEX SEEK version:PastNode(until)
  WHERE version.until >= $since
  RETURN version.key AS key, version.until AS at, 1 AS versions, 0 AS links
  UNION ALL
  MATCH (fact:PastRelationship)
  USING INDEX SEEK fact:PastRelationship(until)
  WHERE fact.until >= $since
  RETURN fact.start AS key, fact.until AS at, 0 AS versions, 1 AS links
}
WITH key, count(DISTINCT at) AS pushes, sum(versions) AS versions, sum(links) AS relationships, max(at) AS last
ORDER BY pushes DESC, versions + relationships DESC, key LIMIT 100
WITH key, pushes, versions, relationships, last, last - duration({nanoseconds: 1}) AS then
WITH key, pushes, versions, relationships, last,
  // <shared: name of key at then as name>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: key})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > then
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: key})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(key, '|')[-1]
  ) AS name,
  // </shared>
  // <shared: label of key as label>
  split(key, '|')[CASE WHEN split(key, '|')[0] IN ['Identity', 'CloudRole', 'ExternalEntity', 'Tag'] THEN 0 ELSE 1 END] AS label,
  // </shared>
  split(key, '|')[0] AS id
OPTIONAL MATCH (source:DataSource {key: id})
OPTIONAL MATCH (push:Push {at: last})
RETURN name, label, pushes, versions, relationships, last, source.name AS data_source, push.id AS push, key
ORDER BY pushes DESC, versions + relationships DESC, name, label, key
