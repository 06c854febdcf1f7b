import { PastNode, PastRelationship } from '../../model/past-facts';
import { seekPrefix } from '../../graph/statements/seek';

/** What a node that is being deleted says about the request. */
const actAt = (node: string): string =>
  ['request', 'key_id', 'key_name', 'address', 'confirmed']
    .map((name) => `${node}.deleting_${name} AS ${name}`)
    .join(', ');

// If a request erases, so does the deletion, even if another request has begun it.
const erases = (node: string): string =>
  `${node}.deleting_erases = coalesce(${node}.deleting_erases, false) OR $erases`;

/**
 * Marks a data source, whose lock is held, as being deleted. If it is marked already, the first
 * request, its moment and its number of rows do not change. `$data_source`, `$act`: the properties
 * that describe the request; `$erases`, `$moment`.
 */
export const MARK_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source += CASE WHEN source.deleting_request IS NULL THEN $act ELSE {} END, source.status = 'DELETING', source.deleting_at = coalesce(source.deleting_at, $moment), ${erases('source')}
RETURN coalesce(source.rows, 0) + COUNT { (source)<-[:FROM]-() } AS size, source.deleting_rows AS rows, source.deleting_at AS moment, source.deleting_erases AS erases,
  ${actAt('source')}`;

/**
 * Takes the locks of a provider's data sources. So pushes that are under way end first.
 * `$provider`, `$request`.
 */
export const LOCK_DATA_SOURCES_OF = `MATCH (source:DataSource)-[:FROM]->(:Provider {key: $provider})
WHERE coalesce(source.status, '') <> 'DELETING'
WITH source ORDER BY source.key
SET source.lock = $request`;

/**
 * Marks a provider, whose lock is held, as being deleted. From then on it accepts no data sources,
 * and these accept no pushes. `$provider`, `$act`, `$erases`.
 */
export const MARK_PROVIDER = `MATCH (provider:Provider {key: $provider})
SET provider += CASE WHEN provider.deleting_request IS NULL THEN $act ELSE {} END, provider.state = 'DELETING', ${erases('provider')}
WITH provider
OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
RETURN provider.key AS key, sum(coalesce(source.rows, 0) + COUNT { (source)<-[:FROM]-() }) AS size`;

/**
 * Reads whether a provider is being deleted, whether it has trusts, and the names of those that mean
 * it in theirs. `$provider`.
 */
export const READ_PROVIDER_STATE = `MATCH (provider:Provider {key: $provider})
RETURN provider.state AS state, coalesce(provider.has_trusts, false) AS has_trusts,
  COLLECT { MATCH (other:Provider {has_trusts: true}) WHERE other <> provider AND provider.name IN other.trusted_providers RETURN other.name ORDER BY other.name } AS meant_by`;

/** Counts the rows of a data source. `$prefix`. */
export const COUNT_ROWS = `${seekPrefix('n')}
RETURN count(*) AS rows`;

const EITHER_ERASES =
  'coalesce(source.deleting_erases, false) OR coalesce(provider.deleting_erases, false) AS erases';

/**
 * Data sources that are being deleted or belong to a provider that is, who requested it, and
 * whether their history is removed too.
 */
export const DELETING_DATA_SOURCES = `MATCH (source:DataSource {status: 'DELETING'})-[:FROM]->(provider:Provider)
WITH source.key AS key, properties(source) AS act, ${EITHER_ERASES}
RETURN key, erases, ${actAt('act')}
UNION
MATCH (provider:Provider {state: 'DELETING'})<-[:FROM]-(source:DataSource)
WITH source.key AS key, CASE WHEN source.deleting_request IS NULL THEN properties(provider) ELSE properties(source) END AS act, ${EITHER_ERASES}
RETURN key, erases, ${actAt('act')}`;

/** Data sources of a provider. `$provider`. */
export const DATA_SOURCES_OF = `MATCH (source:DataSource)-[:FROM]->(:Provider {key: $provider})
RETURN source.key AS key`;

/** Providers that are being deleted. */
export const DELETING_PROVIDERS = `MATCH (provider:Provider {state: 'DELETING'})
RETURN provider.key AS key`;

/** Removes some push records of a data source. `$data_source`, `$most`. */
export const REMOVE_PUSHES = `MATCH (source:DataSource {key: $data_source})<-[:FROM]-(push:Push)
WITH push
LIMIT $most
DETACH DELETE push
RETURN count(*) AS removed`;

const eraseSome = (label: string, property: string): string => `MATCH (past:${label})
WHERE past.${property} STARTS WITH $prefix AND past.until IS NOT NULL
WITH past
LIMIT $most
DELETE past
RETURN count(*) AS removed`;

/**
 * Statements that each remove some ended facts of a data source: versions of its nodes, and
 * relationships that led from them or to them, no matter who stated these. `$prefix`, `$most`.
 */
export const ERASE_HISTORY: readonly string[] = [
  eraseSome(PastNode.label, 'key'),
  eraseSome(PastRelationship.label, 'start'),
  eraseSome(PastRelationship.label, 'end'),
];

/** Removes some events of a data source or provider. `$id`, `$most`. */
export const REMOVE_EVENTS = `MATCH (event:Event {entity_id: $id})
WITH event
LIMIT $most
DELETE event
RETURN count(*) AS removed`;

/** Removes a data source, whose lock is held, when nothing else of it is left. `$data_source`. */
export const REMOVE_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
DETACH DELETE source`;

/** Removes a provider, whose lock is held, if no data source is left. `$provider`. */
export const REMOVE_PROVIDER = `MATCH (provider:Provider {key: $provider, state: 'DELETING'})
WHERE NOT EXISTS { (provider)<-[:FROM]-() }
WITH provider, provider.key AS id, provider.name AS name, properties(provider) AS act
DETACH DELETE provider
RETURN id, name, act.deleting_rows AS rows, coalesce(act.deleting_erases, false) AS erases, ${actAt('act')}`;
