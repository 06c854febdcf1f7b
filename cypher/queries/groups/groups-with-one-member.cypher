// Groups with one member
// Which groups have a single person, account or agent in them?
//
// Parameters: none.
//
// One row for each group. A nested group counts as its members, and an account as its person.
// A report about the complete graph: it looks at all groups.
// Roles: administrator, analyst, auditor.

MATCH (group:IdpGroup|LocalGroup)
CALL (group) {
  MATCH (member)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF*1..]->(group)
  // Each member once, whatever the ways to it, before anything else is read about it.
  WITH DISTINCT member
  WHERE member:IdpUser|LocalUser|LocalAgent
    AND NOT EXISTS { (:IdpUser)-[:KNOWN_AS]->()-[:IDENTITY_OF]->(member) }
  // Two are enough to know.
  WITH member LIMIT 2
  RETURN collect(member) AS members
}
WITH group, members, head(members) AS member
WHERE size(members) = 1
RETURN group.name AS group, [label IN labels(group) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label, coalesce(group.application, group.domain) AS of,
  coalesce(member.name, member.arn, member.id, member.unique_id) AS member, [label IN labels(member) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS member_label,
  // <shared: marks of member>
  [mark IN [
    CASE WHEN member.is_active = false OR member.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN member.is_guest THEN 'guest' END,
    CASE WHEN member.identity_type = 'NONHUMAN' OR member.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  EXISTS {
    MATCH (group)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held)
    WITH DISTINCT held
    // This does not use the label, because a plan might begin there.
    WHERE 'Entitlement' IN labels(held)
    RETURN held
  } AS leads_to_access,
  group.key AS key
ORDER BY of, group, key
