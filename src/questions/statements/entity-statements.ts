import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { MEMBERSHIPS } from './instant-statements';
import { saidBy } from './search-statements';
import { labelOf, nameOf, summaryOf } from './summary';

const listed = (pattern: string, other: string, more = ''): string => `COLLECT {
    MATCH ${pattern}
    WITH relationship, ${other}
    ORDER BY ${nameOf(other)}, ${other}.key
    RETURN {about: ${summaryOf(other).replaceAll('\n', '\n    ')}, since: relationship.since${more}}
  }`;

/** How many members, or parts, the page of an entity lists (docs/rules.md: Searches). */
export const MOST_LISTED = 100;

/**
 * `n` → the first of those that `found` gives as `node` and `since`, by name, and how many there
 * are.
 */
const firstOf = (found: string, name: string, counts = ''): string => `CALL (n) {
  ${found.replaceAll('\n', '\n  ')}
  WITH node, min(since) AS since
  ORDER BY ${nameOf('node')}, node.key
  WITH collect({node: node, since: since}) AS every
  RETURN {
    total: size(every)${counts},
    values: COLLECT {
      UNWIND every[..${MOST_LISTED}] AS row
      WITH row.node AS node, row.since AS since
      RETURN {about: ${summaryOf('node').replaceAll('\n', '\n      ')}, since: since}
    }
  } AS ${name}
}`;

/** `n` → each `node` that gains in one step what `n` has, and `since` when. */
const MEMBERS = `CALL (n) {
  MATCH (node)-[relationship:${MEMBERSHIPS.join('|')}]->(n)
  RETURN node, relationship.since AS since
  UNION ALL
  WITH n WHERE n:LocalRole
  MATCH (node)-[relationship:HOLDS]->(:RoleAssignment)-[:OF]->(n)
  RETURN node, relationship.since AS since
}`;

/** `n` → each `node` that it contains, and `since` when. */
const CONTENTS = `MATCH (n)-[relationship:CONTAINS]->(node)
WITH node, relationship.since AS since`;

const GROUP_LABELS = ['IdpGroup', 'LocalGroup', 'HrisGroup', 'IdpApp', 'CloudRole', 'LocalRole'];

/** How many of `every` member have members themselves. */
const GROUPS = `,
    groups: COUNT {
      UNWIND every AS row
      WITH row.node AS node
      WHERE node:${GROUP_LABELS.join('|')}
      RETURN node
    }`;

/** The label of an entity and all its properties. Something leads to each shared node. `$id`. */
export const FIND_ENTITY = `MATCH (n:Entity {key: $id})
WHERE n.data_source IS NOT NULL OR EXISTS { (n)--() }
RETURN ${labelOf('n')} AS label, ${nameOf('n')} AS name, ${saidBy('n')} AS properties`;

/**
 * The accounts that policies manage for a person, now (`$at` is null) or at an instant. `$person`,
 * `$at`.
 */
export const POLICY_ACCOUNTS = `CALL () {
  MATCH (account:ManagedAccount {person: $person})
  WHERE account.account IS NOT NULL AND ($at IS NULL OR coalesce(account.changed, account.since) <= $at)
    AND coalesce(account.until > $at, account.until IS NULL)
  RETURN account
  UNION ALL
  MATCH (account:ManagedAccountVersion {person: $person})
  WHERE account.from <= $at AND account.until > $at
  RETURN account
}
OPTIONAL MATCH (provider:Provider {key: account.provider})
OPTIONAL MATCH (policy:LifecyclePolicy {key: account.policy})
WITH account, provider, policy ORDER BY provider.name, account.provider
RETURN {
  provider: account.provider,
  provider_name: coalesce(provider.name, ''),
  policy: account.policy,
  policy_name: coalesce(policy.name, ''),
  account: account.account,
  user_name: coalesce(account.user_name, ''),
  state: account.state,
  groups: coalesce(account.groups, []),
  since: account.since,
  left_at: account.left_at
} AS account`;

/**
 * What else the page of an entity shows (docs/rules.md: Searches). `$id`, and `$prefix`, which a
 * staged node has before the id of its data source.
 */
export const ENTITY_PAGE = `MATCH (n:Entity {key: $id})
${firstOf(MEMBERS, 'members', GROUPS)}
${firstOf(CONTENTS, 'contains')}
RETURN labels(n) AS labels,
  COLLECT {
    MATCH (n)-[relationship:TAGGED]->(tag:Tag)
    WITH relationship, tag
    ORDER BY tag.name, tag.value
    RETURN {key: tag.name, value: coalesce(tag.value, ''), derived: coalesce(relationship.derived, false), since: relationship.since}
  } AS tags,
  ${listed('(n)-[relationship:MEMBER_OF]->(group)', 'group')} AS memberships,
  members, contains,
  ${listed('(n)-[relationship:MANAGED_BY]->(manager)', 'manager')} AS managers,
  ${listed(
    '(n)-[relationship:OWNED_BY]->(owner:Identity)',
    'owner',
    `, owner_type: relationship.owner_type, primary: relationship.primary,
      people: COLLECT { MATCH (person)-[:KNOWN_AS]->(owner) RETURN person.key ORDER BY person.key }`,
  )} AS owners,
  ${listed(`(n)-[relationship:${RESOURCE_MANAGERS}]->(manager)`, 'manager')} AS resource_managers,
  COLLECT {
    CALL (n) {
      WITH n WHERE n.data_source IS NOT NULL
      RETURN n.data_source AS id
      UNION
      // A shared node comes from all data sources that mention it.
      WITH n WHERE n.data_source IS NULL
      MATCH (n)--(other)
      RETURN DISTINCT other.data_source AS id
    }
    MATCH (source:DataSource {key: substring(id, size($prefix))})-[:FROM]->(provider:Provider)
    WITH source, provider
    ORDER BY provider.name, source.name, source.id
    RETURN {
      data_source: source.id,
      name: source.name,
      provider: provider.id,
      provider_name: provider.name,
      status: source.status,
      last_push: source.last_push,
      last_push_at: source.last_push_at
    }
  } AS sources,
  COLLECT { MATCH (push:Push {at: n.since}) RETURN push.id } AS since_pushes,
  COLLECT { MATCH (push:Push {at: n.changed}) RETURN push.id } AS changed_pushes`;
