/** What the service remembers of the newest full payload of a data source. `$data_source`. */
export const READ_KNOWN_PAYLOAD = `MATCH (payload:KnownPayload {key: $data_source})
RETURN properties(payload) AS payload`;

/**
 * Remembers the newest full payload of a data source in place of an earlier one, under its lock;
 * `$data_source`, `$payload`.
 */
export const KEEP_KNOWN_PAYLOAD = `MERGE (payload:KnownPayload {key: $data_source})
SET payload = $payload, payload.key = $data_source`;
