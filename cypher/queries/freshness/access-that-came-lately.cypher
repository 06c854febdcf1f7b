// Access that was created this week
// Which access is new: grants, role assignments, memberships, names by which somebody is now known?
//
// Parameters (in Neo4j Browser, before the query):
//   :param since => datetime() - duration('P7D')
//   since: the moment after which things are new
//
// One row for each thing that now gives access and did not before `since`, with the push that brought it.
// Roles: administrator, analyst, auditor.

CALL () {
  MATCH (who)-[holds:HOLDS]->(held:Entitlement)
  WHERE holds.since >= $since
  WITH who, holds, held, COLLECT {
      UNWIND [(held)-[:ON]->(scope) | coalesce(scope.path, scope.name)] AS value
      RETURN DISTINCT value ORDER BY value
    } AS names
  RETURN who, 'holds ' + held.name + ' on ' + reduce(text = '', name IN names[..100] |
      CASE WHEN text = '' THEN name ELSE text + ', ' + name END) +
    CASE WHEN size(names) > 100 THEN ', …' ELSE '' END AS what, holds.since AS since
  UNION
  MATCH (who)-[link:MEMBER_OF]->(gained)
  WHERE link.since >= $since
  RETURN who, 'is a member of ' + coalesce(gained.name, gained.arn, gained.id, gained.unique_id) AS what, link.since AS since
  UNION
  MATCH (who)-[link:IDENTITY_OF]->(gained)
  WHERE link.since >= $since
  RETURN who, 'is the identity of ' + coalesce(gained.name, gained.arn, gained.id, gained.unique_id) AS what, link.since AS since
  UNION
  MATCH (who)-[link:KNOWN_AS]->(gained)
  WHERE link.since >= $since
  RETURN who, 'is known as ' + coalesce(gained.name, gained.arn, gained.id, gained.unique_id) AS what, link.since AS since
  UNION
  MATCH (who)-[link:ASSUMES_ROLE]->(gained)
  WHERE link.since >= $since
  RETURN who, 'assumes ' + coalesce(gained.name, gained.arn, gained.id, gained.unique_id) AS what, link.since AS since
}
OPTIONAL MATCH (push:Push {at: since})-[:FROM]->(source:DataSource)
RETURN coalesce(who.name, who.arn, who.id, who.unique_id) AS who, [label IN labels(who) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label, coalesce(who.application, who.domain) AS lives_in,
  what, since, source.name AS data_source, push.id AS push, who.key AS key
ORDER BY since DESC, who, label, what, key
