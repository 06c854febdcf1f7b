// Actions that failed
// What could policies not do in applications, and why?
//
// Parameters: none.
//
// One row for each action that will be tried again (`FAILED`), or that is given up (`DEAD`).
// Roles: administrator.

MATCH (action:LifecycleAction)
WHERE action.status IN ['FAILED', 'DEAD']
RETURN action.status AS status, action.kind AS kind,
  COLLECT { MATCH (provider:Provider {key: action.provider}) RETURN provider.name }[0] AS application,
  COLLECT { MATCH (policy:LifecyclePolicy {key: action.policy}) RETURN policy.name }[0] AS policy,
  action.group AS group,
  COLLECT {
    UNWIND action.people AS person
    OPTIONAL MATCH (user:Entity {key: person})
    RETURN coalesce(user.name, person) AS name ORDER BY name
  } AS people,
  toInteger(action.attempts) AS attempts, action.problem_code AS code, action.problem AS problem,
  action.next_try AS next_try, action.key AS key
ORDER BY status, application, policy, kind, key
