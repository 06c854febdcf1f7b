import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { MEMBERSHIPS } from './instant-statements';
import { saidBy } from './search-statements';
import { labelOf, nameOf, summaryOf } from './summary';

const inner = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** How many entries each list of the page of an entity has (docs/rules.md: Searches). */
export const MOST_LISTED = 100;

const listed = (pattern: string, other: string, more = ''): string => `COLLECT {
    MATCH ${pattern}
    WITH relationship, ${other}
    ORDER BY ${nameOf(other)}, ${other}.key LIMIT ${MOST_LISTED}
    RETURN {about: ${inner(summaryOf(other), 4)}, since: relationship.since${more}}
  }`;

/** Among how many members, or parts, the page finds the first by name. */
export const MOST_SORTED = 1_000;

/** What an entity may have many of, as Cypher. */
interface Many {
  /** `n` → one row with how many there are. */
  readonly counts: string;
  /** The names of the counts. */
  readonly counted: readonly string[];
  /** `n` → each `node` once. */
  readonly nodes: string;
  /** `n` and one `node` → each `since`. */
  readonly times: string;
}

const BY_NAME = `${nameOf('node')}, node.key`;

/**
 * `n` → how many there are, and the first by name. Of more than `MOST_SORTED` it sorts so many,
 * since it would read each of them: 50,000 need half a second.
 */
const firstOf = ({ counts, counted, nodes, times }: Many, name: string): string => `CALL (n) {
  CALL (n) {
    ${inner(counts, 4)}
  }
  CALL (n) {
    CALL (n) {
      ${inner(nodes, 6)}
    }
    WITH n, node LIMIT ${MOST_SORTED}
    WITH n, node ORDER BY ${BY_NAME} LIMIT ${MOST_LISTED}
    CALL (n, node) {
      ${inner(times, 6)}
    }
    WITH node, min(since) AS since
    ORDER BY ${BY_NAME}
    RETURN collect({about: ${inner(summaryOf('node'), 4)}, since: since}) AS values
  }
  RETURN {${counted.map((each) => `${each}: ${each}`).join(', ')}, values: values} AS ${name}
}`;

const GROUP_LABELS = ['IdpGroup', 'LocalGroup', 'HrisGroup', 'IdpApp', 'CloudRole', 'LocalRole'];

const MEMBERSHIP = `[relationship:${MEMBERSHIPS.join('|')}]`;

const MEMBER_NODES = `MATCH (node)-${MEMBERSHIP}->(n)
RETURN node
UNION
WITH n WHERE n:LocalRole
MATCH (n)<-[:OF]-(:RoleAssignment)<-[:HOLDS]-(node)
RETURN node`;

/** Who gains in one step what `n` has; how many have members themselves. */
const MEMBERS: Many = {
  counts: `CALL (n) {
  ${inner(MEMBER_NODES, 2)}
}
RETURN count(*) AS total, count(CASE WHEN node:${GROUP_LABELS.join('|')} THEN 1 END) AS groups`,
  counted: ['total', 'groups'],
  nodes: MEMBER_NODES,
  times: `MATCH (node)-${MEMBERSHIP}->(n)
RETURN relationship.since AS since
UNION ALL
WITH n, node WHERE n:LocalRole
MATCH (node)-[relationship:HOLDS]->(assignment:RoleAssignment)
WHERE EXISTS { (assignment)-[:OF]->(n) }
RETURN relationship.since AS since`,
};

/** What `n` contains. */
const CONTENTS: Many = {
  counts: 'RETURN COUNT { (n)-[:CONTAINS]->() } AS total',
  counted: ['total'],
  nodes: `MATCH (n)-[:CONTAINS]->(node)
RETURN node`,
  times: `MATCH (n)-[relationship:CONTAINS]->(node)
RETURN relationship.since AS since`,
};

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
${firstOf(MEMBERS, 'members')}
${firstOf(CONTENTS, 'contains')}
RETURN labels(n) AS labels,
  COLLECT {
    MATCH (n)-[relationship:TAGGED]->(tag:Tag)
    WITH relationship, tag
    ORDER BY coalesce(relationship.derived, false), tag.name, tag.value LIMIT ${MOST_LISTED}
    RETURN {key: tag.name, value: coalesce(tag.value, ''), derived: coalesce(relationship.derived, false), since: relationship.since}
  } AS tags,
  ${listed('(n)-[relationship:MEMBER_OF]->(group)', 'group')} AS memberships,
  members, contains,
  ${listed('(n)-[relationship:MANAGED_BY]->(manager)', 'manager')} AS managers,
  ${listed(
    '(n)-[relationship:OWNED_BY]->(owner:Identity)',
    'owner',
    `, owner_type: relationship.owner_type, primary: relationship.primary,
      people: COLLECT { MATCH (person)-[:KNOWN_AS]->(owner) RETURN person.key ORDER BY person.key LIMIT ${MOST_LISTED} },
      people_total: COUNT { (owner)<-[:KNOWN_AS]-() }`,
  )} AS owners,
  ${listed(`(n)-[relationship:${RESOURCE_MANAGERS}]->(manager)`, 'manager')} AS resource_managers,
  {
    tags: COUNT { (n)-[:TAGGED]->(:Tag) },
    memberships: COUNT { (n)-[:MEMBER_OF]->() },
    managers: COUNT { (n)-[:MANAGED_BY]->() },
    owners: COUNT { (n)-[:OWNED_BY]->(:Identity) },
    resource_managers: COUNT { (n)-[:${RESOURCE_MANAGERS}]->() }
  } AS totals,
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
