// Grants that ended within a day
// Which grants and role assignments were valid only for a short while?
//
// Parameters (in Neo4j Browser, before the query):
//   :param since => datetime() - duration('P30D')
//   since: the moment after which they ended
//   :param within => duration('P1D')
//   within: the longest time for which they were valid
//
// One row for each thing that was held on something and ended, the newest first; at most 1,000. Names are those at the
// end of the thing.
// Roles: administrator, analyst, auditor.

MATCH (fact:PastRelationship)
USING INDEX SEEK fact:PastRelationship(until)
WHERE fact.until >= $since AND fact.type = 'ON'
WITH fact, fact.since + $within AS latest
WHERE fact.until <= latest
WITH fact ORDER BY fact.until DESC LIMIT 1000
WITH fact, fact.until - duration({nanoseconds: 1}) AS then
CALL (fact, then) {
  MATCH (holds:PastRelationship {end: fact.start})
  USING INDEX SEEK holds:PastRelationship(end, until)
  WHERE holds.until > then AND holds.since <= then AND holds.type = 'HOLDS'
  RETURN holds.start AS key
  UNION
  MATCH (holder)-[holds:HOLDS]->(held:Entity {key: fact.start})
  WHERE holds.since <= then
  RETURN holder.key AS key
}
WITH fact, key,
  // <shared: name of key at then as who>
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
  ) AS who,
  // </shared>
  // <shared: label of key as label>
  split(key, '|')[CASE WHEN split(key, '|')[0] IN ['Identity', 'CloudRole', 'ExternalEntity', 'Tag'] THEN 0 ELSE 1 END] AS label,
  // </shared>
  // <shared: name of fact.start at then as held>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: fact.start})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > then
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: fact.start})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(fact.start, '|')[-1]
  ) AS held,
  // </shared>
  // <shared: name of fact.end at then as scope>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: fact.end})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > then
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: fact.end})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(fact.end, '|')[-1]
  ) AS scope,
  // </shared>
  fact.since AS since, fact.until AS until
OPTIONAL MATCH (began:Push {at: since})
OPTIONAL MATCH (ended:Push {at: until})-[:FROM]->(source:DataSource)
RETURN who, label, held, scope, since, until,
  source.name AS data_source, began.id AS push, ended.id AS ended_by, key
ORDER BY until DESC, who, label, held, scope, key
