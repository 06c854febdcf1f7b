/**
 * Takes the lock of an unfinished chunked push. The runner holds the lock as long as the push
 * lasts. `$data_source`, `$push`.
 */
export const LOCK_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
SET large.lock = $push
RETURN large.key AS key`;

/**
 * Begins a chunked push, and replaces an unfinished one. The caller holds the lock of the data
 * source. `$data_source`, `$large`, `$property_names`, `$is_counted`.
 */
export const BEGIN_LARGE_PUSH = `MATCH (source:DataSource {key: $data_source})
SET source.status = 'PENDING', source.pending_push = $large.push, source.pending_total = $large.total, source.pending_done = 0.0, source.property_names = coalesce($property_names, source.property_names)
REMOVE source.lock, source.removal_allowed_until, source.pending_nodes_put, source.pending_relationships_put, source.pending_nodes_removed, source.pending_relationships_removed
MERGE (large:LargePush {key: $data_source})
SET large += $large, large.since = datetime(), large.is_counted = $is_counted
REMOVE large.tries, large.tried_at, large.retry_at`;

/**
 * Gives a chunked push to another runner and counts that as a try. The caller holds the locks of
 * the push and of the data source. The count starts again if a further tenth was written since the
 * last try. `$data_source`, `$runner`.
 */
export const TAKE_OVER_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
MATCH (source:DataSource {key: large.key})
WITH large, toInteger(10 * coalesce(source.pending_done, 0) / large.total) AS tenths
SET large.runner = $runner, large.since = datetime(),
  large.tries = CASE WHEN tenths > coalesce(large.tried_at, 0) THEN 1 ELSE coalesce(large.tries, 0) + 1 END,
  large.tried_at = CASE WHEN tenths > coalesce(large.tried_at, 0) THEN tenths ELSE coalesce(large.tried_at, 0) END
RETURN large.tries AS tries`;

/**
 * Postpones the next try by some seconds. A try that something else cut short does not count.
 * `$data_source`, `$runner`, `$seconds`, `$counts`.
 */
export const POSTPONE_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
SET large.retry_at = datetime() + duration({seconds: $seconds}),
  large.tries = CASE WHEN $counts THEN large.tries ELSE large.tries - 1 END
RETURN coalesce(large.tries, 0) AS tries`;

/**
 * Takes the lock of the data source for one chunk, and adds what the chunk writes to the counts of
 * the data source. `$data_source`, `$runner`, `$counts`.
 */
export const BEGIN_CHUNK = `MATCH (source:DataSource {key: $data_source})
SET source.lock = $runner,
  source.pending_nodes_put = coalesce(source.pending_nodes_put, 0) + $counts.nodes_put,
  source.pending_relationships_put = coalesce(source.pending_relationships_put, 0) + $counts.relationships_put,
  source.pending_nodes_removed = coalesce(source.pending_nodes_removed, 0) + $counts.nodes_removed,
  source.pending_relationships_removed = coalesce(source.pending_relationships_removed, 0) + $counts.relationships_removed
REMOVE source.lock`;

/** Counts what a chunked push has written so far. The caller holds its lock. `$data_source`. */
export const COUNT_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
MATCH (source:DataSource {key: large.key})
RETURN coalesce(large.is_counted, false) AS is_counted,
  coalesce(source.pending_nodes_put, 0) AS nodes_put,
  coalesce(source.pending_relationships_put, 0) AS relationships_put,
  coalesce(source.pending_nodes_removed, 0) AS nodes_removed,
  coalesce(source.pending_relationships_removed, 0) AS relationships_removed`;

/**
 * Records at a data source that a failed push has written only some of its rows. `$data_source`,
 * `$push`.
 */
export const LEAVE_HALF_WRITTEN = `MATCH (source:DataSource {key: $data_source})
SET source.half_written_by = $push`;

/** Reads the runner of a chunked push. `$data_source`. */
export const LARGE_PUSH_RUNNER = `MATCH (large:LargePush {key: $data_source})
RETURN large.runner AS runner`;

/**
 * Records the progress of a chunked push at the data source. The node of the push stays untouched,
 * because the runner holds its lock. `$data_source`, `$runner`, `$done`.
 */
export const TELL_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
MATCH (source:DataSource {key: large.key})
SET source.pending_done = $done`;

/** Ends a chunked push that is finished or replaced. The caller holds its lock. `$data_source`. */
export const END_LARGE_PUSH = `MATCH (source:DataSource {key: $data_source})
REMOVE source.pending_push, source.pending_total, source.pending_done, source.pending_nodes_put, source.pending_relationships_put, source.pending_nodes_removed, source.pending_relationships_removed
WITH source
MATCH (large:LargePush {key: source.key})
DELETE large`;

/** Records that another push has replaced an unfinished one. `$push`. */
export const REPLACE_PUSH = `MATCH (push:Push {key: $push})
SET push.outcome = 'replaced'`;

/**
 * Chunked pushes that no process has begun or taken over for some seconds, and whose next try is
 * due. `$seconds`.
 */
export const LARGE_PUSHES = `MATCH (large:LargePush)
WHERE large.since <= datetime() - duration({seconds: $seconds})
  AND (large.retry_at IS NULL OR large.retry_at <= datetime())
RETURN large.key AS key`;
