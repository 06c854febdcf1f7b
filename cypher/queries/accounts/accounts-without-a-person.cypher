// Accounts without a person
// Whose access has no matching person?
//
// Parameters: none.
//
// One row for each account, AI agent, credential or identity that has effective access (docs/rules.md: Effective
// access) although no person of any directory leads to it: what it is, what it names, who uses or owns it, what it
// holds.
// A report about the complete graph: it looks at all accounts, agents, credentials and identities.
// Roles: administrator, analyst, auditor.

MATCH (account:LocalUser|LocalAgent|AccessCredential|Identity)
// An identity has a row of its own if it holds something or is a member. Otherwise the account that it names has one.
WHERE (NOT account:Identity OR EXISTS { (account)-[:HOLDS]->() } OR EXISTS { (account)-[:IDENTITY_OF]->(:LocalGroup) })
  AND NOT EXISTS {
    MATCH (person:IdpUser)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_CREDENTIAL*1..]->(account)
    WHERE coalesce(person.identity_type, 'HUMAN') <> 'NONHUMAN'
  }
// Many accounts have the same groups, so the query finds only once what each group gains.
MATCH (account)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES]->(next)
WITH next, collect(DISTINCT account) AS accounts
CALL (next) {
  MATCH (next)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
  RETURN DISTINCT held
}
WITH held, collect(accounts) AS lists
// Each thing held once, however many gain it, and whether it gives anything on anything.
CALL (held) {
  MATCH (held)-[:OF]->(given)
  MATCH (held)-[:ON]->(scope)
  WITH DISTINCT held, given, scope
  // <shared: what a permission or role gives>
  CALL (given) {
    MATCH (given)-[:INCLUDES|ALLOWS*0..]->(permission)
    WITH DISTINCT given, permission
    WHERE permission:Permission
    RETURN collect({
      permission: permission,
      spreads: coalesce(permission.apply_to_sub_resources, false),
      through_role: given:LocalRole,
      // Through a role, a typed permission holds on resources of its type only.
      resource_type: CASE WHEN given:LocalRole THEN permission.fold_resource_type END,
      application_types: permission.fold_application_types
    }) AS gives
  }
  // </shared>
  // <shared: on what it may hold>
  // Walks down only if a permission is inherited: a scope may contain much.
  CALL (scope, gives) {
    RETURN scope AS target
    UNION ALL
    WITH scope, gives WHERE any(give IN gives WHERE (give.spreads OR give.through_role AND scope:Application))
    MATCH (scope)-[:CONTAINS*1..]->(target)
    RETURN target
  }
  // </shared>
  WITH held, target,
    // <shared: what holds on the target>
    [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
    // </shared>
  WHERE size(permissions) > 0
  RETURN true AS isEffective LIMIT 1
}
MATCH (held)-[:ON]->(scope)
WITH held.name + ' on ' + coalesce(scope.path, scope.name) AS text, collect(lists) AS found
ORDER BY text
UNWIND found AS lists
UNWIND lists AS accounts
UNWIND accounts AS account
WITH DISTINCT account, text
WITH account, collect(text) AS access
RETURN coalesce(account.name, account.arn, account.id, account.unique_id) AS account,
  [label IN labels(account) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label,
  account.application AS application,
  // <shared: marks of account>
  [mark IN [
    CASE WHEN account.is_active = false OR account.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN account.is_guest THEN 'guest' END,
    CASE WHEN account.identity_type = 'NONHUMAN' OR account.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL] AS marks,
  // </shared>
  // The identities that it names, the robots and groups known by them, and the agent to which a credential belongs.
  COLLECT {
    MATCH (identity:Identity)-[:IDENTITY_OF]->(account)
    RETURN DISTINCT coalesce(identity.name, identity.arn, identity.id, identity.unique_id) AS name ORDER BY name
  } AS names,
  COLLECT {
    MATCH (known:IdpUser|IdpGroup)-[:KNOWN_AS|IDENTITY_OF*1..2]->(account)
    RETURN DISTINCT coalesce(known.name, known.arn, known.id, known.unique_id) AS name ORDER BY name
  } AS known_as,
  COLLECT {
    MATCH (user)-[:HAS_CREDENTIAL]->(account)
    RETURN DISTINCT coalesce(user.name, user.arn, user.id, user.unique_id) AS name ORDER BY name
  } AS used_by,
  COLLECT {
    MATCH (account)-[:OWNED_BY]->(owner:Identity)
    RETURN DISTINCT coalesce(owner.name, owner.arn, owner.id, owner.unique_id) AS name ORDER BY name
  } AS owners,
  coalesce(account.last_login_at, account.last_used_at) AS last_seen,
  access,
  account.key AS key
ORDER BY account, label, key
