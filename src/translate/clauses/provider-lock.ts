/** Takes the lock of a provider. It writes a property as it is, since nothing else locks. `$provider`. */
export const LOCK_PROVIDER = `MATCH (provider:Provider {key: $provider})
SET provider.since = provider.since`;

/** The same, for a provider that is not being deleted. */
export const STAYING_PROVIDER = `${LOCK_PROVIDER}
WITH provider
WHERE provider.state <> 'DELETING'`;
