import { IS_PAUSED } from '../../graph/statements/paused-statements';
import { OF_POLICY } from '../../graph/statements/policy-actions';
import { VERSIONED } from './records';
import { endedLease, heldLease, isLeased, prolongedLease, takenLease } from '../lease';
import { STAYING_PROVIDER } from '../../graph/statements/provider-lock';
import { seekEntity } from '../../graph/statements/seek';

/*
 * Statements about policies, the accounts that they made, and their actions (docs/provisioning.md:
 * Policies). All that a run writes begins with HOLD_LEASE.
 */

/** A provider whose policies nobody has run yet. */
const NEW_STATE = 'ON CREATE SET state.turn = -1, state.failures = 0';

/** Takes the lease of a provider, if nobody holds it. `$provider`, `$holder`, `$seconds`. */
export const TAKE_LEASE = `MATCH (provider:Provider {key: $provider})
WHERE provider.state <> 'DELETING'
MERGE (state:LifecycleState {key: provider.key})
${NEW_STATE}
${takenLease('state')}
RETURN state.holder AS holder`;

/** Prolongs the lease, if it is still that of the holder. `$provider`, `$holder`, `$seconds`. */
export const HOLD_LEASE = `MATCH (state:LifecycleState {key: $provider})
${prolongedLease('state')}
RETURN state.holder AS holder`;

/** Gives the lease back. `$provider`, `$holder`. */
export const RELEASE_LEASE = `MATCH (state:LifecycleState {key: $provider})
${heldLease('state')}
${endedLease('state')}`;

/** Whether policies wait since a restore. */
export const READ_PAUSE = `RETURN ${IS_PAUSED} AS is_paused`;

/** The state of a provider, and whether somebody holds its lease. `$provider`. */
export const READ_STATE = `MATCH (state:LifecycleState {key: $provider})
RETURN properties(state) AS state, ${isLeased('state')} AS is_held`;

/** Sets properties of the state; times come as texts. `$provider`, `$set`, `$times`. */
export const SET_STATE = `MERGE (state:LifecycleState {key: $provider})
${NEW_STATE}
SET state += $set
FOREACH (name IN keys($times) | SET state[name] = datetime($times[name]))`;

/** Asks for a run. `$provider`. */
export const ASK_FOR_RUN = `MERGE (state:LifecycleState {key: $provider})
${NEW_STATE}
SET state.asked = coalesce(state.asked, 0) + 1`;

/** All policies of a provider, the eldest first. `$provider`. */
export const POLICIES = `MATCH (policy:LifecyclePolicy {provider: $provider})
RETURN properties(policy) AS policy ORDER BY policy.since, policy.key`;

/** Locks a provider that is not being deleted, so that policies are set one at a time. `$provider`. */
export const LOCK_POLICIES = `${STAYING_PROVIDER}
RETURN provider.key AS provider`;

/** Sets a policy. `$id`, `$set`, `$at`. */
export const SET_POLICY = `MERGE (policy:LifecyclePolicy {key: $id})
ON CREATE SET policy.since = datetime($at)
SET policy += $set, policy.changed = datetime($at)
RETURN properties(policy) AS policy`;

/** How `account` is, before a statement changes it. */
const BEFORE = `account {${VERSIONED.map((name) => `.${name}`).join(', ')}, .since} AS before,
  coalesce(account.changed, account.since) AS began`;

/**
 * Stores how `account` was until `$at`, if it differs from `before` (docs/provisioning.md: What
 * they leave in the graph). An account that never existed, or no longer exists, has no versions.
 */
const KEEP_VERSION = `FOREACH (_ IN CASE WHEN any(name IN keys(before) WHERE
      before[name] <> account[name] OR (before[name] IS NULL) <> (account[name] IS NULL)) THEN [0] END |
  SET account.changed = datetime($at)
  FOREACH (__ IN CASE WHEN before.account IS NOT NULL AND began < account.changed
      AND NOT before.state IN ['DELETED', 'RELEASED'] THEN [0] END |
    CREATE (ended:ManagedAccountVersion {provider: account.provider, person: account.person})
    SET ended += before, ended.from = began, ended.until = account.changed))`;

/** Removes a policy, and releases its accounts. `$id`, `$at`. */
export const REMOVE_POLICY = `MATCH (policy:LifecyclePolicy {key: $id, provider: $provider})
DELETE policy
WITH $id AS id
CALL (id) {
  MATCH (account:ManagedAccount {policy: id})
  WHERE NOT account.state IN ['DELETED', 'RELEASED']
  WITH account, ${BEFORE}
  SET account.state = 'RELEASED', account.until = datetime($at)
  ${KEEP_VERSION}
}
CALL (id) {
  MATCH (action:LifecycleAction {policy: id})
  WHERE action.status IN ['PLANNED', 'FAILED', 'DEAD']
  SET action.status = 'DROPPED', action.finished_at = datetime($at)
}
RETURN id`;

/** The accounts that policies of a provider made. `$provider`. */
export const MANAGED_ACCOUNTS = `MATCH (account:ManagedAccount {provider: $provider})
RETURN [account.person, account.policy, account.account, account.user_name, account.external_id,
  account.digest, account.ignored, account.groups, account.is_adopted, account.state,
  toString(account.since), toString(account.left_at), toString(account.delete_at),
  account.is_creating, account.unsure_groups, account.former, account.ignored_values] AS account`;

/** Actions of policies of a provider that are not done. `$provider`. */
export const OPEN_ACTIONS = `MATCH (action:LifecycleAction)
WHERE action.provider = $provider AND action.status IN ['PLANNED', 'FAILED', 'DEAD'] AND ${OF_POLICY}
RETURN properties(action) AS action ORDER BY action.key`;

/** Whether a review ordered an action that is neither done nor given up. */
const IS_OPEN_ORDER = `action.review IS NOT NULL AND action.status IN ['PLANNED', 'FAILED']`;

/** The open orders of reviews in the application of a provider. `$provider`. */
export const OPEN_ORDERS = `MATCH (action:LifecycleAction)
WHERE action.provider = $provider AND ${IS_OPEN_ORDER}
RETURN properties(action) AS action ORDER BY action.key`;

/** Orders of reviews by their ids. `$keys[0]`. */
export const READ_ORDERS = `UNWIND $keys[0] AS key
MATCH (action:LifecycleAction {key: key})
RETURN properties(action) AS action`;

/** Drops orders that are not done. `$keys[0]`, `$at`. */
export const DROP_ORDERS = `UNWIND $keys[0] AS key
MATCH (action:LifecycleAction {key: key})
WHERE action.review IS NOT NULL AND action.status IN ['PLANNED', 'FAILED', 'DEAD']
SET action.status = 'DROPPED', action.finished_at = datetime($at)`;

/** Plans actions. `$rows[0]`, `$at`. */
export const PLAN_ACTIONS = `UNWIND $rows[0] AS row
CREATE (action:LifecycleAction {key: row.id, planned_at: datetime($at), attempts: 0})
SET action += row`;

/** Drops actions that nobody wants any more. `$keys[0]`, `$at`. */
export const DROP_ACTIONS = `UNWIND $keys[0] AS key
MATCH (action:LifecycleAction {key: key})
SET action.status = 'DROPPED', action.finished_at = datetime($at)`;

/** Leaves an open action to fewer people. `$rows[0]`. */
export const NARROW_ACTIONS = `UNWIND $rows[0] AS row
MATCH (action:LifecycleAction {key: row.id})
SET action.people = row.people`;

/**
 * Sets properties of actions; times come as texts. What somebody dropped meanwhile is not tried again.
 * `$rows[0]`: `{id, set, times}`.
 */
export const SET_ACTIONS = `UNWIND $rows[0] AS row
MATCH (action:LifecycleAction {key: row.id})
SET action.lock = true
REMOVE action.lock
WITH row, action
WHERE action.status <> 'DROPPED' OR row.set.status = 'DONE'
SET action += row.set
FOREACH (name IN keys(row.times) | SET action[name] = datetime(row.times[name]))`;

/**
 * Writes records of accounts, and creates the relationship to the person if they exist. `$rows[0]`:
 * `{key, set, times}`; `$at`.
 */
export const SAVE_ACCOUNTS = `UNWIND $rows[0] AS row
MERGE (account:ManagedAccount {key: row.key})
WITH row, account, ${BEFORE}
SET account += row.set, account.since = coalesce(account.since, datetime($at))
FOREACH (name IN keys(row.times) | SET account[name] = datetime(row.times[name]))
${KEEP_VERSION}
WITH account
OPTIONAL MATCH (user:Entity {key: account.person})
WHERE user:IdpUser
FOREACH (one IN CASE WHEN user IS NULL THEN [] ELSE [user] END | MERGE (account)-[:ACCOUNT_OF]->(one))`;

/** A page of actions, the newest first. `$provider`, `$status`, `$policy`, `$after`, `$most`. */
export const LIST_ACTIONS = `MATCH (action:LifecycleAction)
WHERE action.provider = $provider AND ($status IS NULL OR action.status = $status)
  AND ($policy IS NULL OR action.policy = $policy) AND ($after IS NULL OR action.key < $after)
  AND ${OF_POLICY}
WITH action ORDER BY action.key DESC LIMIT $most
RETURN properties(action) AS action`;

/** Lets actions be tried again. `$provider`, `$actions` (null: all that are given up). */
export const RETRY_ACTIONS = `MATCH (action:LifecycleAction)
WHERE action.provider = $provider AND ${OF_POLICY} AND
  (action.status = 'DEAD' AND $actions IS NULL OR
   action.status IN ['DEAD', 'FAILED'] AND action.key IN $actions)
SET action.status = 'PLANNED', action.attempts = 0
REMOVE action.next_try, action.finished_at
RETURN count(action) AS retried`;

/** Accounts by state and actions by status. `$provider`. */
export const COUNT_LIFECYCLE = `CALL () {
  MATCH (account:ManagedAccount {provider: $provider})
  WHERE account.policy <> ''
  RETURN 'account' AS kind, account.state AS state, count(account) AS number
  UNION ALL
  MATCH (action:LifecycleAction) WHERE action.provider = $provider AND ${OF_POLICY}
  RETURN 'action' AS kind, action.status AS state, count(action) AS number
}
RETURN kind, state, number`;

/**
 * Providers with policies that count, or with open orders of reviews, unless policies are paused, and
 * the values that show whether a run is due.
 */
export const LIFECYCLE_PROVIDERS = `CALL () {
  MATCH (policy:LifecyclePolicy)
  WHERE policy.state <> 'off'
  RETURN policy.provider AS id
  UNION
  MATCH (action:LifecycleAction)
  USING INDEX SEEK action:LifecycleAction(status)
  WHERE ${IS_OPEN_ORDER}
  RETURN action.provider AS id
}
WITH DISTINCT id
WHERE NOT ${IS_PAUSED}
MATCH (provider:Provider {key: id})
WHERE provider.state <> 'DELETING' AND coalesce(provider.provisioning, false)
OPTIONAL MATCH (state:LifecycleState {key: id})
OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
RETURN id, properties(state) AS state, coalesce(lock.turns, 0) AS turns,
  ${isLeased('state')} AS is_held`;

/** Whether actions or deletions of a provider are due. `$provider`, `$now`. */
export const IS_ACTION_DUE = `RETURN EXISTS {
  MATCH (action:LifecycleAction)
  WHERE action.provider = $provider
    AND (action.status = 'PLANNED' OR action.status = 'FAILED' AND action.next_try <= datetime($now))
} OR EXISTS {
  MATCH (account:ManagedAccount {provider: $provider})
  WHERE account.state = 'DISABLED' AND account.delete_at <= datetime($now)
} AS is_due`;

/**
 * What the commits after a place in the sequence were: pushes of people, and how many were pushes
 * at all. What was none is a deletion, a repair or an erasure. `$turn`.
 */
export const COMMITS_SINCE = `MATCH (push:Push)
USING INDEX SEEK push:Push(turn)
WHERE push.turn > $turn
OPTIONAL MATCH (push)-[:FROM]->(:DataSource)-[:FROM]->(provider:Provider)
RETURN count(push) AS pushes,
  count(CASE WHEN provider.custom_template IN ['identity_provider', 'hris'] THEN 1 END) AS of_people`;

/**
 * Whether the graph holds only a part of a data source: a chunked push is unfinished or was given
 * up.
 */
const IS_PARTIAL =
  'source.half_written_by IS NOT NULL OR EXISTS { MATCH (:LargePush {key: source.key}) }';

/**
 * Whether the data sources that policies name exist, and whether the graph holds only a part of
 * one: a chunked push is unfinished or was given up. `$sources`.
 */
export const DIRECTORIES_NOW = `UNWIND $sources AS id
OPTIONAL MATCH (source:DataSource {key: id})
RETURN id, source IS NULL OR source.status = 'DELETING' AS is_gone,
  ${IS_PARTIAL} AS is_partial`;

/** All data sources that may have people, and whether the graph holds only a part of one. */
export const DIRECTORIES = `MATCH (source:DataSource)-[:FROM]->(provider:Provider)
WHERE provider.custom_template IN ['identity_provider', 'hris'] AND source.status <> 'DELETING'
RETURN source.key AS id, source.name AS name, provider.name AS provider, provider.custom_template AS template,
  ${IS_PARTIAL} AS isPartial`;

/**
 * Groups by their key, or by their own id or name within some data sources. `$asked`: `{at, key,
 * folded, sources}`.
 */
export const GROUPS_NAMED = `UNWIND $asked AS asked
CALL (asked) {
  MATCH (group:Entity {key: asked.key})
  WHERE group:IdpGroup
  RETURN group
  UNION
  MATCH (group:IdpGroup {fold_id: asked.folded})
  RETURN group
  UNION
  MATCH (group:IdpGroup {fold_name: asked.folded})
  RETURN group
}
WITH asked, group
WHERE group.data_source IN asked.sources
RETURN asked.at AS at, {key: group.key, name: group.name, source: group.data_source, provider: group.provider,
  domain: group.domain, type: group.idp_type, fullName: group.full_name, id: group.identity} AS found`;

/**
 * Members of groups, nested ones too. `$groups`: `{at, key, sources}`; people of other data sources do
 * not count.
 */
export const PEOPLE_OF_GROUPS = `UNWIND $groups AS asked
MATCH (group:Entity {key: asked.key})
MATCH (group)<-[:MEMBER_OF*0..]-(within:IdpGroup)
WITH DISTINCT asked, within
MATCH (within)<-[:MEMBER_OF]-(user:IdpUser)
WHERE user.data_source IN asked.sources
WITH asked, collect(DISTINCT user.key) AS keys
RETURN asked.at AS at, keys`;

/** The data sources whose users have departments. `$departments`: `{at, folded, sources}`. */
export const SOURCES_OF_DEPARTMENTS = `UNWIND $departments AS asked
MATCH (user:IdpUser)
WHERE user.data_source IN asked.sources
  AND asked.folded IN coalesce(user.fold_of_department, user.department)
RETURN asked.at AS at, collect(DISTINCT user.data_source) AS sources`;

/**
 * People of departments: their own, or those of their employees. Users, employees and HR groups of
 * other data sources do not count. `$departments`: `{at, folded, sources}`.
 */
export const PEOPLE_OF_DEPARTMENTS = `UNWIND $departments AS asked
CALL (asked) {
  MATCH (user:IdpUser)
  WHERE user.data_source IN asked.sources
    AND asked.folded IN coalesce(user.fold_of_department, user.department)
  RETURN user
  UNION
  MATCH (within:HrisGroup {fold_name: asked.folded})
  WHERE within.data_source IN asked.sources AND coalesce(within.fold_of_group_type, within.group_type) = 'department'
  MATCH (within)<-[:MEMBER_OF]-(:Employee)-[:HAS_ACCOUNT]->(user:IdpUser)
  WHERE user.data_source IN asked.sources
  RETURN user
}
WITH asked, collect(DISTINCT user.key) AS keys
RETURN asked.at AS at, keys`;

/** Properties of users. `$keys[0]`. */
export const PEOPLE = `UNWIND $keys[0] AS key
${seekEntity('user', 'key')}
RETURN user.key AS key, properties(user) AS properties`;

/** The keys of users of some data sources that meet a condition. `$sources`. */
export const peopleWhere = (condition: string | null): string =>
  `MATCH (n:IdpUser)
WHERE n.data_source IN $sources${condition === null ? '' : ` AND (${condition})`}
RETURN n.key AS key`;
