/*
 * Where reviewers say something about a person: an erasure of the person removes it (docs/security.md:
 * Access reviews). `$people`: keys of nodes.
 */

/** An opening that did not end left people and items of its own, which are no part of the review. */
const ITEMS = `UNWIND $people[0] AS person
MATCH (holder:ReviewPerson {person: person})
MATCH (review:Review {key: split(holder.review, '/')[0], run: holder.review})
MATCH (item:ReviewItem {review: holder.review})
WHERE item.holder = holder.alias`;

/** The items that people hold. */
export const ITEMS_ABOUT = `${ITEMS}
RETURN item.key AS key`;

/** The entries in which somebody decided about these items. What the service says names nobody. */
export const ENTRIES_ABOUT = `${ITEMS}
WITH review.key AS id, collect(item.number) AS numbers
MATCH (entry:ReviewDecision {review: id})
WHERE entry.seq > 0 AND entry.item IN numbers AND entry.by <> ''
  AND entry.act IN ['keep', 'revoke', 'reassign', 'except']
RETURN entry.key AS key`;

/** The exceptions of these items. */
export const EXCEPTIONS_ABOUT = `${ITEMS}
MATCH (done:ReviewRemediation {key: review.key + '|' + toString(toInteger(item.number))})
RETURN done.key AS key`;
