// Members of a group, nested
// Who is in a group, in any way: directly, by a group within it, by a group of a directory?
//
// Parameters (in Neo4j Browser, before the query):
//   :param group => 'firmware-team'
//   group: the key, id or name of a group, in a directory or an application
//
// One row for each user, account or agent, with the shortest ways by which it is in the group, and
// since when: a way exists since its newest step began.
// Roles: administrator, analyst, auditor.

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
MATCH way = ALL SHORTEST
  (member:IdpUser|LocalUser|LocalAgent)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF]->+(group)
WITH group, member, reduce(newest = null, step IN relationships(way) | CASE WHEN newest > step.since THEN newest ELSE step.since END) AS since,
  reduce(text = '', step IN nodes(way)[1..] | CASE WHEN text = '' THEN coalesce(step.name, step.arn, step.id, step.unique_id) ELSE text + ' → ' + coalesce(step.name, step.arn, step.id, step.unique_id) END) AS through
WITH group, member, min(since) AS since, collect(through) AS ways
RETURN group.name AS group, coalesce(group.application, group.domain) AS of,
  coalesce(member.name, member.arn, member.id, member.unique_id) AS member, [label IN labels(member) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  // <shared: marks of member>
  [mark IN [
    CASE WHEN member.is_active = false OR member.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN member.is_guest THEN 'guest' END,
    CASE WHEN member.identity_type = 'NONHUMAN' OR member.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  COLLECT {
    UNWIND ways AS value
    RETURN DISTINCT value ORDER BY value
  } AS through,
  since,
  member.key AS key
ORDER BY of, group, member, label, key
