/**
 * Takes the lock of a provider, so that nobody can create a data source in it. Neo4j locks what a
 * statement writes, so this one writes a property as it is. `$provider`.
 */
export const LOCK_PROVIDER = `MATCH (provider:Provider {key: $provider})
SET provider.since = provider.since`;

/** The same, for a provider that is not being deleted. */
export const STAYING_PROVIDER = `${LOCK_PROVIDER}
WITH provider
WHERE provider.state <> 'DELETING'`;
