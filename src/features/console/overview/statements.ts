import { nodeKinds } from '../../../templates/graph/nodes';
import { OF_POLICY } from '../../../graph/statements/policy-actions';
import { seekEntity } from '../../../graph/statements/seek';
import { textList } from '../../../graph/statements/text-list';
import { nameOf, summaryOf } from '../../../questions/contract';
import { PEOPLE, PLACES } from '../frame/kinds';

/** A data source with its provider. */
const WITH_PROVIDER = '(source:DataSource)-[:FROM]->(provider:Provider)';

/** All data sources. It begins at the names, since pushes have relationships of the same type. */
const EACH_SOURCE = `MATCH ${WITH_PROVIDER}
USING INDEX SEEK source:DataSource(name)
WHERE source.name >= ''`;

/**
 * `source`, `provider` → also the imports that failed since the last that did not, and the actions
 * of policies that failed or were given up. Only administrators may know of these: `$administers`.
 */
const WITH_FAILURES = `OPTIONAL MATCH (import:ScimImport {key: provider.key})
WITH *,
  CASE WHEN $administers AND import.data_source = source.key THEN coalesce(import.failures, 0) ELSE 0 END AS failed_imports,
  CASE WHEN $administers THEN COUNT {
    MATCH (action:LifecycleAction)
    WHERE action.provider = provider.key AND action.status IN ['FAILED', 'DEAD'] AND ${OF_POLICY}
  } ELSE 0 END AS failed_actions`;

/** `source`, `provider` → the data source, with the warnings of its newest accepted push. */
const WITH_WARNINGS = `OPTIONAL MATCH (push:Push {key: source.last_push})
RETURN properties(source) AS source, properties(provider) AS provider, failed_imports, failed_actions,
  coalesce(push.warning_count, 0) AS warnings`;

/**
 * The newest data source of each provider, then the second of each, and so on. Those without a push
 * are last. So no provider crowds out others by many data sources.
 */
const BY_TURNS = `source.last_push_at IS NULL, turn, source.last_push_at DESC, provider.name, source.name`;

/** Data sources by turns of their providers. `$most`, `$administers`. */
export const SOURCES_BY_TURNS = `${EACH_SOURCE}
WITH source, provider
ORDER BY source.last_push_at IS NULL, source.last_push_at DESC, source.name
WITH provider, collect(source) AS sources
UNWIND range(0, size(sources) - 1) AS turn
WITH provider, turn, sources[turn] AS source
ORDER BY ${BY_TURNS}
LIMIT $most
${WITH_FAILURES}
${WITH_WARNINGS}
ORDER BY ${BY_TURNS}`;

/** When a data source was heard of last: its newest push, or its registration. */
const HEARD_AT = 'coalesce(source.last_push_at, source.since)';

/** Data sources, the oldest push first; of those without a push the registration counts. `$most`, `$administers`. */
export const OLDEST_SOURCES = `${EACH_SOURCE}
WITH source, provider
ORDER BY ${HEARD_AT}, provider.name, source.name
LIMIT $most
${WITH_FAILURES}
${WITH_WARNINGS}
ORDER BY ${HEARD_AT}, provider.name, source.name`;

/** What lists say of some entities that exist. `$keys`. */
export const SUMMARIES = `UNWIND $keys AS key
${seekEntity('n', 'key')}
RETURN ${summaryOf('n')} AS summary`;

/** The departments of directory users. `$keys`. */
export const DEPARTMENTS = `UNWIND $keys AS key
${seekEntity('user', 'key')}
WHERE user:IdpUser AND user.department IS NOT NULL
RETURN key, user.department AS department`;

/**
 * Data sources whose newest push was refused, or of which something failed: the one of each provider
 * with the most failures, and of these with the most rows, then the second of each, and so on. So no
 * provider crowds out others. `$most`, `$administers`.
 */
export const FAILED_SOURCES = `${EACH_SOURCE}
WITH source, provider
${WITH_FAILURES}
WHERE source.status = 'ERROR' OR failed_imports > 0 OR failed_actions > 0
WITH source, provider, failed_imports, failed_actions, failed_imports + failed_actions AS failures
ORDER BY failures DESC, coalesce(source.rows, 0) DESC, source.name, source.key
WITH provider, collect({source: source, imports: failed_imports, actions: failed_actions, failures: failures}) AS sources
UNWIND range(0, size(sources) - 1) AS turn
WITH provider, turn, sources[turn] AS one
ORDER BY turn, one.failures DESC, coalesce(one.source.rows, 0) DESC, provider.name, provider.key
WITH collect({provider: provider, one: one}) AS failed
UNWIND failed[..$most] AS each
RETURN properties(each.one.source) AS source, properties(each.provider) AS provider,
  each.one.imports AS failed_imports, each.one.actions AS failed_actions, 0 AS warnings, size(failed) AS total`;

/**
 * How many data sources had no push since a time, and the first of them. One that was registered since
 * waits for its first push. `$before`.
 */
export const STALE_SOURCES = `${EACH_SOURCE}
WITH source, provider
WHERE ${HEARD_AT} < datetime($before)
WITH source.key AS id, source.name AS name, provider.name AS provider
ORDER BY provider, name, id
RETURN count(*) AS count, collect({id: id, name: name, provider: provider})[..3] AS names`;

/** Of how many actions the overview names whom they are about. */
export const ACTIONS_NAMED = 3;

/**
 * How many actions of policies failed or were given up, and whom the newest three are about; of one
 * provider, its first data source too. Who is gone has the id.
 */
export const FAILED_ACTIONS = `MATCH (action:LifecycleAction)
WHERE action.status IN ['FAILED', 'DEAD'] AND ${OF_POLICY}
WITH action ORDER BY action.key DESC
WITH count(*) AS count, collect(DISTINCT action.provider) AS providers,
  collect(action.people[0])[..${ACTIONS_NAMED}] AS people
RETURN count,
  COLLECT {
    UNWIND people AS key
    WITH DISTINCT key
    OPTIONAL ${seekEntity('user', 'key')}
    WITH key, coalesce(user.name, split(key, '|')[-1]) AS name, user.provider AS provider
    RETURN {id: key, name: name, provider: provider} ORDER BY name, provider
  } AS names,
  CASE WHEN size(providers) = 1 THEN COLLECT {
    MATCH (source:DataSource)-[:FROM]->(provider:Provider {key: providers[0]})
    RETURN source.key ORDER BY source.name, source.key LIMIT 1
  }[0] END AS source`;

/** A data source with its provider. `$id`. */
export const ONE_SOURCE = `MATCH (source:DataSource {key: $id})-[:FROM]->(provider:Provider)
RETURN properties(source) AS source, properties(provider) AS provider`;

/** The names of some providers. `$ids`. */
export const PROVIDER_NAMES = `UNWIND $ids AS id
MATCH (provider:Provider {key: id})
RETURN id, provider.name AS name`;

/** A push, with the names of its data source and its provider. */
const PUSH_OF_SOURCE =
  'RETURN properties(push) AS push, source.key AS source_id, source.name AS source, provider.name AS provider';

/** The newest pushes with warnings or problems since a time. `$since`, `$most`. */
export const TROUBLED_PUSHES = `MATCH (push:Push)
WHERE push.at >= datetime($since) AND (push.warning_count > 0 OR push.problem_count > 0)
WITH push
ORDER BY push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->${WITH_PROVIDER}
${PUSH_OF_SOURCE}
ORDER BY push.at DESC, push.key DESC`;

/** Pushes whose id begins so; two of them show that several do. `$beginning`. */
export const PUSHES_BEGINNING = `MATCH (push:Push)
USING INDEX SEEK push:Push(key)
WHERE push.key STARTS WITH $beginning
WITH push ORDER BY push.key LIMIT 2
MATCH (push)-[:FROM]->${WITH_PROVIDER}
${PUSH_OF_SOURCE}
ORDER BY push.key`;

/** Which pushes nobody has counted: not yet, or never. */
const UNCOUNTED = '(push.access_state IS NOT NULL OR push.turn > store.access_turn)';

/** The pushes that changed access, or may have. */
const CHANGED_ACCESS = `MATCH (store:Store {key: 'store'})
MATCH (push:Push)
WHERE push.at > datetime($from) AND push.at <= datetime($to)
  AND (push.access_gained > 0 OR push.access_lost > 0 OR ${UNCOUNTED})`;

/**
 * How much pushes changed access in each of some spans, by the number of the span. Each begins where
 * the one before it ends. `$from`, `$to`, `$begins`: when the spans begin, the first one first.
 */
export const CHANGES_BY_SPAN = `${CHANGED_ACCESS}
RETURN size([begin IN $begins WHERE push.at > datetime(begin)]) - 1 AS span,
  toInteger(sum(coalesce(push.access_gained, 0))) AS gained,
  toInteger(sum(coalesce(push.access_lost, 0))) AS lost,
  CASE WHEN count(push.access_people) = count(*)
    THEN toInteger(max(push.access_people)) END AS people,
  count(CASE WHEN ${UNCOUNTED} THEN 1 END) AS uncounted
ORDER BY span`;

const NEWEST_OF_THEM = `WITH push
ORDER BY push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->${WITH_PROVIDER}
${PUSH_OF_SOURCE}
ORDER BY push.at DESC, push.key DESC`;

/** The newest pushes that changed access, or may have. `$from`, `$to`, `$most`. */
export const CHANGING_PUSHES = `${CHANGED_ACCESS}
${NEWEST_OF_THEM}`;

/**
 * The pushes that nobody has counted, and then those that changed most permissions, the newest first.
 * `$from`, `$to`, `$most`.
 */
export const LARGEST_PUSHES = `${CHANGED_ACCESS}
WITH push, CASE WHEN ${UNCOUNTED} THEN 0 ELSE 1 END AS is_counted,
  coalesce(push.access_gained, 0) + coalesce(push.access_lost, 0) AS changed
ORDER BY is_counted, changed DESC, push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->${WITH_PROVIDER}
${PUSH_OF_SOURCE}
ORDER BY push.at DESC, push.key DESC`;

/**
 * The newest accepted pushes since a time that changed access, or may have, among the `$looked` newest.
 * `$from`, `$looked`, `$most`.
 */
export const NEWEST_CHANGING_PUSHES = `MATCH (store:Store {key: 'store'})
MATCH (push:Push)
USING INDEX SEEK push:Push(outcome, at)
WHERE push.outcome = 'accepted' AND push.at > datetime($from)
WITH store, push ORDER BY push.at DESC LIMIT $looked
WHERE push.access_gained > 0 OR push.access_lost > 0 OR ${UNCOUNTED}
${NEWEST_OF_THEM}`;

/** What ended versions of nodes say, and of each what is called so now, if it exists. */
const ended = (among = ''): string => `MATCH (store:Store {key: 'store'})
WITH version, store
WHERE version.until > store.history_since AND version.label IN ${textList([...PEOPLE, ...PLACES])}
WITH version.key AS id, max(version.until) AS until, collect(version) AS versions
WITH id, until, [version IN versions WHERE version.until = until][0] AS version
OPTIONAL MATCH (node:Entity {key: id})${among === '' ? '' : `\n${among}`}
RETURN id, version.label AS label, ${nameOf('version')} AS name, version.provider AS provider,
  toString(until) AS until, ${nameOf('node')} AS name_now, node IS NOT NULL AS exists_now,
  COLLECT { MATCH (push:Push {at: until}) RETURN push.id }[0] AS push`;

/** The last version of a node that ended. `$id`. */
export const ENDED_NODE = `MATCH (version:PastNode {key: $id})
USING INDEX SEEK version:PastNode(key, until)
WHERE version.until > datetime({epochMillis: 0})
${ended()}`;

/** What has the text in its name or path. */
const isCalledSo = (of: string): string =>
  `any(text IN $texts[0] WHERE coalesce(${of}.path, ${of}.name, '') CONTAINS text)`;

/**
 * Finds nodes by a text in a name that they had and have no more. It looks only at the `$looked` versions
 * that ended last, since no index has their names. Nodes of `$found[0]` are left out. `$texts[0]`,
 * `$label`: empty for all kinds, `$looked`, `$most`.
 */
export const ENDED_NAMED = `MATCH (version:PastNode)
USING INDEX SEEK version:PastNode(until)
WHERE version.until > datetime({epochMillis: 0})
WITH version ORDER BY version.until DESC LIMIT $looked
// The path of a resource has its name in it.
WITH version
WHERE ${isCalledSo('version')} AND ($label = '' OR version.label = $label)
  AND NOT version.key IN $found[0]
WITH version
${ended(`// What is called so still would take the places of what is gone.
WITH id, until, version, node
WHERE NOT ${isCalledSo('node')}
WITH id, until, version, node ORDER BY until DESC, id LIMIT $most`)}
ORDER BY until DESC, id`;

/** When the first version ended at which nobody looks, if `$looked` are looked at, the newest first. */
export const ENDED_BEFORE = `MATCH (version:PastNode)
USING INDEX SEEK version:PastNode(until)
WHERE version.until > datetime({epochMillis: 0})
WITH version ORDER BY version.until DESC SKIP $looked LIMIT 1
RETURN toString(version.until) AS until`;

/** The kinds with pages whose names have an index. */
const FOUND_BY_NAME = nodeKinds.filter(
  ({ label, indexes }) => [...PEOPLE, ...PLACES].includes(label) && indexes.includes('fold_name'),
);

/** Names that begin with one of some texts, some of each kind and text. `$beginnings[0]`, `$most`. */
export const NAMES_BEGINNING = `UNWIND $beginnings[0] AS beginning
CALL (beginning) {
${FOUND_BY_NAME.map(
  ({ label }) => `  CALL (beginning) {
    MATCH (n:${label})
    USING INDEX SEEK n:${label}(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name`,
).join('\n  UNION\n')}
}
RETURN DISTINCT name`;
