import { list } from '../codec/collections';
import { struct } from '../codec/struct';
import { requiredText, Text } from '../codec/text';
import { choice, countText, flagText, oneText } from './parameters/query-parameters';

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
