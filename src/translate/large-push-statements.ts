/** Takes the lock of a large push that a data source has not finished: whoever applies it holds that as long as it lasts; `$data_source`, `$push`. */
export const LOCK_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
SET large.lock = $push
RETURN large.key AS key`;

/** Takes the locks of all its lanes: no part of it is on its way any more; `$prefix`, `$push`. */
export const LOCK_LANES = `MATCH (lane:LargePushLane)
WHERE lane.key STARTS WITH $prefix
SET lane.lock = $push`;

/** Begins a large push in place of an earlier one that was not finished, under the data source's lock; `$data_source`, `$large`, `$property_names`. */
export const BEGIN_LARGE_PUSH = `MATCH (source:DataSource {key: $data_source})
SET source.status = 'PENDING', source.pending_push = $large.push, source.pending_total = $large.total, source.pending_done = 0.0, source.property_names = coalesce($property_names, source.property_names)
REMOVE source.lock, source.removal_allowed_until
MERGE (large:LargePush {key: $data_source})
SET large += $large, large.since = datetime()`;

/** Makes the lanes in which its parts are written; `$lanes`. */
export const MAKE_LANES = `UNWIND $lanes AS key
MERGE (:LargePushLane {key: key})`;

/** Has a large push go on elsewhere, its lock held; `$data_source`, `$runner`. */
export const TAKE_OVER_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
SET large.runner = $runner, large.since = datetime()`;

/** Takes a lane: one part at a time; `$lane`, `$runner`. */
export const ENTER_LANE = `MATCH (lane:LargePushLane {key: $lane})
SET lane.lock = $runner
RETURN lane.key AS key`;

/** Who applies a large push; `$data_source`. */
export const LARGE_PUSH_RUNNER = `MATCH (large:LargePush {key: $data_source})
RETURN large.runner AS runner`;

/** Tells how far it is; `$data_source`, `$runner`, `$done`. */
export const TELL_LARGE_PUSH = `MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
MATCH (source:DataSource {key: large.key})
SET source.pending_done = $done`;

/** Ends a large push that is finished or replaced, its lock held; `$data_source`. */
export const END_LARGE_PUSH = `MATCH (source:DataSource {key: $data_source})
REMOVE source.pending_push, source.pending_total, source.pending_done
WITH source
MATCH (large:LargePush {key: source.key})
DELETE large`;

/** Removes its lanes, their locks held; `$prefix`. */
export const REMOVE_LANES = `MATCH (lane:LargePushLane)
WHERE lane.key STARTS WITH $prefix
DELETE lane`;

/** Notes that another push has taken the place of one that was not finished; `$push`. */
export const REPLACE_PUSH = `MATCH (push:Push {key: $push})
SET push.outcome = 'replaced'`;

/** Large pushes that nobody has begun, or gone on with, for some seconds; `$seconds`. */
export const LARGE_PUSHES = `MATCH (large:LargePush)
WHERE large.since <= datetime() - duration({seconds: $seconds})
RETURN large.key AS key`;
