import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';

/** Reads what trusts need of all providers, with their data sources. */
export const READ_PROVIDERS = `MATCH (provider:Provider)
RETURN provider.id AS id, provider.custom_template AS template, provider.state AS state,
  provider {.name, .trusted_domains, .trusted_only, .trusted_providers} AS stored, coalesce(provider.has_trusts, false) AS has_trusts,
  COLLECT { MATCH (source:DataSource)-[:FROM]->(provider) RETURN {id: source.id, at: source.last_push_at} } AS sources
ORDER BY stored.name`;

/** Locks providers, so that nobody deletes them at the same time. `$providers`: ids. */
export const LOCK_PROVIDERS = `UNWIND $providers AS id
MATCH (provider:Provider {key: id})
SET provider.lock = true
REMOVE provider.lock`;

/** Sets what a provider may claim, and whom it means. `$provider`, `$trust`. */
export const SET_TRUST = `MATCH (provider:Provider {key: $provider})
SET provider += $trust`;

/** The statements of trusts. */
export const trustStatements = (): readonly CatalogEntry[] => [
  entry('Read what providers may claim', READ_PROVIDERS),
  entry('Lock providers', LOCK_PROVIDERS),
  entry('Set what a provider may claim', SET_TRUST),
];
