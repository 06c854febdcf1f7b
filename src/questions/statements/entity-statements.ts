import { MOST_LISTED } from '../../access/around';
import { seekEntity } from '../../graph/statements/seek';
import { AT_SHARED, endedFacts, endedVersion } from './instant-statements';
import { ownPropertiesOf } from './search-statements';
import { labelOf, nameOf } from './summary';

/*
 * What the page of an entity shows that is not in the access graph, now (`$at` is null) or at an
 * instant, by the key of the entity: `$id`. What exists is read before what ended, so a push in
 * between changes nothing of an instant.
 */

const inner = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** Whether a relationship that exists now existed at the instant. */
const HELD = '($at IS NULL OR fact.since <= $at)';

const time = (value: string): string =>
  `CASE WHEN $at IS NULL OR ${value} <= $at THEN toString(${value}) END`;

/**
 * The entity: what exists now, and the version that ended and counts before it. Something leads to
 * each shared node.
 */
export const FIND_ENTITY = `CALL () {
  ${inner(seekEntity('n', '$id'), 2)}
  WITH n
  WHERE CASE
    WHEN $at IS NOT NULL THEN n.data_source IS NULL OR n.since <= $at
    ELSE n.data_source IS NOT NULL OR EXISTS { (n)--() }
  END
  RETURN labels(n) AS labels, ${labelOf('n')} AS label, ${nameOf('n')} AS name, ${ownPropertiesOf('n')} AS properties,
    ${time('n.since')} AS since, ${time('n.changed')} AS changed, false AS has_ended
  UNION ALL
  ${inner(endedVersion('$id'), 2)}
  RETURN [] AS labels, version.label AS label, ${nameOf('version')} AS name, ${ownPropertiesOf('version')} AS properties,
    toString(version.since) AS since, null AS changed, true AS has_ended
}
RETURN labels, label, name, properties, since, changed, has_ended`;

/** One of the parts of the key of a shared node, without its escapes (docs/rules.md: Keys). */
const partOfEnd = (place: number): string =>
  `replace(replace(replace(split(fact.end, '|')[${place}], '%7C', '|'), '%23', '#'), '%25', '%')`;

const endedOf = (type: string): string =>
  inner(endedFacts({ types: [type], towards: 'end' }, '$id'), 4);

/** The tags of the entity, derived ones last. */
const TAGS = `CALL () {
  CALL () {
    ${inner(seekEntity('n', '$id'), 4)}
    MATCH (n)-[fact:TAGGED]->(tag:Tag)
    WHERE ${HELD}
    RETURN tag.key AS key, tag.name AS name, coalesce(tag.value, '') AS value,
      coalesce(fact.derived, false) AS derived, fact.since AS since
    UNION ALL
    ${endedOf('TAGGED')}
    OPTIONAL ${inner(seekEntity('tag', 'fact.end'), 4)}
    RETURN fact.end AS key, coalesce(tag.name, ${partOfEnd(1)}, '') AS name,
      coalesce(CASE WHEN tag IS NULL THEN ${partOfEnd(2)} ELSE tag.value END, '') AS value,
      coalesce(fact.derived, false) AS derived, fact.since AS since
  }
  WITH key, name, value, derived, min(since) AS since
  ORDER BY derived, name, value
  WITH collect({key: name, value: value, derived: derived, since: since}) AS found
  RETURN {total: size(found), values: found[..${MOST_LISTED}]} AS tags
}`;

/** The owners of the entity, in the order of their names. The access graph has the rest of them. */
const OWNERS = `CALL () {
  CALL () {
    ${inner(seekEntity('n', '$id'), 4)}
    MATCH (n)-[fact:OWNED_BY]->(owner:Identity)
    WHERE ${HELD}
    RETURN owner.key AS key, owner.name AS name, fact.owner_type AS owner_type, fact.primary AS primary, fact.since AS since
    UNION ALL
    ${endedOf('OWNED_BY')}
    OPTIONAL ${inner(seekEntity('owner', 'fact.end'), 4)}
    RETURN fact.end AS key, coalesce(owner.name, ${partOfEnd(1)}, '') AS name, fact.owner_type AS owner_type, fact.primary AS primary, fact.since AS since
  }
  WITH key, name, owner_type, primary, min(since) AS since
  ORDER BY name, key
  WITH collect({key: key, owner_type: owner_type, primary: primary, since: since}) AS found
  RETURN {total: size(found), values: found[..${MOST_LISTED}]} AS owners
}`;

/** The tags and owners of the entity. */
export const TAGS_AND_OWNERS = `${TAGS}
${OWNERS}
RETURN tags, owners`;

/** The data source of a row, by its key. */
const sourceOf = (key: string): string => `split(${key}, '|')[0]`;

/** The data sources of all that mention a shared node. */
export const MENTIONED_BY = `CALL () {
  ${inner(seekEntity('n', '$id'), 2)}
  MATCH (n)-[fact:${AT_SHARED.join('|')}]-(other)
  WHERE other.data_source IS NOT NULL AND ${HELD} AND ($at IS NULL OR other.since <= $at)
  RETURN DISTINCT other.data_source AS id
  UNION
  ${inner(endedFacts({ types: AT_SHARED, towards: 'end' }, '$id'), 2)}
  RETURN DISTINCT ${sourceOf('fact.end')} AS id
  UNION
  ${inner(endedFacts({ types: AT_SHARED, towards: 'start' }, '$id'), 2)}
  RETURN DISTINCT ${sourceOf('fact.start')} AS id
}
RETURN id`;

/** The data sources with some ids, in the order of their names: `$ids`. */
export const SOURCES = `UNWIND $ids AS id
MATCH (source:DataSource {key: id})-[:FROM]->(provider:Provider)
WITH source, provider
ORDER BY provider.name, source.name, source.id
RETURN source.id AS data_source, source.name AS name, provider.id AS provider,
  provider.name AS provider_name, source.status AS status, source.last_push AS last_push,
  source.last_push_at AS last_push_at`;

/** The newest number of the commit sequence, and the pushes at two instants: `$since`, `$changed`. */
export const COMMIT_AND_PUSHES = `OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
RETURN coalesce(lock.turns, 0) AS turns,
  COLLECT { MATCH (push:Push {at: datetime($since)}) RETURN push.id } AS since_pushes,
  COLLECT { MATCH (push:Push {at: datetime($changed)}) RETURN push.id } AS changed_pushes`;

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
