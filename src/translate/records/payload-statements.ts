/** What the service remembers of the newest full payload of a data source. `$data_source`. */
export const READ_KNOWN_PAYLOAD = `MATCH (payload:KnownPayload {key: $data_source})
RETURN properties(payload) AS payload`;

/** Only what is needed to compare the content of a payload with it. `$data_source`. */
export const READ_KNOWN_CONTENT = `MATCH (payload:KnownPayload {key: $data_source})
RETURN payload {.sha256, .content, .digest, .rules_version} AS payload`;

/**
 * Remembers the newest full payload of a data source in place of an earlier one, under the lock of
 * the data source. `$data_source`, `$payload`.
 */
export const KEEP_KNOWN_PAYLOAD = `MERGE (payload:KnownPayload {key: $data_source})
SET payload = $payload, payload.key = $data_source`;
