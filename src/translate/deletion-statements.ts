import type { NodeKind } from '../model/table';

/** Marks a data source whose lock is held; `$data_source`, `$request`. */
export const MARK_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
SET source.status = 'DELETING', source.deleting_request = coalesce(source.deleting_request, $request)
RETURN coalesce(source.rows, 0) + COUNT { (source)<-[:FROM]-() } AS size`;

/** Marks a provider: it takes no more data sources, and theirs no more pushes; `$provider`, `$request`. */
export const MARK_PROVIDER = `MATCH (provider:Provider {key: $provider})
SET provider.state = 'DELETING', provider.deleting_request = coalesce(provider.deleting_request, $request)
WITH provider
OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
RETURN provider.key AS key, sum(coalesce(source.rows, 0) + COUNT { (source)<-[:FROM]-() }) AS size`;

/** Data sources that are being deleted, those of providers that are among them. */
export const DELETING_DATA_SOURCES = `MATCH (source:DataSource {status: 'DELETING'})
RETURN source.key AS key, source.deleting_request AS request
UNION
MATCH (provider:Provider {state: 'DELETING'})<-[:FROM]-(source:DataSource)
RETURN source.key AS key, coalesce(source.deleting_request, provider.deleting_request) AS request`;

/** Data sources of a provider; `$provider`. */
export const DATA_SOURCES_OF = `MATCH (source:DataSource)-[:FROM]->(:Provider {key: $provider})
RETURN source.key AS key`;

/** Providers that are being deleted. */
export const DELETING_PROVIDERS = `MATCH (provider:Provider {state: 'DELETING'})
RETURN provider.key AS key`;

/** Keys of some rows of a data source; `$prefix`, `$most`. */
export const someRows = ({ label }: NodeKind): string =>
  `MATCH (n:${label})
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most`;

/** Removes some push records of a data source; `$data_source`, `$most`. */
export const REMOVE_PUSHES = `MATCH (source:DataSource {key: $data_source})<-[:FROM]-(push:Push)
WITH push
LIMIT $most
DETACH DELETE push
RETURN count(*) AS removed`;

/** Removes some events of a data source or provider; `$id`, `$most`. */
export const REMOVE_EVENTS = `MATCH (event:Event {entity_id: $id})
WITH event
LIMIT $most
DELETE event
RETURN count(*) AS removed`;

/** Removes a data source of which nothing else is left, its lock held; `$data_source`. */
export const REMOVE_DATA_SOURCE = `MATCH (source:DataSource {key: $data_source})
OPTIONAL MATCH (payload:KnownPayload {key: source.key})
OPTIONAL MATCH (large:LargePush {key: source.key})
DETACH DELETE source, payload, large`;

/** Takes a provider's lock: what is created below it waits; `$provider`. */
export const LOCK_PROVIDER = `MATCH (provider:Provider {key: $provider})
SET provider.since = provider.since`;

/** Removes a provider that has no data source left, and its icon, its lock held; `$provider`. */
export const REMOVE_PROVIDER = `MATCH (provider:Provider {key: $provider, state: 'DELETING'})
WHERE NOT EXISTS { (provider)<-[:FROM]-() }
OPTIONAL MATCH (icon:ProviderIcon {key: provider.key})
WITH provider, icon, provider.key AS id, provider.name AS name, provider.deleting_request AS request
DETACH DELETE provider, icon
RETURN id, name, request`;
