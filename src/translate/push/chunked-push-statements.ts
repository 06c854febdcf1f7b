/** Takes the lock of a chunked push that a data source has not finished: whoever applies it holds that as long as it lasts; `$data_source`, `$push`. */
export const LOCK_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
SET large.lock = $push
RETURN large.key AS key`;

/** Begins a chunked push in place of an earlier one that was not finished, under the data source's lock; `$data_source`, `$large`, `$property_names`, `$is_counted`. */
export const BEGIN_LARGE_PUSH = `MATCH (source:DataSource {key: $data_source})
SET source.status = 'PENDING', source.pending_push = $large.push, source.pending_total = $large.total, source.pending_done = 0.0, source.property_names = coalesce($property_names, source.property_names)
REMOVE source.lock, source.removal_allowed_until, source.pending_nodes_put, source.pending_relationships_put, source.pending_nodes_removed, source.pending_relationships_removed
MERGE (large:LargePush {key: $data_source})
SET large += $large, large.since = datetime(), large.is_counted = $is_counted
REMOVE large.tries, large.tried_at, large.retry_at`;

/**
 * Has a chunked push go on elsewhere, its lock and its data source's held, and counts that as a try. The count begins anew where a further tenth has
 * been written since the last try; `$data_source`, `$runner`.
 */
export const TAKE_OVER_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
MATCH (source:DataSource {key: large.key})
WITH large, toInteger(10 * coalesce(source.pending_done, 0) / large.total) AS tenths
SET large.runner = $runner, large.since = datetime(),
  large.tries = CASE WHEN tenths > coalesce(large.tried_at, 0) THEN 1 ELSE coalesce(large.tries, 0) + 1 END,
  large.tried_at = CASE WHEN tenths > coalesce(large.tried_at, 0) THEN tenths ELSE coalesce(large.tried_at, 0) END
RETURN large.tries AS tries`;

/** Lets nobody try again for some seconds; a try that was cut short for another reason does not count; `$data_source`, `$runner`, `$seconds`, `$counts`. */
export const POSTPONE_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
SET large.retry_at = datetime() + duration({seconds: $seconds}),
  large.tries = CASE WHEN $counts THEN large.tries ELSE large.tries - 1 END
RETURN coalesce(large.tries, 0) AS tries`;

/** Takes the data source's lock for one chunk, and adds what the chunk writes to what the data source counts; `$data_source`, `$runner`, `$counts`. */
export const BEGIN_CHUNK = `MATCH (source:DataSource {key: $data_source})
SET source.lock = $runner,
  source.pending_nodes_put = coalesce(source.pending_nodes_put, 0) + $counts.nodes_put,
  source.pending_relationships_put = coalesce(source.pending_relationships_put, 0) + $counts.relationships_put,
  source.pending_nodes_removed = coalesce(source.pending_nodes_removed, 0) + $counts.nodes_removed,
  source.pending_relationships_removed = coalesce(source.pending_relationships_removed, 0) + $counts.relationships_removed
REMOVE source.lock`;

/** What a chunked push has written so far, its lock held; `$data_source`. */
export const COUNT_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
MATCH (source:DataSource {key: large.key})
RETURN coalesce(large.is_counted, false) AS is_counted,
  coalesce(source.pending_nodes_put, 0) AS nodes_put,
  coalesce(source.pending_relationships_put, 0) AS relationships_put,
  coalesce(source.pending_nodes_removed, 0) AS nodes_removed,
  coalesce(source.pending_relationships_removed, 0) AS relationships_removed`;

/** Notes at a data source that a push which failed has written some of its rows; `$data_source`, `$push`. */
export const LEAVE_HALF_WRITTEN = `MATCH (source:DataSource {key: $data_source})
SET source.half_written_by = $push`;

/** Who applies a chunked push; `$data_source`. */
export const LARGE_PUSH_RUNNER = `MATCH (large:LargePush {key: $data_source})
RETURN large.runner AS runner`;

/** Tells how far it is, without the chunked push's own node, which whoever applies it holds locked; `$data_source`, `$runner`, `$done`. */
export const TELL_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
MATCH (source:DataSource {key: large.key})
SET source.pending_done = $done`;

/** Ends a chunked push that is finished or replaced, its lock held; `$data_source`. */
export const END_LARGE_PUSH = `MATCH (source:DataSource {key: $data_source})
REMOVE source.pending_push, source.pending_total, source.pending_done, source.pending_nodes_put, source.pending_relationships_put, source.pending_nodes_removed, source.pending_relationships_removed
WITH source
MATCH (large:LargePush {key: source.key})
DELETE large`;

/** Notes that another push has taken the place of one that was not finished; `$push`. */
export const REPLACE_PUSH = `MATCH (push:Push {key: $push})
SET push.outcome = 'replaced'`;

/** Large pushes that nobody has begun, or gone on with, for some seconds, and that may be tried again by now; `$seconds`. */
export const LARGE_PUSHES = `MATCH (large:LargePush)
WHERE large.since <= datetime() - duration({seconds: $seconds})
  AND (large.retry_at IS NULL OR large.retry_at <= datetime())
RETURN large.key AS key`;
