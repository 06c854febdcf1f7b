import type * as t from 'io-ts';

import { list, listOfAtMost, sequence, shapes } from '../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../codec/exact';
import { flag, number, wholeNumber } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, filterText, requiredText, Text, time } from '../../codec/text';
import { count } from '../../contract/answers/values';
import { AttributesRequest } from '../../contract/provisioning';
import { askedAs, group, made, needed, neededPart, optional } from '../../contract/records/field';
import { record, type WantedOf } from '../../contract/records/record';
import { asFlag, asJson, asNumber, asText, asTime, asWhole } from '../../contract/records/stored';
import * as table from '../../model/table';
import { leased } from '../lease';

/**
 * Each run queries the graph once for each selector, so their number is bounded. Somebody who needs
 * more can set several policies, or use groups of the directory.
 */
const MOST_SELECTORS = 50;
const MOST_DIRECTORIES = 50;
const MOST_GROUPS = 2_000;

const selectorDocs = {
  in: 'Ids or names of the data sources whose people it means; unset: the only one of identity providers, or the only one that has the group or department.',
  filter: 'A filter over users of identity providers, as the search accepts it.',
  group: 'A group by its id or name; members of groups within count.',
  department: 'The department of the person, or of their employee in an HR system that `in` names.',
};

/**
 * Selects people of some directories: by a filter, as members of a group, or by their department.
 */
export const SelectorRequest = struct(
  'selector of people',
  {},
  {
    in: listOfAtMost(MOST_DIRECTORIES, requiredText),
    filter: filterText('filter', 4096),
    group: new Text('group', { most: 4096, measure: 'bytes', mayBeEmpty: false }),
    department: requiredText,
  },
  {
    oneOf: { fields: ['filter', 'group', 'department'], missing: 'filter' },
    docs: selectorDocs,
  },
);
export type SelectorRequest = t.TypeOf<typeof SelectorRequest>;

/** A selector whose names are replaced by ids. */
const Selector = exact('selector of people', {
  in: has(list(anyText), 'Ids of the data sources whose people it means.'),
  filter: may(anyText, selectorDocs.filter),
  group: may(anyText, 'The id of a group of an identity provider.'),
  department: may(anyText, selectorDocs.department),
});
export type Selector = t.TypeOf<typeof Selector>;

const groupName = 'The name of the group in the application, or its id.';

const GroupRequest = struct(
  'group of a policy',
  { name: requiredText },
  { who: SelectorRequest },
  { docs: { name: groupName, who: 'Which of the people are in it; unset: all.' } },
);

const PolicyGroup = exact('group of a policy', {
  name: has(anyText, groupName),
  who: has(nullable(Selector), 'Which of the people are in it; null: all.'),
});

/**
 * A policy: who must have an account in the application of a provider (docs/provisioning.md:
 * Policies). Requests spell selectors and attributes in several ways, so rules read them.
 */
export const policyRecord = record({
  name: 'policy',
  label: 'LifecyclePolicy',
  holds: { of: 'provider', by: 'provider', days: null },
  doc: 'A policy: who must have an account in the application of a provider.',
  indexes: ['provider'],
  hidden: { provider: table.text('Id of the provider.', 'nobody') },
  fields: {
    id: made(anyText, 'Its id.', asText('nobody')),
    name: needed(requiredText, 'Its name, unique in the provider.', asText('called')),
    state: optional(
      enumeration('state of a policy', ['report_only', 'active', 'off']),
      '`report_only` only reports, `active` acts, `off` is not looked at.',
      'report_only',
      asText('nobody'),
    ),
    who: askedAs(
      listOfAtMost(MOST_SELECTORS, SelectorRequest),
      needed(
        list(Selector),
        'Who must have an account: everybody whom one of the selectors finds.',
        asJson('mention'),
      ),
    ),
    groups: askedAs(
      listOfAtMost(MOST_GROUPS, shapes('group', { text: requiredText, object: GroupRequest })),
      optional(
        list(PolicyGroup),
        'Groups of the application in which the people are; with `who`, those of them whom it finds.',
        [],
        asJson('mention'),
      ),
    ),
    attributes: askedAs(
      AttributesRequest,
      optional(
        mapOf('attributes', sequence(anyText)),
        'Attributes of accounts, in addition to those of the connection, or in place of them.',
        {},
        asJson('mention'),
      ),
    ),
    leavers: group('rule for leavers', 'What becomes of accounts of people who left.', {
      action: neededPart(
        enumeration('action on leavers', ['disable', 'delete', 'report']),
        '`disable`, `delete`, or `report` only.',
        'disable',
        asText('nobody'),
      ),
      after_days: optional(
        wholeNumber(0, 3650),
        'After how many days `delete` deletes; until then the account is disabled.',
        0,
        asNumber,
      ),
    }),
    guard: group('guard of a policy', 'How many accounts may come or go without a confirmation.', {
      share: optional(
        number,
        'The share of its accounts that may come or go at once, from 0 to 1 (no limit).',
        0.2,
        asNumber,
      ),
      number: optional(
        wholeNumber(0, 1_000_000),
        'How many of its accounts may come or go at once.',
        100,
        asNumber,
      ),
    }),
    drift: optional(
      enumeration('what becomes of drift', ['report', 'correct']),
      'Whether changes by hand in the application are only reported, or corrected (`correct`).',
      'report',
      asText('nobody'),
    ),
    adopt: optional(
      flag,
      'Whether it adopts accounts that already exist in the application.',
      false,
      asFlag,
    ),
    found: made(count, 'How many active people it found when it was set.', asWhole),
    since: made(time, 'When it was first set.', asTime),
    changed: made(time, 'When it was last set.', asTime),
  },
});

/** A request to set a policy. */
export const PolicyRequest = policyRecord.request;
export type PolicyRequest = t.TypeOf<typeof PolicyRequest>;

/** A policy as clients see it. */
export const Policy = policyRecord.answer;
export type Policy = t.TypeOf<typeof Policy>;

/** A policy as a request has it, or with the ids and keys that its names mean. */
export type WantedPolicy = WantedOf<typeof policyRecord.fields>;

/** What a version stores of an account (docs/provisioning.md: What they leave in the graph). */
const versioned = {
  policy: table.text('Id of the policy; empty for an account that calls by hand made.', 'nobody'),
  account: table.text('Id of the account in the application.', 'mention'),
  user_name: table.text('Its `userName`, as last written.', 'mention'),
  external_id: table.text('Its `externalId`, as last written.', 'mention'),
  groups: table.texts('Groups of the application in which the policies have put it.', 'mention'),
  is_adopted: table.flag('Whether it existed in the application before.'),
  state: table.text(
    '`ACTIVE`, `LEAVING` (to be reported), `DISABLED`, `DELETED` or `RELEASED`.',
    'nobody',
  ),
  left_at: table.time('When the person left.'),
  delete_at: table.time('When it will be deleted.'),
};

/** An account that a policy made or adopted (docs/provisioning.md: Policies). */
export const ManagedAccount = table.service('ManagedAccount', {
  holds: { of: 'provider', by: 'provider', days: null },
  doc: 'An account in an application that a policy made or adopted. `ACCOUNT_OF` leads to the person while they are in the graph.',
  properties: {
    provider: table.text('Id of the provider.', 'nobody'),
    person: table.text("Key of the person's node.", 'people'),
    ...versioned,
    digest: table.text(
      'SHA-256 of its attributes as last written, in hexadecimal; absent while a change has begun and not ended.',
      'nobody',
    ),
    former: table.texts(
      'Ids that the application gave it before, the newest first: an account that was ever known is never forgotten.',
      'mention',
    ),
    ignored: table.texts('Attributes that the application did not store.', 'nobody'),
    ignored_values: table.texts(
      'Digests of these attributes with the values that it did not store.',
      'nobody',
    ),
    unsure_groups: table.texts(
      'Groups that a change has begun for and not ended: it may be in them or not.',
      'mention',
    ),
    is_creating: table.flag('Whether it may have been created, and nobody has seen it yet.'),
    since: table.time('When a policy made or adopted it.'),
    changed: table.time('Since when it is in this state; absent if no policy ever wrote it.'),
    until: table.time('When it was deleted or released.'),
  },
  indexes: ['provider', 'person', 'policy'],
});

/** A version of an account that ended (docs/provisioning.md: What they leave in the graph). */
export const ManagedAccountVersion = table.past('ManagedAccountVersion', {
  holds: {
    of: 'provider',
    by: 'provider',
    days: { setting: 'historyDays', after: 'until' },
  },
  doc: 'A version of a ManagedAccount that ended: how the account was from `from` until `until`.',
  properties: {
    provider: table.text('Id of the provider.', 'nobody'),
    person: table.text("Key of the person's node.", 'people'),
    ...versioned,
    since: table.time('When a policy made or adopted the account.'),
    from: table.time('When this version began.'),
    until: table.time('When it ended.'),
  },
  indexes: ['person', 'provider', 'until'],
});

/** The properties of an account that a version stores. */
export const VERSIONED: readonly string[] = Object.keys(versioned);

/** One change in an application that policies or a review ask for (docs/provisioning.md: Actions). */
export const LifecycleAction = table.service('LifecycleAction', {
  holds: {
    of: 'provider',
    by: 'provider',
    days: {
      setting: 'pushDays',
      after: 'finished_at',
      where: "n.status IN ['DONE', 'DROPPED']",
    },
  },
  doc: 'A change in an application, recorded before and after it is made.',
  properties: {
    id: table.text('UUID.', 'nobody'),
    provider: table.text('Id of the provider.', 'nobody'),
    policy: table.text('Id of the policy; empty if a review ordered the action.', 'nobody'),
    review: table.text('Id of the review that ordered it; absent if a policy did.', 'nobody'),
    item: table.number('The number of the item of that review.'),
    kind: table.text('`ensure`, `disable`, `delete`, `add_members` or `remove_members`.', 'nobody'),
    people: table.texts("Keys of the people's nodes.", 'people'),
    account: table.text('Id of the account; empty if there are several or none.', 'mention'),
    group: table.text('The group, of changes of members.', 'mention'),
    wanted: table.text('Digest of the wanted state.', 'nobody'),
    why: table.text('Why.', 'mention'),
    status: table.text(
      '`PLANNED`, `DONE`, `FAILED` (will be tried again), `DEAD` or `DROPPED`.',
      'nobody',
    ),
    attempts: table.number('How often it was tried.'),
    outcome: table.text('What became of the account.', 'mention'),
    problem_code: table.text('Why the last try failed.', 'nobody'),
    problem: table.text('The same in a sentence.', 'mention'),
    planned_at: table.time('When it was planned.'),
    started_at: table.time('When the last try began.'),
    next_try: table.time('When it may be tried again.'),
    finished_at: table.time('When it was done, given up or dropped.'),
  },
  indexes: [['provider', 'status'], 'provider', 'status', 'policy'],
});

/** Which process reconciles a provider, and how far it has come (docs/architecture.md: Locks). */
export const LifecycleState = table.service('LifecycleState', {
  holds: { of: 'provider', by: 'key', days: null },
  doc: "Which process reconciles the application of a provider, and the result of the last run; its key is the provider's id.",
  properties: {
    ...leased,
    turn: table.number('Commit sequence up to which pushes are reconciled.'),
    asked: table.number('How often somebody requested a run.'),
    answered: table.number('How many of these a run has answered.'),
    run_at: table.time('When the last run was.'),
    full_run_at: table.time('When the application was last read completely.'),
    outcome: table.text(
      '`DONE`, `AWAITING_CONFIRMATION`, `POSTPONED`, `UNREAD` or `FAILED`.',
      'mention',
    ),
    problem: table.text('Why the last run failed.', 'mention'),
    failures: table.number('How many runs have failed in a row.'),
    retry_at: table.time('When a failed run may be tried again.'),
    waiting_token: table.text('What a confirmation must name.', 'nobody'),
    waiting_people: table.number('How many people would lose their accounts.'),
    waiting_joiners: table.number('How many people would get accounts.'),
    passed_at: table.time('When the run began whose plan the guard last let pass.'),
    confirmed_token: table.text('What somebody has confirmed.', 'nobody'),
    report_digest: table.text('What policies in report-only would do, as last reported.', 'nobody'),
    drift_digest: table.text('Drift as last reported.', 'nobody'),
    shows_members: table.flag('Whether the application has ever shown a member of a group.'),
    drift_count: table.number('How many differences the last reading of the application found.'),
  },
});
