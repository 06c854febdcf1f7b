/**
 * Begins an upload, unless its data source is gone. `$upload`, `$data_source`, `$bytes`: 0, or
 * `null` if the upload counts in no quota.
 */
export const START_UPLOAD = `MATCH (source:DataSource {key: $data_source})
CREATE (upload:Upload {key: $upload, data_source: source.key, since: datetime(), bytes: $bytes})
RETURN upload.key AS key`;

/**
 * Counts open uploads and their bytes: of one data source, of its provider and of all.
 * `$data_source`, `$seconds`.
 */
export const OPEN_UPLOADS = `OPTIONAL MATCH (:DataSource {key: $data_source})-[:FROM]->(:Provider)<-[:FROM]-(sibling:DataSource)
WITH collect(sibling.key) + [$data_source] AS ofProvider
MATCH (upload:Upload)
WHERE datetime() - duration({seconds: $seconds}) < upload.since <= datetime() AND upload.bytes IS NOT NULL
WITH upload.bytes AS bytes, upload.data_source = $data_source AS isOfDataSource, upload.data_source IN ofProvider AS isOfProvider
RETURN
  sum(CASE WHEN isOfDataSource THEN 1 ELSE 0 END) AS ofDataSource,
  sum(CASE WHEN isOfProvider THEN 1 ELSE 0 END) AS ofProvider,
  count(*) AS inAll,
  sum(CASE WHEN isOfDataSource THEN bytes ELSE 0 END) AS bytesOfDataSource,
  sum(CASE WHEN isOfProvider THEN bytes ELSE 0 END) AS bytesOfProvider,
  sum(bytes) AS bytesInAll`;

/**
 * Acquires the lock of an upload that is not too old. So one part at a time is stored. `$upload`,
 * `$data_source`, `$seconds`.
 */
export const LOCK_UPLOAD = `MATCH (upload:Upload {key: $upload})
WHERE upload.data_source = $data_source
SET upload.lock = $upload
WITH upload
WHERE datetime() - duration({seconds: $seconds}) < upload.since <= datetime()
RETURN upload.key AS key`;

/** The received parts of an upload. `$prefix`. */
export const UPLOAD_PARTS = `MATCH (part:UploadPart)
WHERE part.key STARTS WITH $prefix
RETURN part.number AS number, part.bytes AS bytes, part.sha256 AS sha256, part.slices AS slices`;

/**
 * Keeps a part and adds its bytes to the upload's. `$upload`, `$bytes`, `$part`: its properties.
 */
export const KEEP_UPLOAD_PART = `MATCH (upload:Upload {key: $upload})
SET upload.bytes = upload.bytes + $bytes
CREATE (part:UploadPart)
SET part = $part`;

/** Keeps a slice of a part. `$key`, `$base64`. */
export const KEEP_UPLOAD_SLICE = 'CREATE (:UploadSlice {key: $key, base64: $base64})';

/** Reads a slice of a part. `$key`. */
export const UPLOAD_SLICE = `MATCH (slice:UploadSlice {key: $key})
RETURN slice.base64 AS base64`;

/** Whether an upload has not ended yet. `$upload`. */
export const OPEN_UPLOAD = `MATCH (upload:Upload {key: $upload})
WHERE upload.since > datetime({epochSeconds: 0})
RETURN upload.key AS key`;

/**
 * Ends an upload, whose lock is held to the end of the transaction. It then accepts no parts, and
 * the service removes it. `$upload`.
 */
export const END_UPLOAD = `MATCH (upload:Upload {key: $upload})
SET upload.since = datetime({epochSeconds: 0})`;

/** Keeps an upload until it is ended, because a chunked push needs it to be resumed. `$upload`. */
export const RETAIN_UPLOAD = `MATCH (upload:Upload {key: $upload})
SET upload.since = datetime({year: 9999})
RETURN upload.key AS key`;

/** Uploads of a data source. `$data_source`. */
export const UPLOADS_OF = `MATCH (upload:Upload {data_source: $data_source})
RETURN upload.key AS key`;

/** Uploads that are too old, or have ended. `$seconds`. */
export const OLD_UPLOADS = `MATCH (upload:Upload)
WHERE upload.since <= datetime() - duration({seconds: $seconds})
RETURN upload.key AS key`;

/** Removes some slices of an upload that has ended. `$prefix`, `$most`. */
export const REMOVE_UPLOAD_SLICES = `MATCH (slice:UploadSlice)
WHERE slice.key STARTS WITH $prefix
WITH slice
LIMIT $most
DELETE slice
RETURN count(*) AS removed`;

/** Removes the parts of an upload whose slices are gone. `$prefix`. */
export const REMOVE_UPLOAD_PARTS = `MATCH (part:UploadPart)
WHERE part.key STARTS WITH $prefix
DELETE part`;

/** Removes an upload when nothing else of it is left. `$upload`. */
export const REMOVE_UPLOAD = `MATCH (upload:Upload {key: $upload})
DELETE upload`;
