import type * as t from 'io-ts';

import { list, listOfAtMost } from '../../codec/collections';
import { exact, has, mapOf, nullable } from '../../codec/exact';
import { flag, wholeNumber } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, requiredText, Text, time } from '../../codec/text';
import { countedPageOf, pageOf, valueOf } from '../../contract/answers/page';
import { count, textOrNull } from '../../contract/answers/values';
import {
  choices,
  countText,
  NoParameters,
  oneText,
  orderText,
} from '../../contract/parameters/query-parameters';
import { LISTING_BODY } from '../../web/bodies/body-bounds';
import type { Access, Endpoints } from '../../web/routing/route';
import { ReviewCoverage, reviewRecord, ReviewSource } from './records';
import { MOST_AT_ONCE } from './rules/decide';
import { ITEM_STATES, MARKS, REMEDIATION_STATES } from './rules/words';

const REVIEWS = '/api/v1/reviews';
const REVIEW = `${REVIEWS}/:reviewId` as const;

/** Reviews are about the people and the resources of all providers. */
const READS: Access = { scopes: ['read'], limitedKeys: 'never' };
const ADMINISTERS: Access = { scopes: ['admin'], limitedKeys: 'never' };

/** The letters of a reason at most. */
export const MOST_OF_REASON = 2_000;

const sentence = new Text('sentence', {
  most: MOST_OF_REASON,
  measure: 'characters',
  mayBeEmpty: false,
});
const onBehalfOf = {
  on_behalf_of:
    'The key of the person who decides. The key of the request only sends it; the chain names both.',
};
const person = new Text('key of a person', { ...requiredText.rule, most: 1024 });
const numbers = listOfAtMost(MOST_AT_ONCE, wholeNumber(1, 1_000_000));

/** A request to create a review. */
export const CreateReviewRequest = reviewRecord.request;
export type CreateReviewRequest = t.TypeOf<typeof CreateReviewRequest>;

export const OpenReviewRequest = struct(
  'open review request',
  { token: requiredText },
  {
    on_behalf_of: person,
    acknowledged: listOfAtMost(
      1_000,
      struct(
        'acknowledged source',
        { data_source: requiredText, reason: sentence },
        {},
        {
          docs: {
            data_source: 'The id of the data source.',
            reason: 'Why the review opens nevertheless.',
          },
        },
      ),
    ),
  },
  {
    docs: {
      token: 'The token of the plan.',
      on_behalf_of:
        'The key of the person who opens it. Unset: the chain names only the key of the request.',
      acknowledged: 'Sources that are stale or have failed, each with a reason.',
    },
  },
);
export type OpenReviewRequest = t.TypeOf<typeof OpenReviewRequest>;

export const DecideRequest = struct(
  'decide request',
  {
    on_behalf_of: person,
    decision: enumeration('decision', ['keep', 'revoke']),
    items: listOfAtMost(
      MOST_AT_ONCE,
      struct(
        'item to decide about',
        { number: wholeNumber(1, 1_000_000), digest: requiredText },
        {},
        { docs: { number: 'Its number.', digest: 'Its digest: what the reviewer has seen.' } },
      ),
    ),
  },
  { reason: sentence },
  {
    docs: {
      ...onBehalfOf,
      decision: '`keep` or `revoke`.',
      items: 'The items; at most 20 of one entitlement to keep at once.',
      reason: "Why. A revoke needs one, and a keep of what is privileged, new or nobody's.",
    },
  },
);
export type DecideRequest = t.TypeOf<typeof DecideRequest>;

export const ReassignRequest = struct(
  'reassign request',
  { on_behalf_of: person, to: person, items: numbers, reason: sentence },
  {},
  {
    docs: {
      ...onBehalfOf,
      to: 'The key of the person who reviews them instead.',
      items: 'The numbers of pending items.',
      reason: 'Why.',
    },
  },
);
export type ReassignRequest = t.TypeOf<typeof ReassignRequest>;

export const ExceptRequest = struct(
  'except request',
  { on_behalf_of: person, items: numbers, until: time, reason: sentence },
  {},
  {
    docs: {
      on_behalf_of:
        'The key of the person who makes the exception: somebody who did not review the items.',
      items: 'The numbers of revoked items whose access is left.',
      until: 'Until when the exception holds: a year at most.',
      reason: 'Why.',
    },
  },
);
export type ExceptRequest = t.TypeOf<typeof ExceptRequest>;

export const SendRequest = struct(
  'send request',
  { items: numbers },
  { token: requiredText, on_behalf_of: person },
  {
    docs: {
      items: 'The numbers of revoked items whose fact exists.',
      token:
        'What the answer without a token said. Unset: nothing is sent, and the answer says what would be.',
      on_behalf_of:
        'The key of the person who sends it. Unset: the chain names only the key of the request.',
    },
  },
);
export type SendRequest = t.TypeOf<typeof SendRequest>;

export const CloseRequest = struct(
  'close request',
  { on_behalf_of: person, attestation: sentence },
  {},
  {
    docs: {
      on_behalf_of: 'The key of the owner of the review.',
      attestation: 'What the owner attests.',
    },
  },
);
export type CloseRequest = t.TypeOf<typeof CloseRequest>;

export const CancelRequest = struct(
  'cancel request',
  { reason: sentence },
  { on_behalf_of: person },
  {
    docs: {
      reason: 'Why.',
      on_behalf_of:
        'The key of the person who cancels it. Unset: the chain names only the key of the request. A draft has no chain.',
    },
  },
);
export type CancelRequest = t.TypeOf<typeof CancelRequest>;

export const AppointRequest = struct(
  'appoint request',
  { reason: sentence },
  { owner: person, fallback: person },
  {
    docs: {
      owner: 'The key of the person who owns the review from now on.',
      fallback: 'The key of the person who reviews what nobody else may review from now on.',
      reason: 'Why.',
    },
  },
);
export type AppointRequest = t.TypeOf<typeof AppointRequest>;

const states = {
  pending: has(count, 'Items that nobody has decided.'),
  keep: has(count, 'Items that somebody kept.'),
  revoke: has(count, 'Items that somebody revoked.'),
  gone: has(count, 'Items whose fact ended before somebody decided.'),
  carried: has(count, 'Items that were carried over from the review before.'),
  excepted: has(count, 'Items that nobody decided in time.'),
};

const ReviewNumbers = exact('numbers of a review', {
  items: has(count, 'All items: the sum of the others.'),
  ...states,
});

const ReviewAnswer = exact('review with its numbers', {
  review: has(reviewRecord.answer, 'The review.'),
  numbers: has(
    nullable(ReviewNumbers),
    'How many items are in each state; null before it is opened.',
  ),
  remediation: has(
    nullable(
      exact('numbers of the remediation', {
        open: has(count, 'Revokes whose access is not yet gone.'),
        confirmed: has(count, 'Revokes that a push confirmed.'),
        excepted: has(count, 'Revokes for which somebody made an exception.'),
        came_back: has(count, 'Revokes whose fact came back.'),
      }),
    ),
    'How far the revokes are; null before it is opened.',
  ),
});
export type ReviewAnswer = t.TypeOf<typeof ReviewAnswer>;

const ReviewValue = valueOf('review with its numbers', ReviewAnswer);
export type ReviewValue = t.TypeOf<typeof ReviewValue>;
const ReviewPage = countedPageOf('page of reviews', reviewRecord.answer);

const Person = exact('person of a review', {
  alias: has(anyText, 'By what the records of the review name the person.'),
  name: has(textOrNull, 'Their name; null after they were erased.'),
});

const PlanAnswer = exact('plan of a review', {
  token: has(anyText, 'What `:open` must send. It differs if anything below has changed.'),
  at: has(time, 'The instant of the plan.'),
  items: has(count, 'How many items the review would have.'),
  carried: has(count, 'How many of them are carried over.'),
  marks: has(mapOf('numbers of marks', count), 'How many items have each mark, by the marks.'),
  changes_nothing: has(count, 'How many facts give only what their holder has in another way too.'),
  reviewers: has(
    list(
      exact('reviewer of a plan', {
        reviewer: has(anyText, 'The key of the person.'),
        name: has(anyText, 'Their name.'),
        items: has(count, 'How many items they would decide.'),
        minutes: has(count, 'How many minutes that would need, at six items a minute.'),
      }),
    ),
    'Who would review how much, the most first; at most 1,000.',
  ),
  avoided: has(
    count,
    'How many items somebody else reviews, because the first choice would have reviewed themselves.',
  ),
  without_reviewer: has(count, 'How many items nobody may review. They stop the opening.'),
  without_reviewer_first: has(list(anyText), 'The first 100 of them, in words.'),
  sources: has(
    list(ReviewSource),
    'The sources. Stale and failed ones stop the opening until they are acknowledged.',
  ),
  coverage: has(ReviewCoverage, 'What of the access in scope the items cover.'),
});
export type PlanAnswer = t.TypeOf<typeof PlanAnswer>;
const PlanValue = valueOf('planned review', PlanAnswer);

/** What reviewers see of an item. */
export const ItemShown = exact('what an item shows', {
  holder: has(
    exact('holder of an item', {
      key: has(anyText, 'Its key.'),
      label: has(anyText, 'Its label.'),
      name: has(anyText, 'Its name.'),
      application: has(textOrNull, 'Its application.'),
    }),
    'The account, group or other node that holds it.',
  ),
  holds: has(anyText, 'What is held, in words.'),
  permissions: has(list(anyText), 'The names of the permissions that it gives; the first 100.'),
  permissions_total: has(count, 'How many they are.'),
  resources: has(count, 'On how many resources and applications it gives something.'),
  people: has(count, 'How many humans have it by this fact.'),
  changes_nothing: has(flag, 'Whether the holder has all of it in another way too.'),
  also: has(list(anyText), 'Through what else.'),
  since: has(nullable(time), 'Since when the fact exists.'),
  since_push: has(textOrNull, 'The push that brought it.'),
  why_reviewer: has(textOrNull, 'What makes the reviewer one.'),
  instead_of: has(list(anyText), 'Aliases of those who would have reviewed themselves.'),
});

const ItemAnswer = exact('item of a review', {
  number: has(count, 'Its number.'),
  state: has(enumeration('state of an item', ITEM_STATES), 'Its state.'),
  reviewer: has(nullable(Person), 'Who decides.'),
  holder: has(nullable(Person), 'The human who holds it; null if no human certainly does.'),
  shown: has(nullable(ItemShown), 'What reviewers see; null if an erasure removed it.'),
  marks: has(list(enumeration('mark', MARKS)), 'What is remarkable.'),
  needs_reason: has(flag, 'Whether a keep needs a reason, and is a decision of its own.'),
  digest: has(anyText, 'A digest of all that never changes. A decision names it.'),
  decided_by: has(nullable(Person), 'Who decided last.'),
  decided_at: has(nullable(time), 'When that was.'),
  reason: has(textOrNull, 'Their reason.'),
  remediation: has(
    nullable(
      exact('remediation of an item', {
        state: has(enumeration('state of a remediation', REMEDIATION_STATES), 'How far it is.'),
        is_overdue: has(flag, 'Whether the review is past its due date, and the access is left.'),
        ordered_at: has(nullable(time), 'When it was ordered.'),
        changed_at: has(nullable(time), 'When its state changed.'),
        push: has(textOrNull, 'The push that confirmed it, or brought the fact back.'),
        through: has(list(anyText), 'Through what the access is left.'),
        excepted_by: has(nullable(Person), 'Who made an exception.'),
        excepted_until: has(nullable(time), 'Until when.'),
        reason: has(textOrNull, 'Why.'),
        sent: has(
          nullable(
            exact('revoke that was sent', {
              at: has(nullable(time), 'When.'),
              by: has(nullable(Person), 'By whom; null if the request named nobody.'),
              to: has(anyText, 'To which application, in words of the service.'),
              answer: has(
                textOrNull,
                'What became of it, in words of the service; null before. It proves nothing.',
              ),
              answered_at: has(nullable(time), 'When the service stored that.'),
            }),
          ),
          'What was sent last to the application; null: nothing.',
        ),
      }),
    ),
    'What must follow a revoke.',
  ),
});
export type ItemAnswer = t.TypeOf<typeof ItemAnswer>;

const ItemPage = pageOf('page of items of a review', ItemAnswer);
const ItemList = exact('decided items', { values: has(list(ItemAnswer), 'The items.') });
const RemindedValue = exact('reminded reviewers', {
  values: has(
    list(
      exact('reminded reviewer', {
        alias: has(anyText, 'The alias.'),
        name: has(textOrNull, 'Their name.'),
        pending: has(count, 'How many items are pending.'),
      }),
    ),
    'Those who have pending items.',
  ),
});

const SendingValue = exact('what is sent of revokes', {
  sent: has(flag, 'Whether it was sent. Else nothing happened.'),
  token: has(textOrNull, 'What a request must name to send it; null if nothing would be sent.'),
  values: has(
    list(
      exact('what is sent of a revoke', {
        item: has(count, 'The number of the item.'),
        goes_out: has(flag, 'Whether a request goes out. Else somebody does it by hand.'),
        what: has(anyText, 'Which account leaves which group, in words; empty if nobody knows.'),
        why: has(textOrNull, 'Why nothing goes out; null if something does.'),
      }),
    ),
    'The items.',
  ),
});
export type Sending = t.TypeOf<typeof SendingValue>;

const VerifiedValue = exact('verified review', {
  verified: has(flag, 'Whether nothing was found.'),
  checked: has(list(anyText), 'What was compared, in words.'),
  findings: has(list(anyText), 'What differs, in words; at most 1,000.'),
  erased: has(count, 'Texts that an erasure has changed: their digests cannot be compared.'),
});
export type Verified = t.TypeOf<typeof VerifiedValue>;

/** The colours of applications, the best first. */
export const COLOURS = ['green', 'yellow', 'red'] as const;

const ReviewedApplication = exact('reviewed application', {
  id: has(anyText, 'The key of the application.'),
  name: has(anyText, 'Its name.'),
  data_source: has(anyText, 'The id of its data source.'),
  source: has(anyText, 'The name of that.'),
  provider: has(anyText, 'The name of its provider.'),
  status: has(
    enumeration('colour', COLOURS),
    '`red`: never reviewed, or due. `yellow`: due within 30 days, or something of the last review is left (`why`). Else `green`.',
  ),
  why: has(list(anyText), 'Why it is not green, in words.'),
  last_reviewed: has(
    nullable(time),
    'The instant of the newest closed review of all access to it.',
  ),
  next_due: has(
    nullable(time),
    'When it is due again: after the cadence of that review, or a year.',
  ),
  review: has(textOrNull, 'The id of that review.'),
  open_review: has(textOrNull, 'The id of an open review of all access to it.'),
  partly_reviewed: has(
    nullable(time),
    'The instant of the newest closed review of some access to it: one with a filter of roles, groups, people or marks.',
  ),
  owner: has(nullable(Person), 'The owner of the open review, or else of the newest closed one.'),
});
export type ReviewedApplication = t.TypeOf<typeof ReviewedApplication>;
const ReviewedApplicationPage = countedPageOf('page of reviewed applications', ReviewedApplication);

/** Fields by which reviewed applications may be ordered. */
export const APPLICATION_ORDERS = [
  'name',
  'provider',
  'status',
  'last_reviewed',
  'next_due',
] as const;

/** Parameters of a list that may be filtered, and ordered by some fields. */
const listParameters = (what: string, orders: readonly string[]) =>
  struct(
    `the query of ${what}`,
    {},
    {
      filter: oneText,
      order_by: orderText(orders),
      page_size: countText,
      page_token: oneText,
    },
  );

const ApplicationsParameters = listParameters('reviewed applications', APPLICATION_ORDERS);

/** Fields by which reviews may be ordered. */
export const REVIEW_ORDERS = ['name', 'state', 'created_at', 'due'] as const;

const ReviewsParameters = listParameters('reviews', REVIEW_ORDERS);

const ItemParameters = struct(
  'the query of items of a review',
  {},
  {
    state: choices('states of items', ITEM_STATES),
    mark: choices('marks', MARKS),
    reviewer: oneText,
    page_size: countText,
    page_token: oneText,
  },
);

/** The endpoints of reviews, without their handlers. */
export const endpoints = {
  create: {
    method: 'post',
    path: REVIEWS,
    access: ADMINISTERS,
    summary: 'Creates a draft of a review of access.',
    more: 'reviews#for-owners',
    query: NoParameters,
    body: [CreateReviewRequest],
    bodyBounds: LISTING_BODY,
    answer: ReviewValue,
  },
  list: {
    method: 'get',
    path: REVIEWS,
    access: READS,
    summary: 'Lists reviews of access.',
    more: 'reviews#for-owners',
    query: ReviewsParameters,
    answer: ReviewPage,
  },
  applications: {
    method: 'get',
    path: `${REVIEWS}\\:applications`,
    access: READS,
    summary: 'Lists the applications: when each was reviewed, and when it is due again.',
    more: 'reviews#every-quarter',
    query: ApplicationsParameters,
    answer: ReviewedApplicationPage,
  },
  read: {
    method: 'get',
    path: REVIEW,
    access: READS,
    summary: 'Reads a review, with its numbers.',
    more: 'reviews#for-owners',
    query: NoParameters,
    answer: ReviewValue,
  },
  plan: {
    method: 'post',
    path: `${REVIEW}\\:plan`,
    access: ADMINISTERS,
    summary: 'Plans a review: its items, reviewers, sources and coverage if it were opened now.',
    more: 'reviews#for-owners',
    query: NoParameters,
    answer: PlanValue,
  },
  open: {
    method: 'post',
    path: `${REVIEW}\\:open`,
    access: ADMINISTERS,
    summary: 'Opens a review as its plan said.',
    more: 'reviews#for-owners',
    query: NoParameters,
    body: [OpenReviewRequest],
    answer: ReviewValue,
  },
  items: {
    method: 'get',
    path: `${REVIEW}/items`,
    access: READS,
    summary: 'Lists the items of a review.',
    more: 'reviews#for-reviewers',
    query: ItemParameters,
    answer: ItemPage,
  },
  decide: {
    method: 'post',
    path: `${REVIEW}\\:decide`,
    access: ADMINISTERS,
    summary: 'Keeps or revokes items, on behalf of their reviewer.',
    more: 'reviews#for-reviewers',
    query: NoParameters,
    body: [DecideRequest],
    answer: ItemList,
  },
  reassign: {
    method: 'post',
    path: `${REVIEW}\\:reassign`,
    access: ADMINISTERS,
    summary: 'Gives pending items to another reviewer.',
    more: 'reviews#for-owners',
    query: NoParameters,
    body: [ReassignRequest],
    answer: ItemList,
  },
  remind: {
    method: 'post',
    path: `${REVIEW}\\:remind`,
    access: ADMINISTERS,
    summary: 'Reports an event for each reviewer who has pending items.',
    more: 'reviews#for-owners',
    query: NoParameters,
    answer: RemindedValue,
  },
  except: {
    method: 'post',
    path: `${REVIEW}\\:except`,
    access: ADMINISTERS,
    summary: 'Makes an exception of revokes whose access is left.',
    more: 'reviews#after-a-revoke',
    query: NoParameters,
    body: [ExceptRequest],
    answer: ItemList,
  },
  send: {
    method: 'post',
    path: `${REVIEW}\\:send`,
    access: ADMINISTERS,
    summary: 'Removes over SCIM what a closed review revoked, or says what would be sent.',
    more: 'reviews#sending-revokes-over-scim',
    query: NoParameters,
    body: [SendRequest],
    answer: SendingValue,
  },
  close: {
    method: 'post',
    path: `${REVIEW}\\:close`,
    access: ADMINISTERS,
    summary: 'Closes a review: its owner attests it.',
    more: 'reviews#for-owners',
    query: NoParameters,
    body: [CloseRequest],
    answer: ReviewValue,
  },
  cancel: {
    method: 'post',
    path: `${REVIEW}\\:cancel`,
    access: ADMINISTERS,
    summary: 'Cancels a draft or an open review.',
    more: 'reviews#for-owners',
    query: NoParameters,
    body: [CancelRequest],
    answer: ReviewValue,
  },
  appoint: {
    method: 'post',
    path: `${REVIEW}\\:appoint`,
    access: ADMINISTERS,
    summary: 'Names another owner or fallback of a draft or an open review.',
    more: 'reviews#for-owners',
    query: NoParameters,
    body: [AppointRequest],
    answer: ReviewValue,
  },
  evidence: {
    method: 'get',
    path: `${REVIEW}/evidence`,
    access: READS,
    summary: 'The evidence of a review, as a zip file.',
    more: 'reviews#for-auditors',
    query: NoParameters,
    answer: { mediaTypes: ['application/zip'] },
  },
  verify: {
    method: 'post',
    path: `${REVIEW}\\:verify`,
    access: ADMINISTERS,
    summary: 'Compares a review with its digests, and its population with the history.',
    more: 'reviews#for-auditors',
    query: NoParameters,
    answer: VerifiedValue,
  },
} as const satisfies Endpoints;
