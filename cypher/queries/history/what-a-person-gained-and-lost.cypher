// What a person gained and lost
// What did a person gain and lose in a period, hop by hop: groups, accounts, roles, permissions?
//
// Parameters (in Neo4j Browser, before the query):
//   :param person => 'Amara Nwosu'
//   person: the key, id, name or email of a user of a directory; only the key of one who is gone
//   :param after => datetime() - duration('P7D')
//   after: when the period begins
//   :param until => datetime()
//   until: when it ends
//
// One row for each relationship that was created or ended on a way from the person, with the push that did it. `steps`
// is how far from the person it begins; the walk goes at most 20 steps. Names are those at that moment.
// Roles: administrator, analyst, auditor.

CALL () {
  // <shared: find the person>
  CALL () {
    MATCH (person:Entity {key: $person})
    WHERE person:IdpUser
    RETURN person
    UNION
    MATCH (person:IdpUser)
    WHERE person.fold_id = replace(normalize(toLower(normalize($person))), 'ς', 'σ')
      OR person.fold_name = replace(normalize(toLower(normalize($person))), 'ς', 'σ')
      OR person.fold_email = replace(normalize(toLower(normalize($person))), 'ς', 'σ')
      OR person.fold_exact = normalize($person)
    RETURN person
  }
  // </shared>
  RETURN person.key AS person
  UNION
  MATCH (version:PastNode {key: $person})
  USING INDEX SEEK version:PastNode(key, until)
  WHERE version.until > $after AND version.label = 'IdpUser'
  RETURN version.key AS person
}
// Everything that the person could reach at any moment of the period: `keys` of nodes, `facts` with their steps.
WITH person, split('MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES', '|') + ['ALLOWS', 'ON'] AS types
WITH reduce(reached = {keys: [person], newest: [person], facts: []}, steps IN range(0, 19) |
  head([found IN [COLLECT {
    UNWIND reached.newest AS key
    CALL (key, types) {
      MATCH (near:Entity {key: key})
      WHERE near:IdpUser|IdpGroup|IdpApp|Identity|CloudRole|LocalUser|LocalGroup|LocalRole|LocalAgent|AccessCredential|Grant|RoleAssignment
      MATCH (near)-[fact]->(far)
      WHERE fact.since <= $until AND type(fact) IN types
      RETURN {type: type(fact), from: key, to: far.key, since: fact.since, until: null} AS fact
      UNION
      MATCH (fact:PastRelationship {start: key})
      USING INDEX SEEK fact:PastRelationship(start, until)
      WHERE fact.until > $after AND fact.since <= $until
        AND fact.type IN types
      RETURN {type: fact.type, from: key, to: fact.end, since: fact.since, until: fact.until} AS fact
    }
    RETURN fact
  }] | {
    newest: COLLECT { UNWIND found AS fact WITH fact.to AS key WHERE NOT key IN reached.keys RETURN DISTINCT key },
    keys: reached.keys + [fact IN found | fact.to],
    facts: reached.facts + [fact IN found | {fact: fact, steps: steps}]
  }])
).facts AS facts
UNWIND facts AS each
// Versions of one relationship have one beginning; the relationship ends with the last of them.
WITH each.fact.type AS type, each.fact.from AS start, each.fact.to AS end, each.fact.since AS since,
  min(each.steps) AS steps, count(*) AS versions, count(each.fact.until) AS ended, max(each.fact.until) AS until
UNWIND [
  {what: 'gained', at: since, then: since},
  {what: 'lost', at: CASE WHEN ended = versions THEN until END, then: until - duration({nanoseconds: 1})}
] AS change
WITH type, start, end, steps, change
WHERE change.at > $after AND change.at <= $until
WITH type, steps, change, end AS key,
  // <shared: name of start at change.then as who>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: start})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > change.then
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: start})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(start, '|')[-1]
  ) AS who,
  // </shared>
  // <shared: name of end at change.then as gained>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: end})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > change.then
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: end})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(end, '|')[-1]
  ) AS gained,
  // </shared>
  change.at AS at
OPTIONAL MATCH (push:Push {at: at})-[:FROM]->(source:DataSource)
RETURN at, change.what AS what, who, type AS relationship, gained, steps, source.name AS data_source, push.id AS push, key
ORDER BY at, steps, what, who, gained, key
