// AI agents, their models and their reach
// Which AI agents are there, which models do they use, who owns them, and what can they reach?
//
// Parameters: none.
//
// One row for each agent and application that it reaches. Its credentials may reach more than the agent itself.
// A report about the complete graph: it looks at all agents.
// Roles: administrator, analyst, auditor.

MATCH (agent:LocalAgent)
OPTIONAL CALL (agent) {
  // Everything that agent gains, and what is held there.
  MATCH (agent)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES*0..]->(held:Entitlement)
  WITH DISTINCT agent, held
  MATCH (held)-[:OF]->(given)
  MATCH (held)-[:ON]->(scope)
  WITH DISTINCT agent, held, given, scope
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
  WITH agent, held, target,
    // <shared: what holds on the target>
    [give IN gives WHERE (target = scope OR (give.spreads OR give.through_role AND scope:Application))
      AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
      AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission] AS permissions
    // </shared>
  WHERE size(permissions) > 0
  RETURN target.application AS application, collect(permissions) AS found, collect(DISTINCT coalesce(target.path, target.name)) AS resources
}
RETURN agent.name AS agent, agent.application AS lives_in, agent.ai_platform AS platform, agent.is_active AS is_active,
  COLLECT {
    MATCH (agent)-[:USES_MODEL]->(model)
    RETURN DISTINCT coalesce(model.name, model.arn, model.id, model.unique_id) AS name ORDER BY name
  } AS models,
  COLLECT {
    MATCH (agent)-[:OWNED_BY]->(owner)
    RETURN DISTINCT coalesce(owner.name, owner.arn, owner.id, owner.unique_id) AS name ORDER BY name
  } AS owners,
  COLLECT {
    MATCH (agent)-[:MEMBER_OF]->(group)
    RETURN DISTINCT coalesce(group.name, group.arn, group.id, group.unique_id) AS name ORDER BY name
  } AS groups,
  COLLECT {
    MATCH (agent)-[:HAS_CREDENTIAL]->(credential)
    RETURN DISTINCT coalesce(credential.name, credential.arn, credential.id, credential.unique_id) AS name ORDER BY name
  } AS credentials,
  application,
  COLLECT {
    UNWIND coalesce(found, []) AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions,
  COLLECT {
    UNWIND coalesce(resources, []) AS value
    RETURN DISTINCT value ORDER BY value
  } AS resources
ORDER BY lives_in, agent, application
