import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';
import { seekEntity } from '../../../graph/statements/seek';
import { foldOf } from '../../../model/folded-texts';
import { isLeased } from '../../../scim/policies/contract';
import { RESOURCE_MANAGERS } from '../../../templates/graph/derivations';
import { ENTRIES_ABOUT, EXCEPTIONS_ABOUT, ITEMS_ABOUT } from './words-about';

/** Keys of nodes that somebody tagged as privileged. */
export const READ_TAGGED = `MATCH (tag:Tag)
WHERE coalesce(tag.${foldOf('name')}, tag.name) = 'privileged'
MATCH (tag)<-[:TAGGED]-(node:Entity)
RETURN DISTINCT node.key AS key`;

/** Who manages and owns places. `$keys`. */
export const READ_PLACE_REVIEWERS = `UNWIND $keys[0] AS key
MATCH (place:Entity {key: key})
CALL (place) {
  MATCH (place)-[:${RESOURCE_MANAGERS}]->(reviewer:IdpUser|IdpGroup)
  RETURN reviewer, 'manages' AS why
  UNION
  MATCH (place)-[:OWNED_BY]->(identity:Identity)
  OPTIONAL MATCH (person:IdpUser|IdpGroup)-[:KNOWN_AS]->(identity)
  RETURN coalesce(person, identity) AS reviewer, 'owns' AS why
  UNION
  MATCH (reviewer:IdpUser|IdpGroup)-[:OWNS]->(:ExternalEntity)-[:RESOLVES_TO]->(place)
  RETURN reviewer, 'owns' AS why
}
RETURN DISTINCT key, reviewer.key AS reviewer, why`;

/** The managers of people. `$keys`. */
export const READ_MANAGERS = `UNWIND $keys[0] AS key
MATCH (person:Entity {key: key})-[:MANAGED_BY]->(reviewer:IdpUser|Employee)
RETURN DISTINCT key, reviewer.key AS reviewer, 'is the manager of' AS why`;

/** The addresses of people. `$keys`. */
export const READ_ADDRESSES = `UNWIND $keys[0] AS key
MATCH (person:Entity {key: key})
WHERE person.email IS NOT NULL
RETURN key, person.email AS email`;

/** What a review says of data sources. `$keys`: their ids. */
export const READ_SOURCES = `UNWIND $keys[0] AS id
MATCH (source:DataSource {key: id})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (import:ScimImport {key: provider.key})
RETURN id, source.name AS name, provider.name AS provider, source.last_push AS push, source.last_push_at AS at,
  source.status = 'ERROR' OR (import.data_source = id AND coalesce(import.failures, 0) > 0) AS has_failed
ORDER BY id`;

/** The pushes at some instants. `$keys`: RFC 3339. */
export const READ_PUSHES_AT = `UNWIND $keys[0] AS at
MATCH (push:Push {at: datetime(at)})
RETURN at, push.id AS push`;

export const CREATE_REVIEW = `MERGE (review:Review {key: $id})
ON CREATE SET review += $properties`;

export const LIST_REVIEWS = `MATCH (review:Review)
RETURN properties(review) AS review`;

/** A review, if there is any. */
export const FIND_ANY_REVIEW = `MATCH (review:Review)
USING INDEX SEEK review:Review(state)
WHERE review.state > ''
RETURN review.key AS id
LIMIT 1`;

export const WRITE_PLACES = `UNWIND $rows[0] AS row
MERGE (place:ReviewedPlace {key: row.key})
SET place += row.properties`;

/** Of the reviews of an application the newest of each kind, open or closed. `$applications`. */
export const NEWEST_REVIEWS_OF = `UNWIND $applications[0] AS application
MATCH (place:ReviewedPlace {application: application})
MATCH (review:Review {key: place.review})
WHERE review.state IN ['open', 'closed']
WITH review, place.is_partly AS is_partly
ORDER BY review.at DESC
WITH review.state AS state, is_partly, head(collect(review)) AS newest
RETURN properties(newest) AS review`;

export const READ_REVIEW = `MATCH (review:Review {key: $id})
RETURN properties(review) AS review`;

/** Locks a review to the end of the transaction, so that one act follows the other. */
export const LOCK_REVIEW = `MATCH (review:Review {key: $id})
SET review.lock = true
REMOVE review.lock
RETURN properties(review) AS review`;

export const SET_REVIEW = `MATCH (review:Review {key: $id})
SET review += $properties`;

/** How many items of a population are in each state, which an index alone says. `$run`, `$states`. */
export const COUNT_STATES = `UNWIND $states[0] AS state
MATCH (item:ReviewItem {review: $run, state: state})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.number > 0
RETURN state, count(*) AS number`;

/** An item of a population that nobody decided in time, if there is any. `$run`. */
export const FIND_SILENCE = `MATCH (item:ReviewItem {review: $run, state: 'excepted'})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.number > 0
RETURN item.number AS number
LIMIT 1`;

/** How many items of a population each reviewer has not decided. `$run`. */
export const COUNT_PENDING = `MATCH (item:ReviewItem {review: $run, state: 'pending'})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.number > 0
RETURN item.reviewer AS reviewer, count(*) AS number
ORDER BY reviewer`;

/** How many items of a population a reviewer has, by state, which an index alone says. `$run`, `$aliases`. */
export const COUNT_OF_REVIEWER = `MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, state)
WHERE item.reviewer IN $aliases[0] AND item.state > ''
RETURN item.state AS state, count(*) AS number`;

const isNew = (item: string): string =>
  `any(mark IN ${item}.marks WHERE mark IN ['new', 'changed'])`;

/**
 * Numbers of items of a reviewer: what is new or has changed first, then by what is held. `$run`,
 * `$aliases`, `$states`.
 */
export const ITEMS_OF_REVIEWER = `MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer IN $aliases[0] AND item.number > 0 AND item.state IN $states[0]
WITH item, ${isNew('item')} AS is_new
ORDER BY is_new DESC, item.entitlement, item.number
SKIP $skip LIMIT $most
RETURN item.number AS number`;

/** How many of these items precede one in the same order. `$run`, `$aliases`, `$states`, `$number`. */
export const COUNT_BEFORE_ITEM = `MATCH (one:ReviewItem {key: $run + '|' + toString($number)})
WITH one, ${isNew('one')} AS is_one_new
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer IN $aliases[0] AND item.number > 0 AND item.state IN $states[0]
WITH one, is_one_new, item, ${isNew('item')} AS is_new
WHERE is_new AND NOT is_one_new
  OR is_new = is_one_new AND (item.entitlement < one.entitlement
    OR item.entitlement = one.entitlement AND item.number < one.number)
RETURN count(*) AS number`;

/** How many items of a population each reviewer has, by state, which an index alone says. `$run`. */
export const COUNT_BY_REVIEWER = `MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, state)
WHERE item.reviewer >= '' AND item.state > ''
RETURN item.reviewer AS reviewer, item.state AS state, count(*) AS number`;

/**
 * How much each reviewer has kept, and in how many minutes they decided something, which an index alone
 * says. `$id`.
 */
export const READ_PACE = `MATCH (entry:ReviewDecision {review: $id})
USING INDEX SEEK entry:ReviewDecision(review, act, by, at)
WHERE entry.act IN ['keep', 'revoke'] AND entry.by >= '' AND entry.at IS NOT NULL
RETURN entry.by AS reviewer, sum(CASE entry.act WHEN 'keep' THEN 1 ELSE 0 END) AS keeps,
  count(DISTINCT entry.at.epochSeconds / 60) AS minutes`;

/** Numbers of items whose revokes are this far, the first of them. `$id`, `$states`. */
export const ITEMS_OF_REMEDIATION = `MATCH (done:ReviewRemediation {review: $id})
WHERE done.item > 0 AND done.state IN $states[0]
RETURN done.item AS number
ORDER BY done.item
LIMIT $most`;

/** How many revokes of a review are how far. `$id`. */
export const COUNT_REMEDIATION = `MATCH (done:ReviewRemediation {review: $id})
USING INDEX SEEK done:ReviewRemediation(review)
RETURN done.state AS state, count(*) AS number`;

/** The reviews of which revoked facts came back, and how many, those with the most first. */
export const REVIEWS_WITH_RETURNED = `MATCH (review:Review)
USING INDEX SEEK review:Review(state)
WHERE review.state > ''
WITH review, COUNT {
  MATCH (done:ReviewRemediation {review: review.key, state: 'came_back'})
} AS count
WHERE count > 0
RETURN review.key AS id, review.name AS name, count
ORDER BY count DESC, id`;

export const WRITE_PEOPLE = `UNWIND $rows[0] AS row
MERGE (person:ReviewPerson {key: row.key})
SET person += row.properties`;

export const WRITE_ITEMS = `UNWIND $rows[0] AS row
MERGE (item:ReviewItem {key: row.key})
SET item += row.properties`;

/** Openings that began long ago and did not end. `$before`. */
export const LEFT_OPENINGS = `MATCH (review:Review)
WHERE size(review.openings) > 0 AND review.opening_since < datetime($before)
RETURN review.key AS id, review.openings AS openings`;

/** Gives up openings, so that they cannot end any more. `$id`, `$openings`. */
export const GIVE_UP_OPENINGS = `MATCH (review:Review {key: $id})
SET review.openings = [opening IN review.openings |
  CASE WHEN opening IN $openings[0] AND NOT opening STARTS WITH 'left:' THEN 'left:' + opening ELSE opening END]
RETURN review.openings AS openings`;

/** Forgets openings. `$id`, `$openings`. */
export const FORGET_OPENINGS = `MATCH (review:Review {key: $id})
SET review.openings = [opening IN review.openings WHERE NOT opening IN $openings[0]]`;

/** People of a population, by keys of records. `$keys`. */
export const READ_PEOPLE = `UNWIND $keys[0] AS key
MATCH (person:ReviewPerson {key: key})
RETURN properties(person) AS person`;

/** All people of a population. `$run`. */
export const LIST_PEOPLE = `MATCH (person:ReviewPerson {review: $run})
RETURN properties(person) AS person`;

/**
 * The people of a population who have one of these nodes, the first alias first. People who were several
 * when the review was opened may be one by now. `$run`, `$keys`.
 */
export const FIND_PERSON = `UNWIND $keys[0] AS key
MATCH (person:ReviewPerson {review: $run, person: key})
RETURN DISTINCT person.alias AS alias
ORDER BY size(alias), alias`;

/** Items that somebody gave to somebody else before. `$id`, `$by`, `$to`, `$items`. */
export const GIVEN_BEFORE = `MATCH (entry:ReviewDecision {review: $id})
WHERE entry.seq > 0 AND entry.act = 'reassign' AND entry.by IN $by[0] AND entry.detail = $to
  AND entry.item IN $items[0]
RETURN DISTINCT entry.item AS item`;

export const READ_ITEMS = `UNWIND $numbers[0] AS number
MATCH (item:ReviewItem {key: $run + '|' + toString(number)})
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(number)})
RETURN properties(item) AS item, properties(done) AS done`;

/** A page of items in the order of their numbers. */
const pageOfItems = (of: string, is: string, order: string): string =>
  `MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, ${of}number)
WHERE ${is}item.number > $after
  AND (size($states[0]) = 0 OR item.state IN $states[0])
  AND (size($reviewers[0]) = 0 OR item.reviewer IN $reviewers[0])
  AND (size($marks[0]) = 0 OR item.marks IN $marks[0])
WITH item
ORDER BY ${order}
LIMIT $most
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(toInteger(item.number))})
RETURN properties(item) AS item, properties(done) AS done`;

/** A page of items. `$states`, `$reviewers`, `$marks` (lists of all marks of an item): empty for all. */
export const LIST_ITEMS = pageOfItems('', '', 'item.review, item.number');

/** A page of items in one state. */
export const LIST_ITEMS_IN_STATE = pageOfItems(
  'state, ',
  'item.state = $states[0][0] AND ',
  'item.review, item.state, item.number',
);

/** A page of items of one reviewer. */
export const LIST_ITEMS_OF_REVIEWER = pageOfItems(
  'reviewer, ',
  'item.reviewer = $reviewers[0][0] AND ',
  'item.review, item.reviewer, item.number',
);

/** A page of items with one of some marks. */
export const LIST_ITEMS_MARKED = pageOfItems(
  'marks, ',
  'item.marks IN $marks[0] AND ',
  'item.number',
);

/** How many items with each of some lists of marks are in each state, which an index alone says. `$run`, `$marks`. */
export const COUNT_MARKED = `UNWIND $marks[0] AS marks
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, marks, state)
WHERE item.marks = marks AND item.state > ''
RETURN marks, item.state AS state, count(*) AS number`;

/** The same of some reviewers. `$run`, `$aliases`, `$marks`. */
export const COUNT_MARKED_OF_REVIEWER = `MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer IN $aliases[0] AND item.number > 0 AND item.marks IN $marks[0]
RETURN item.marks AS marks, item.state AS state, count(*) AS number`;

/** The facts of items, without what reviewers see. `$run`, `$after`, `$most`. */
export const LIST_FACTS = `MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, number)
WHERE item.number > $after AND item.state <> 'gone'
RETURN item.number AS number, item.fact AS fact, item.effect AS effect
ORDER BY item.review, item.number
LIMIT $most`;

export const LIST_DECISIONS = `MATCH (entry:ReviewDecision {review: $id})
USING INDEX SEEK entry:ReviewDecision(review, seq)
WHERE entry.seq > $after
WITH entry
ORDER BY entry.review, entry.seq
LIMIT $most
RETURN properties(entry) AS entry`;

export const LIST_REMEDIATION = `MATCH (done:ReviewRemediation {review: $id})
USING INDEX SEEK done:ReviewRemediation(review, item)
WHERE done.item > $after
WITH done
ORDER BY done.review, done.item
LIMIT $most
RETURN properties(done) AS done`;

export const CHANGE_ITEMS = `UNWIND $rows[0] AS row
MATCH (item:ReviewItem {key: $run + '|' + toString(row.number)})
SET item += row.properties`;

export const WRITE_ENTRIES = `UNWIND $rows[0] AS row
CREATE (entry:ReviewDecision {key: row.key})
SET entry += row.properties`;

export const SET_REMEDIATION = `UNWIND $rows[0] AS row
MERGE (done:ReviewRemediation {key: row.key})
SET done += row.properties`;

/** Revokes whose exceptions have ended. `$id`, `$now`. */
export const ENDED_EXCEPTIONS = `MATCH (done:ReviewRemediation {review: $id, state: 'excepted'})
WHERE done.excepted_until <= datetime($now)
RETURN done.item AS item
LIMIT 500`;

/**
 * Memberships of accounts in groups of applications. `known`: by what directories know who has the
 * account, and whom else. `from_import`: whether the import of the provider brings it; null without an
 * import. `applications`: how many the connection may reach. `$rows`: `{number, from, to}`.
 */
export const READ_MEMBERSHIPS = `UNWIND $rows[0] AS row
${seekEntity('account', 'row.from')}
${seekEntity('group', 'row.to')}
WHERE account:LocalUser AND group:LocalGroup AND EXISTS { (account)-[:MEMBER_OF]->(group) }
MATCH (source:DataSource {key: account.data_source})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (import:ScimImport {key: provider.key})
WITH provider, import, collect({number: row.number, account: account, group: group}) AS found
CALL (provider, import) {
  MATCH (provider)<-[:FROM]-(source:DataSource)<-[:FROM]-(application:Application)
  WHERE import IS NULL OR source.key = import.data_source
  RETURN count(application) AS applications
}
UNWIND found AS each
WITH provider, import, applications, each.number AS number, each.account AS account, each.group AS group
CALL (account) {
  MATCH (account)<-[:IDENTITY_OF]-(:Identity)<-[:KNOWN_AS]-(user:IdpUser)
  WITH DISTINCT user
  CALL (user) {
    MATCH (user)-[:KNOWN_AS]->(known:Identity)
    MATCH (who)-[:KNOWN_AS]->(known)
    RETURN known.name AS name, collect(who.key) AS whose
    UNION
    MATCH (who:IdpUser {fold_email: user.fold_email})
    USING INDEX SEEK who:IdpUser(fold_email)
    RETURN user.email AS name, collect(who.key) AS whose
  }
  RETURN collect({name: name, whose: whose}) AS known
}
RETURN number, provider.key AS provider, applications, account.data_source = import.data_source AS from_import,
  account.name AS account_name, known,
  [name IN [account.unique_id, account.id, account.name] WHERE name IS NOT NULL] AS account, account.email AS email,
  [(identity:Identity)-[:IDENTITY_OF]->(account) | identity.name] AS identities,
  coalesce(group.unique_id, group.id) AS group, group.name AS group_name`;

/**
 * What was sent to applications and answered there, and whose answer is not yet stored. What somebody
 * dropped may still be under way while a run of policies holds the lease.
 */
export const AWAITED_ANSWERS = `MATCH (done:ReviewRemediation)
WHERE done.awaited > ''
OPTIONAL MATCH (action:LifecycleAction {key: done.awaited})
OPTIONAL MATCH (state:LifecycleState {key: action.provider})
WITH done, action, state
WHERE action IS NULL OR action.status IN ['DONE', 'DEAD'] OR (action.status = 'DROPPED' AND NOT ${isLeased('state')})
RETURN done.review AS review, done.item AS item, done.awaited AS action
ORDER BY review, item
LIMIT 500`;

/** Reviews that are open, or closed without the second seal. */
const UNFINISHED = `MATCH (review:Review)
WHERE review.state IN ['open', 'closed'] AND review.remediated_at IS NULL`;

/** Reviews of which somebody may wait for something. */
export const UNFINISHED_REVIEWS = `${UNFINISHED}
RETURN properties(review) AS review`;

/**
 * Reviews whose facts may have changed, with the newest pushes of their sources. After the second seal
 * facts only come back, by a push of one of the sources.
 */
export const FOLLOWED_REVIEWS = `CALL () {
  ${UNFINISHED}
  RETURN review
  UNION ALL
  MATCH (review:Review {state: 'closed'})
  WHERE review.remediated_at IS NOT NULL AND (review.watched IS NULL OR EXISTS {
    MATCH (source:DataSource)
    WHERE source.key IN review.watched AND source.last_push IS NOT NULL
      AND NOT source.last_push IN coalesce(review.seen, [])
  })
  RETURN review
}
RETURN properties(review) AS review, COLLECT {
  MATCH (source:DataSource)
  WHERE source.key IN review.watched AND source.last_push IS NOT NULL
  RETURN source.last_push
} AS pushes`;

/** Closed reviews that are repeated, and that no other follows yet. */
export const SCHEDULED_REVIEWS = `MATCH (review:Review {state: 'closed'})
WHERE review.cadence IS NOT NULL AND review.next IS NULL
RETURN properties(review) AS review`;

const withSources = (applications: string): string => `${applications}
WITH application, split(application.key, '|')[0] AS data_source
MATCH (source:DataSource {key: data_source})-[:FROM]->(provider:Provider)
RETURN application.key AS id, application.name AS name, data_source, source.name AS source,
  provider.name AS provider, coalesce(toString(application.since), '') AS since`;

/** All applications, and their sources. */
export const READ_APPLICATIONS = withSources('MATCH (application:Application)');

/** An application, and its source. `$id`. */
export const READ_APPLICATION = withSources(
  `${seekEntity('application', '$id')}\nWHERE application:Application`,
);

/** The statements of reviews. */
export const reviewStatements = (): readonly CatalogEntry[] => [
  entry('Read what is tagged as privileged', READ_TAGGED),
  entry('Read who manages and owns places', READ_PLACE_REVIEWERS),
  entry('Read the managers of people', READ_MANAGERS),
  entry('Read the addresses of people', READ_ADDRESSES),
  entry('Read the sources of a review', READ_SOURCES),
  entry('Read the pushes at instants', READ_PUSHES_AT),
  entry('Create a review', CREATE_REVIEW),
  entry('List reviews', LIST_REVIEWS),
  entry('Find any review', FIND_ANY_REVIEW),
  entry('Write the applications of a review', WRITE_PLACES),
  entry('Find the newest reviews of an application', NEWEST_REVIEWS_OF),
  entry('Read a review', READ_REVIEW),
  entry('Lock a review', LOCK_REVIEW),
  entry('Change a review', SET_REVIEW),
  entry('Count the items of a review by state', COUNT_STATES),
  entry('Find an item that nobody decided in time', FIND_SILENCE),
  entry('Count pending items of a review by reviewer', COUNT_PENDING),
  entry('Count the items of a reviewer by state', COUNT_OF_REVIEWER),
  entry('Find the items of a reviewer', ITEMS_OF_REVIEWER),
  entry('Count the items of a reviewer before one', COUNT_BEFORE_ITEM),
  entry('Count the items of a review by reviewer', COUNT_BY_REVIEWER),
  entry('Read how fast reviewers decide', READ_PACE),
  entry('Find the items whose revokes are so far', ITEMS_OF_REMEDIATION),
  entry('Count the remediation of a review by state', COUNT_REMEDIATION),
  entry('List reviews of which revoked facts came back', REVIEWS_WITH_RETURNED),
  entry('Write people of a review', WRITE_PEOPLE),
  entry('Write items of a review', WRITE_ITEMS),
  entry('Find openings of reviews that did not end', LEFT_OPENINGS),
  entry('Give up openings of a review', GIVE_UP_OPENINGS),
  entry('Forget openings of a review', FORGET_OPENINGS),
  entry('Read people of a review', READ_PEOPLE),
  entry('List people of a review', LIST_PEOPLE),
  entry('Find a person of a review', FIND_PERSON),
  entry('Find the items that people hold', ITEMS_ABOUT),
  entry('Find what reviewers said about people', ENTRIES_ABOUT),
  entry('Find exceptions of what people hold', EXCEPTIONS_ABOUT),
  entry('Find items of a review that somebody gave away', GIVEN_BEFORE),
  entry('Read items of a review', READ_ITEMS),
  entry('List items of a review', LIST_ITEMS),
  entry('List items of a review in one state', LIST_ITEMS_IN_STATE),
  entry('List items of one reviewer', LIST_ITEMS_OF_REVIEWER),
  entry('List items of a review with some marks', LIST_ITEMS_MARKED),
  entry('Count the items of a review by marks and state', COUNT_MARKED),
  entry('Count the items of a reviewer by marks and state', COUNT_MARKED_OF_REVIEWER),
  entry('List the facts of a review', LIST_FACTS),
  entry('List the chain of a review', LIST_DECISIONS),
  entry('List the remediation of a review', LIST_REMEDIATION),
  entry('Change items of a review', CHANGE_ITEMS),
  entry('Write entries of the chain of a review', WRITE_ENTRIES),
  entry('Set the remediation of a review', SET_REMEDIATION),
  entry('Find exceptions that have ended', ENDED_EXCEPTIONS),
  entry('Read memberships that may be removed over SCIM', READ_MEMBERSHIPS),
  entry('Find what was sent and has no answer', AWAITED_ANSWERS),
  entry('Find the reviews to look at', FOLLOWED_REVIEWS),
  entry('Find the reviews that are not finished', UNFINISHED_REVIEWS),
  entry('Find reviews that may be due again', SCHEDULED_REVIEWS),
  entry('Read applications and their sources', READ_APPLICATIONS),
  entry('Read an application and its source', READ_APPLICATION),
];
