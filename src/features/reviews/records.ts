import type * as t from 'io-ts';

import { list, listOfAtMost } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { flag, wholeNumber } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, requiredText, Text, time } from '../../codec/text';
import { count, textOrNull } from '../../contract/answers/values';
import { askedAs, made, needed, optional } from '../../contract/records/field';
import { record, type WantedOf } from '../../contract/records/record';
import {
  asFlag,
  asJson,
  asNumber,
  asText,
  asTexts,
  asTime,
  asWhole,
  type Stored,
} from '../../contract/records/stored';
import {
  flag as flagOf,
  number as numberOf,
  service,
  text,
  texts,
  time as timeOf,
} from '../../model/table';
import { PRIVILEGED_TYPES } from '../../model/access-narrowing';
import { CADENCES } from './rules/cadence';
import { TEMPLATE_NAMES, TEMPLATES } from './rules/templates';
import { MARKS, REVIEW_STATES, SCOPE_MARKS } from './rules/words';
import { ENTRIES_ABOUT, EXCEPTIONS_ABOUT, ITEMS_ABOUT } from './stored/words-about';

/** The records of a review are evidence: without the setting they stay as long as the service. */
const OWN = { of: 'service', by: null, days: { setting: null, after: null } } as const;

const MOST_LISTED = 1_000;
const key = new Text('key of an entity', { ...requiredText.rule, most: 1024 });
const keys = listOfAtMost(MOST_LISTED, key);
const marks = list(enumeration('mark', MARKS));

const scopeDocs = {
  applications: 'Keys of applications; empty: all.',
  resources: 'Keys of resources, with all that they contain; empty: all.',
  roles: 'Keys of roles: only what they give.',
  groups: 'Keys of groups: only who is in them, and what they hold.',
  people: 'Keys of people: only what their accounts hold.',
  marks: 'Only items with one of these marks.',
};

const ScopeRequest = struct(
  'scope of a review',
  {},
  {
    applications: keys,
    resources: keys,
    roles: keys,
    groups: keys,
    people: keys,
    marks: list(enumeration('mark of a scope', SCOPE_MARKS)),
  },
  { docs: scopeDocs },
);

const ScopeValue = exact('scope of a review', {
  applications: has(list(anyText), scopeDocs.applications),
  resources: has(list(anyText), scopeDocs.resources),
  roles: has(list(anyText), scopeDocs.roles),
  groups: has(list(anyText), scopeDocs.groups),
  people: has(list(anyText), scopeDocs.people),
  marks: has(marks, scopeDocs.marks),
});

const templates = Object.entries(TEMPLATES)
  .map(([name, { about }]) => `\`${name}\`: ${about}`)
  .join(' ');

/** A data source on which a review depends. */
export const ReviewSource = exact('source of a review', {
  data_source: has(anyText, 'Its id.'),
  name: has(anyText, 'Its name.'),
  provider: has(anyText, 'The name of its provider.'),
  push: has(textOrNull, 'Its newest accepted push.'),
  at: has(nullable(time), 'When that was.'),
  is_stale: has(flag, 'Whether that is longer ago than the review accepts.'),
  has_failed: has(flag, 'Whether its newest push or import failed.'),
  reason: has(textOrNull, 'Why the owner opened the review nevertheless.'),
});
export type ReviewSource = t.TypeOf<typeof ReviewSource>;

/** What of all access in scope a review covers. */
export const ReviewCoverage = exact('coverage of a review', {
  pairs: has(
    count,
    'Pairs of somebody and a resource or application in scope to which they have access.',
  ),
  reviewed: has(count, 'Pairs that an item of the review gives, alone or with others.'),
  elsewhere: has(
    list(
      exact('pairs of another review', {
        review: has(anyText, 'Its id: it is open, or closed and not yet due again.'),
        pairs: has(count, 'How many that no review before in the list has.'),
      }),
    ),
    'Pairs of other reviews, the newest first.',
  ),
  not_reviewed: has(
    list(
      exact('pairs that are not reviewed', {
        because: has(anyText, 'Why.'),
        pairs: has(count, 'How many.'),
      }),
    ),
    'The others: together with `reviewed` and `elsewhere` they are all pairs.',
  ),
});
export type ReviewCoverage = t.TypeOf<typeof ReviewCoverage>;

const json = asJson('nobody');

/** Coverage as JSON. Reviews that were opened before know no `elsewhere`. */
const asCoverage: Stored = {
  ...json,
  read: (field, values) => {
    const stored = json.read(field, values) as Partial<ReviewCoverage> | null;
    if (stored === null) return null;
    const { pairs, reviewed, elsewhere = [], not_reviewed } = stored;
    return { pairs, reviewed, elsewhere, not_reviewed };
  },
};

const keysOfScope = asJson('mention');

/** A scope: keys as JSON, and marks apart. Marks are words of the service, also if somebody is called `guest`. */
const asScope: Stored = {
  properties: (field, doc) => ({
    ...keysOfScope.properties(field, doc),
    scope_marks: texts('The marks of the scope.', 'nobody'),
  }),
  write: (field, value) => {
    const { marks, ...others } = value as t.TypeOf<typeof ScopeValue>;
    return { ...keysOfScope.write(field, others), scope_marks: marks };
  },
  // Reviews that were created before have the marks in the JSON.
  read: (field, values) => {
    const { scope_marks: marks } = values;
    const stored = keysOfScope.read(field, values) as object;
    return marks === undefined ? stored : { ...stored, marks };
  },
};

/** The scope of a review that nothing narrows. */
export const EMPTY_SCOPE: t.TypeOf<typeof ScopeValue> = {
  applications: [],
  resources: [],
  roles: [],
  groups: [],
  people: [],
  marks: [],
};

/** A review of access (docs/rules.md: Access reviews). */
export const reviewRecord = record({
  name: 'review',
  label: 'Review',
  holds: OWN,
  doc: 'A review of access: what it is about, and how far it is.',
  indexes: ['state', 'before'],
  fields: {
    id: made(anyText, 'Its id.', asText('nobody')),
    name: needed(requiredText, 'Its name.', asText('mention')),
    state: made(
      enumeration('state of a review', REVIEW_STATES),
      'How far it is.',
      asText('nobody'),
    ),
    scope: askedAs(ScopeRequest, optional(ScopeValue, 'What it is about.', EMPTY_SCOPE, asScope)),
    owner: needed(key, 'The key of the person who owns it, and closes it.', asText('mention')),
    fallback: needed(
      key,
      'The key of the person who reviews what nobody else may review.',
      asText('mention'),
    ),
    due: needed(time, 'Until when reviewers decide.', asTime),
    grace_days: optional(
      wholeNumber(0, 90),
      'How many days the fallback has for what is pending then.',
      7,
      asNumber,
    ),
    on_silence: optional(
      enumeration('what silence means', ['except', 'revoke']),
      'What becomes of what is pending after that: an exception, or a revoke. It is never a keep.',
      'except',
      asText('nobody'),
    ),
    stale_hours: optional(
      wholeNumber(1, 10_000),
      'A source is stale if it was not pushed for so many hours.',
      48,
      asNumber,
    ),
    privileged_types: optional(
      list(requiredText),
      'Types of permissions that are privileged, in addition to what has the tag `privileged`.',
      [...PRIVILEGED_TYPES],
      asTexts('nobody'),
    ),
    before: optional(
      nullable(requiredText),
      'The id of the closed review before, from which unchanged items are carried over.',
      null,
      asText('nobody'),
    ),
    carries: optional(
      flag,
      'Whether unchanged items that were kept are carried over, unless they are privileged.',
      true,
      asFlag,
    ),
    template: optional(
      nullable(enumeration('template', TEMPLATE_NAMES)),
      `The usual kind of review that it is, which chooses the marks. ${templates}`,
      null,
      asText('nobody'),
    ),
    cadence: optional(
      nullable(enumeration('cadence', CADENCES)),
      'How often it is repeated. Once it is closed and due again, the service creates the draft of the next one.',
      null,
      asText('nobody'),
    ),
    created_at: made(time, 'When it was created.', asTime),
    at: made(nullable(time), 'The instant of its population; null before it is opened.', asTime),
    opened_at: made(nullable(time), 'When it was opened.', asTime),
    closed_at: made(nullable(time), 'When its owner closed it.', asTime),
    remediated_at: made(
      nullable(time),
      'The second seal: when each revoke was confirmed or excepted.',
      asTime,
    ),
    cancelled_at: made(nullable(time), 'When it was cancelled.', asTime),
    attestation: made(
      textOrNull,
      'What its owner attested when they closed it.',
      asText('mention'),
    ),
    reason: made(textOrNull, 'Why it was cancelled.', asText('mention')),
    digest: made(textOrNull, 'The digest of its population.', asText('nobody')),
    head: made(textOrNull, 'The hash of the newest entry of its chain.', asText('nobody')),
    entries: made(nullable(count), 'How many entries the chain has.', asWhole),
    items: made(nullable(count), 'How many items it has.', asWhole),
    sources: made(
      nullable(list(ReviewSource)),
      'The sources of its population.',
      asJson('mention'),
    ),
    coverage: made(nullable(ReviewCoverage), 'What it covers.', asCoverage),
  },
  hidden: {
    run: text('Its population: the opening that wrote its items and people.', 'nobody'),
    openings: texts('Openings that have not ended.', 'nobody'),
    opening_since: timeOf('When the newest of them began.'),
    token: text('The token of the plan with which it was opened.', 'nobody'),
    salt: text('Random: part of the digests of texts that name no person.', 'nobody'),
    settings: text('Its settings when it was opened, or cancelled as a draft, as JSON.', 'mention'),
    settings_digest: text('A digest of them.', 'nobody'),
    owner_alias: text('The alias of its owner now.', 'nobody'),
    fallback_alias: text('The alias of its fallback now.', 'nobody'),
    people: numberOf('How many people have an alias.'),
    checked: text(
      'The newest push after which its facts were looked at; another text if they must be looked at again.',
      'nobody',
    ),
    watched: texts('The ids of the data sources of its population.', 'nobody'),
    seen: texts('Their newest pushes when its facts were looked at.', 'nobody'),
    next: text('The id of the review that follows it by its cadence.', 'nobody'),
    is_overdue: flagOf('Whether the fallback has what was pending at the due date.'),
  },
});

/** A review. */
export type Review = t.TypeOf<typeof reviewRecord.answer>;
/** What requests say of a review, and in words what that means. */
export const REVIEW_SETTINGS = Object.entries(reviewRecord.fields).flatMap(
  ([name, { source, doc }]) => (source === 'service' ? [] : [{ name: name as keyof Review, doc }]),
);
/** People who may change later: the chain names them by their aliases. */
const NAMED_BY_ALIAS: readonly string[] = ['owner', 'fallback'];
/** The settings that a review seals: they never change once it is open, or cancelled as a draft. */
export const SEALED_SETTINGS = REVIEW_SETTINGS.flatMap(({ name }) =>
  NAMED_BY_ALIAS.includes(name) ? [] : [name],
);
/** The id and the sealed settings of a review. */
export const sealedOf = (review: Review): Partial<Review> => ({
  id: review.id,
  ...Object.fromEntries(SEALED_SETTINGS.map((name) => [name, review[name]])),
});
/** What a request says of a review. */
export type WantedReview = WantedOf<typeof reviewRecord.fields>;

/**
 * A person of a review. All other records of the review name people by their aliases, so an erasure
 * of the person removes this record, and leaves the alias.
 */
export const ReviewPerson = service('ReviewPerson', {
  holds: OWN,
  doc: 'A person of a review; its key is the population and the alias of the person, by which other records name them.',
  properties: {
    review: text('The population.', 'nobody'),
    alias: text('The alias.', 'nobody'),
    person: text('The key of the node of the human.', 'people'),
    name: text('Their name.', 'mention'),
    email: text('Their address.', 'mention'),
    salt: text('Random: part of the digests of texts about them.', 'nobody'),
  },
  indexes: ['review', 'person', ['review', 'person']],
});

/** An item of a review. */
export const ReviewItem = service('ReviewItem', {
  holds: OWN,
  wordsAbout: { property: 'reason', find: ITEMS_ABOUT },
  doc: 'An item of a review: a fact that somebody can remove; its key is the population and its number.',
  properties: {
    review: text('The population.', 'nobody'),
    number: numberOf('Its number in the review, from 1.'),
    state: text('`pending`, `keep`, `revoke`, `gone`, `carried` or `excepted`.', 'nobody'),
    reviewer: text('The alias of its reviewer now.', 'nobody'),
    first_reviewer: text('The alias of its first reviewer.', 'nobody'),
    holder: text(
      'The alias of the human who holds it; empty if no human certainly does.',
      'nobody',
    ),
    fact: text('Type, start and end of the relationship, as JSON.', 'mention'),
    shown: text('What reviewers see, as JSON.', 'mention'),
    entitlement: text('A digest of what is held.', 'nobody'),
    effect: text('A digest of what it gives.', 'nobody'),
    marks: texts('What is remarkable about it, always in the same order.', 'nobody'),
    seals: texts('Digests of whom the aliases of its holder and first reviewer mean.', 'nobody'),
    is_carried: flagOf('Whether it was carried over from the review before.'),
    texts_digest: text('A digest of its texts.', 'nobody'),
    digest: text('A digest of all that never changes.', 'nobody'),
    decided_by: text('The alias of who decided last.', 'nobody'),
    decided_at: timeOf('When that was.'),
    reason: text('Their reason.', 'mention'),
  },
  indexes: [
    'review',
    ['review', 'number'],
    ['review', 'state', 'number'],
    ['review', 'reviewer', 'number'],
    ['review', 'reviewer', 'state'],
    ['review', 'marks', 'number'],
    ['review', 'marks', 'state'],
  ],
});

/** An entry of the chain of decisions of a review. */
export const ReviewDecision = service('ReviewDecision', {
  holds: OWN,
  wordsAbout: { property: 'reason', find: ENTRIES_ABOUT },
  doc: 'An entry of the chain of a review, which nobody changes; its key is the id of the review and its number.',
  properties: {
    review: text('Id of the review.', 'nobody'),
    seq: numberOf('Its number in the chain, from 1.'),
    previous: text('The hash of the entry before.', 'nobody'),
    act: text('What was decided.', 'nobody'),
    item: numberOf('The number of the item; 0 if it is about the review.'),
    by: text('The alias of the person who decided; empty if the service did.', 'nobody'),
    at: timeOf('When.'),
    batch: numberOf('How many items one request decided about.'),
    shown: text('The digest of the item.', 'nobody'),
    detail: text(
      'The alias of the next reviewer, owner or fallback, a push, an action or a time.',
      'nobody',
    ),
    salt: text('Random: part of the digest of its texts.', 'nobody'),
    reason: text('The reason.', 'mention'),
    key_id: text('Id of the key that sent it; empty if the service decided.', 'signer'),
    key_name: text('Name of that key.', 'mention'),
    seals: texts(
      'Each alias that it is the first to name, with a digest of whom it means; `owner` or `fallback`, with one of the key.',
      'nobody',
    ),
    said: text('A digest of its texts.', 'nobody'),
    hash: text('Its hash.', 'nobody'),
  },
  indexes: [
    ['review', 'seq'],
    ['review', 'act', 'by', 'at'],
  ],
});

/** What must follow a revoke. */
export const ReviewRemediation = service('ReviewRemediation', {
  holds: OWN,
  wordsAbout: { property: 'reason', find: EXCEPTIONS_ABOUT },
  doc: 'What must follow a revoke, and how it is proven; its key is the id of the review and the number of the item.',
  properties: {
    review: text('Id of the review.', 'nobody'),
    item: numberOf('The number of the item.'),
    state: text(
      '`ordered`, `blocked`, `confirmed`, `excepted`, `came_back` or `withdrawn`.',
      'nobody',
    ),
    ordered_at: timeOf('When it was ordered.'),
    push: text('The push that confirmed it, or that brought the fact back.', 'nobody'),
    changed_at: timeOf('When its state changed.'),
    through: text('Through what the access is left, as JSON.', 'mention'),
    excepted_by: text('The alias of who made an exception.', 'nobody'),
    excepted_until: timeOf('Until when it is an exception.'),
    reason: text('Why.', 'mention'),
    action: text('The id of the newest action that was sent to the application.', 'nobody'),
    awaited: text('The same while its answer is not yet stored.', 'nobody'),
    sent_token: text('The token with which it was sent.', 'nobody'),
    sent_at: timeOf('When it was sent.'),
    sent_by: text('The alias of who sent it; empty if the request named nobody.', 'nobody'),
    sent_to: text('To which application it was sent, in words of the service.', 'mention'),
    answer: text('What became of it, in words of the service. It proves nothing.', 'nobody'),
    answered_at: timeOf('When that was stored.'),
  },
  indexes: ['review', ['review', 'item'], ['review', 'state'], 'awaited'],
});

/**
 * An application that a review names, from its opening on. It finds the reviews of one application
 * without all others.
 */
export const ReviewedPlace = service('ReviewedPlace', {
  holds: OWN,
  doc: 'An application that a review is about; its key is the id of the review and a number.',
  properties: {
    review: text('Id of the review.', 'nobody'),
    application: text(
      'The key of the application; empty: the review is about all applications.',
      'mention',
    ),
    is_partly: flagOf('Whether a filter of roles, groups, people or marks leaves out items.'),
  },
  indexes: ['application', 'review'],
});

/** A review that was removed, until all its other records are. */
export const RemovedReview = service('RemovedReview', {
  holds: { of: 'service', by: null, days: null },
  doc: 'A review that was removed, until all its other records are too; its key is the id of the review.',
  properties: { run: text('The population.', 'nobody') },
});

/** The records of reviews. */
export const reviewRecords = [
  reviewRecord.node,
  RemovedReview,
  ReviewedPlace,
  ReviewPerson,
  ReviewItem,
  ReviewDecision,
  ReviewRemediation,
];
