import type * as t from 'io-ts';

import { list, listOfAtMost, shapes } from '../codec/collections';
import { flag, number, wholeNumber } from '../codec/scalars';
import { struct } from '../codec/struct';
import { enumeration, filterText, requiredText, Text } from '../codec/text';
import { choice, countText, flagText, oneText } from './parameters/query-parameters';
import { AttributesRequest } from './provisioning';

/** The states of a policy. */
export const POLICY_STATES = ['report_only', 'active', 'off'] as const;

/** What happens to the accounts of people who left. */
export const LEAVER_ACTIONS = ['disable', 'delete', 'report'] as const;

/** What happens to changes that somebody makes by hand in the application. */
export const DRIFT_RULES = ['report', 'correct'] as const;

/** What an action changes. */
export const ACTION_KINDS = [
  ...(['ensure', 'disable', 'delete', 'add_members', 'remove_members'] as const),
] as const;

/** How far an action has come. */
export const ACTION_STATUSES = ['PLANNED', 'DONE', 'FAILED', 'DEAD', 'DROPPED'] as const;

/** The result of a run. */
export const RUN_OUTCOMES = [
  ...(['DONE', 'AWAITING_CONFIRMATION', 'POSTPONED', 'UNREAD', 'FAILED'] as const),
] as const;

const long = (name: string): Text =>
  new Text(name, { most: 4096, measure: 'bytes', mayBeEmpty: false });

/**
 * Each run queries the graph once for each selector, so their number is bounded. Somebody who needs
 * more can set several policies, or use groups of the directory.
 */
const MOST_SELECTORS = 50;
const MOST_DIRECTORIES = 50;
const MOST_GROUPS = 2_000;

/**
 * Selects people of some directories: by a filter, as members of a group, or by their department.
 */
export const SelectorRequest = struct(
  'selector of people',
  {},
  {
    in: listOfAtMost(MOST_DIRECTORIES, requiredText),
    filter: filterText('filter', 4096),
    group: long('group'),
    department: requiredText,
  },
  {
    oneOf: { fields: ['filter', 'group', 'department'], missing: 'filter' },
    docs: {
      in: 'Ids or names of the data sources whose people it means; unset: the only one of identity providers, or the only one that has the group or department.',
      filter: 'A filter over users of identity providers, as the search accepts it.',
      group: 'A group by its id or name; members of groups within count.',
      department:
        'The department of the person, or of their employee in an HR system that `in` names.',
    },
  },
);
export type SelectorRequest = t.TypeOf<typeof SelectorRequest>;

const GroupRequest = struct(
  'group of a policy',
  { name: requiredText },
  { who: SelectorRequest },
  {
    docs: {
      name: 'The name of the group in the application, or its id.',
      who: 'Which of the people are in it; unset: all.',
    },
  },
);

const LeaversRequest = struct(
  'rule for leavers',
  { action: enumeration('action on leavers', LEAVER_ACTIONS) },
  { after_days: wholeNumber(0, 3650) },
  {
    docs: {
      action: '`disable`, `delete`, or `report` only.',
      after_days: 'After how many days `delete` deletes; until then the account is disabled.',
    },
  },
);

const GuardRequest = struct(
  'guard of a policy',
  {},
  { share: number, number: wholeNumber(0, 1_000_000) },
  {
    docs: {
      share: 'The share of its accounts that may come or go at once, from 0 to 1 (no limit).',
      number: 'How many of its accounts may come or go at once.',
    },
  },
);

/** A request to set a policy. */
export const PolicyRequest = struct(
  'policy',
  { name: requiredText, who: listOfAtMost(MOST_SELECTORS, SelectorRequest) },
  {
    state: enumeration('state of a policy', POLICY_STATES),
    groups: listOfAtMost(
      MOST_GROUPS,
      shapes('group', { text: requiredText, object: GroupRequest }),
    ),
    attributes: AttributesRequest,
    leavers: LeaversRequest,
    guard: GuardRequest,
    drift: enumeration('what becomes of drift', DRIFT_RULES),
    adopt: flag,
  },
  {
    docs: {
      name: 'Its name, unique in the provider.',
      who: 'Who must have an account: everybody whom one of the selectors finds.',
      state: '`report_only` (the default) changes nothing, `active` does, `off` is not looked at.',
      groups: 'Groups of the application in which the people are.',
      attributes:
        'Attributes of accounts, in addition to those of the connection, or in place of them.',
      leavers: 'What becomes of accounts of people who left; unset: they are disabled.',
      guard: 'How many accounts may come or go without a confirmation.',
      drift: 'Whether changes by hand in the application are corrected; unset: they are reported.',
      adopt: 'Whether it adopts accounts that already exist in the application.',
    },
  },
);
export type PolicyRequest = t.TypeOf<typeof PolicyRequest>;

/** A request to confirm a plan that the guard has stopped. */
export const ConfirmPlanRequest = struct(
  'confirmation of a plan',
  { token: requiredText },
  {},
  { docs: { token: 'The `confirmation.token` in the state of the policies.' } },
);

/** A request to try actions again. */
export const RetryActionsRequest = struct(
  'request to try actions again',
  {},
  { actions: list(requiredText) },
  { docs: { actions: 'Ids of actions; unset: all that are given up.' } },
);

/** A request to release the account that a policy manages for a person. */
export const ReleaseAccountRequest = struct(
  'request to release an account',
  {},
  {
    person: new Text('key of a person', { ...requiredText.rule, most: 1024 }),
    account: requiredText,
  },
  {
    oneOf: { fields: ['person', 'account'], missing: 'person' },
    docs: {
      person: 'The key of the person, who may be gone from the graph.',
      account: 'Or the id of the account in the application.',
    },
  },
);

/** Parameters of the list of actions. */
export const ActionsParameters = struct(
  'the query of actions',
  {},
  {
    status: choice('status', ACTION_STATUSES),
    policy: oneText,
    page_size: countText,
    page_token: oneText,
  },
);

/** Parameters of a run or plan. */
export const RunParameters = struct('the query of a run', {}, { full: flagText });
