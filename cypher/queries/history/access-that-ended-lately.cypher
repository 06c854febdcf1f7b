// Access that ended this week
// Which access is gone: grants and role assignments, memberships, identities that were known, cloud roles?
//
// Parameters (in Neo4j Browser, before the query):
//   :param since => datetime() - duration('P7D')
//   since: the moment after which it ended
//
// One row for each thing that gave access and ended, with the push that ended it, the newest first; at most 1,000.
// `again` is when it was created again. Names are those at the end of the thing.
// Roles: administrator, analyst, auditor.

MATCH (fact:PastRelationship)
USING INDEX SEEK fact:PastRelationship(until)
WHERE fact.until >= $since AND fact.type IN ['ON', 'MEMBER_OF', 'IDENTITY_OF', 'KNOWN_AS', 'ASSUMES_ROLE']
WITH fact ORDER BY fact.until DESC LIMIT 1000
// The last moment at which it was valid.
WITH fact, fact.until - duration({nanoseconds: 1}) AS then
OPTIONAL MATCH (start:Entity {key: fact.start})
WHERE start:IdpUser|IdpGroup|IdpApp|Identity|LocalUser|LocalGroup|LocalAgent|Grant|RoleAssignment
OPTIONAL MATCH (start)-[same]->(end)
WHERE type(same) = fact.type AND end.key = fact.end
WITH fact, then, max(same.since) AS again
CALL (fact, then) {
  WITH fact WHERE fact.type <> 'ON'
  RETURN fact.start AS key
  UNION
  WITH fact, then WHERE fact.type = 'ON'
  MATCH (holds:PastRelationship {end: fact.start, type: 'HOLDS'})
  USING INDEX SEEK holds:PastRelationship(end, until)
  WHERE holds.until > then AND holds.since <= then
  RETURN holds.start AS key
  UNION
  WITH fact, then WHERE fact.type = 'ON'
  MATCH (holder)-[holds:HOLDS]->(held:Entity {key: fact.start})
  WHERE holds.since <= then
  RETURN holder.key AS key
}
WITH fact, key, again,
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
  // <shared: name of fact.end at then as gained>
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
  ) AS gained,
  // </shared>
  fact.since AS since, fact.until AS until
OPTIONAL MATCH (push:Push {at: until})-[:FROM]->(source:DataSource)
RETURN who, label,
  CASE fact.type
    WHEN 'ON' THEN 'held ' + held + ' on '
    WHEN 'MEMBER_OF' THEN 'was a member of '
    WHEN 'IDENTITY_OF' THEN 'was the identity of '
    WHEN 'KNOWN_AS' THEN 'was known as '
    ELSE 'assumed '
  END + gained AS what,
  since, until, again, source.name AS data_source, push.id AS push, key
ORDER BY until DESC, who, label, what, key
