import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';

/**
 * Whether somebody still waits for something of a review: for the proof of a revoke, for the end of an
 * exception, for an answer, for an opening, for what the next one carries over, or for the next one
 * itself. So does one whose end, by the clock of Neo4j, is not so long ago. `$id`, `$now`, `$days`.
 */
export const IS_NEEDED = `MATCH (review:Review {key: $id})
RETURN size(coalesce(review.openings, [])) > 0
  OR coalesce(review.remediated_at, review.cancelled_at) > datetime.realtime('Z') - duration({days: $days})
  OR (review.state = 'closed' AND coalesce(review.cadence, '') <> '' AND coalesce(review.next, '') = '') OR EXISTS {
  MATCH (next:Review {before: $id})
  WHERE next.state IN ['draft', 'open']
} OR EXISTS {
  MATCH (done:ReviewRemediation {review: $id})
  USING INDEX SEEK done:ReviewRemediation(review)
  WHERE done.awaited > '' OR (review.state = 'closed' AND (
    done.state IN ['ordered', 'blocked', 'came_back']
    OR (done.state = 'excepted' AND done.excepted_until > datetime($now))))
} AS is_needed`;

/** Removes a review; what is left of it is removed in steps. `$id`. */
export const REMOVE_REVIEW = `MATCH (review:Review {key: $id})
CREATE (removed:RemovedReview {key: review.key, run: coalesce(review.run, '')})
DELETE review`;

/** The removed reviews of which something may be left. */
export const REMOVED_REVIEWS = `MATCH (removed:RemovedReview)
WHERE removed.key > ''
RETURN removed.key AS id, removed.run AS run
ORDER BY id`;

/** Some records of one kind that a population (`$run`) or a review (`$id`) has, found by an index. */
const someOf = (label: string, of: '$run' | '$id', index = 'review', where = ''): string =>
  `MATCH (part:${label} {review: ${of}})
  USING INDEX SEEK part:${label}(${index})${where}
  RETURN part LIMIT $most`;

/** Removes some of what a population and a review have. `$run`; `$id`: empty for a population only; `$most`. */
export const REMOVE_PARTS = `CALL () {
  ${[
    someOf('ReviewItem', '$run'),
    someOf('ReviewPerson', '$run'),
    someOf('ReviewDecision', '$id', 'review, seq', '\n  WHERE part.seq > 0'),
    someOf('ReviewRemediation', '$id'),
    someOf('ReviewedPlace', '$id'),
  ].join('\n  UNION\n  ')}
}
WITH part LIMIT $most
DELETE part
RETURN count(*) AS removed`;

/** Forgets a removed review. `$id`. */
export const FORGET_REMOVED = `MATCH (removed:RemovedReview {key: $id})
DELETE removed`;

/** The statements of the retention of reviews. */
export const retentionStatements = (): readonly CatalogEntry[] => [
  entry('Find whether somebody needs a review', IS_NEEDED),
  entry('Remove a review', REMOVE_REVIEW),
  entry('Find removed reviews', REMOVED_REVIEWS),
  entry('Remove some of what a review has', REMOVE_PARTS),
  entry('Forget a removed review', FORGET_REMOVED),
];
