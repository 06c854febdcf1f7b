// Members of a group on a day
// Who was in a group at a moment, in any way: directly, by a group within it, by a group of a directory?
//
// Parameters (in Neo4j Browser, before the query):
//   :param group => 'release-managers'
//   group: the key, id or name of a group, in a directory or an application; only the key of one that is gone
//   :param at => datetime()
//   at: the moment
//
// One row for each user, account, agent and group within it, the nearest first, with the shortest ways by which it was
// in the group, and since when: a way exists since its newest step began. `through` is what each is a member of or known
// as. At most 20 steps. Names are those at that moment. For now: groups/members-of-a-group.cypher.
// Roles: administrator, analyst, auditor.

CALL () {
  CALL () {
    // <shared: find the group>
    CALL () {
      MATCH (group:Entity {key: $group})
      WHERE group:IdpGroup|LocalGroup
      RETURN group
      UNION
      MATCH (group:IdpGroup)
      WHERE group.fold_id = replace(normalize(toLower(normalize($group))), 'ς', 'σ')
        OR group.fold_name = replace(normalize(toLower(normalize($group))), 'ς', 'σ')
        OR group.fold_exact = normalize($group)
      RETURN group
      UNION
      MATCH (group:LocalGroup)
      WHERE group.fold_id = replace(normalize(toLower(normalize($group))), 'ς', 'σ')
        OR group.fold_other_id = replace(normalize(toLower(normalize($group))), 'ς', 'σ')
        OR group.fold_name = replace(normalize(toLower(normalize($group))), 'ς', 'σ')
        OR group.fold_exact = normalize($group)
      RETURN group
    }
    // </shared>
    RETURN group.key AS key
    UNION
    MATCH (version:PastNode {key: $group})
    USING INDEX SEEK version:PastNode(key, until)
    WHERE version.until > $at
    RETURN version.key AS key
  }
  RETURN DISTINCT key AS group
}
// Step by step, from the group to its members: the keys of everything that is found, the way to it, and since when.
WITH group, reduce(reached = {keys: [group], newest: [{key: group, since: null}], members: []}, steps IN range(1, 20) |
  head([found IN [COLLECT {
    UNWIND reached.newest AS nearer
    CALL (nearer) {
      MATCH (near:Entity {key: nearer.key})
      MATCH (near)<-[fact:MEMBER_OF|KNOWN_AS|IDENTITY_OF]-(far)
      WHERE fact.since <= $at
      RETURN far.key AS member, fact.since AS since
      UNION
      MATCH (fact:PastRelationship {end: nearer.key})
      USING INDEX SEEK fact:PastRelationship(end, until)
      WHERE fact.until > $at AND coalesce(fact.from, fact.since) <= $at
        AND fact.type IN ['MEMBER_OF', 'KNOWN_AS', 'IDENTITY_OF']
      RETURN fact.start AS member, fact.since AS since
    }
    WITH member, nearer, datetime(CASE WHEN nearer.since > since THEN nearer.since ELSE since END) AS since
    WHERE NOT member IN reached.keys
    RETURN {key: member, of: nearer.key, since: since}
  }] | {
    newest: COLLECT {
      UNWIND found AS each
      WITH each.key AS key, min(each.since) AS since
      RETURN {key: key, since: since}
    },
    keys: reached.keys + [each IN found | each.key],
    members: reached.members + [each IN found | {steps: steps, way: each}]
  }])
).members AS members
// Each group, account and login through which they are members is named once.
UNWIND members AS each
WITH group AS id, each.way.of AS of, collect(each) AS some
WITH some,
  // <shared: name of id at $at as group>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: id})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > $at
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: id})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(id, '|')[-1]
  ) AS group,
  // </shared>
  // <shared: name of of at $at as via>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: of})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > $at
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: of})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(of, '|')[-1]
  ) AS via,
  // </shared>
  id
UNWIND some AS each
WITH group, each.way.key AS key, min(each.steps) AS steps, collect(DISTINCT via) AS ways, min(each.way.since) AS since
WITH group, steps, ways, since,
  // <shared: label of key as label>
  split(key, '|')[CASE WHEN split(key, '|')[0] IN ['Identity', 'CloudRole', 'ExternalEntity', 'Tag'] THEN 0 ELSE 1 END] AS label,
  // </shared>
  // <shared: name of key at $at as member>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: key})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > $at
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: key})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(key, '|')[-1]
  ) AS member,
  // </shared>
  key
WHERE label IN ['IdpUser', 'LocalUser', 'LocalAgent', 'IdpGroup', 'LocalGroup']
RETURN group, member, label, steps,
  COLLECT {
    UNWIND ways AS way
    RETURN way ORDER BY way
  } AS through,
  since, key
ORDER BY group, steps, member, label, key
