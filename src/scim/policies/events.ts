import { eventTypes } from '../../contract/answers/event-types';

/** Events about policies, and about what they did. */
export const events = eventTypes({
  // Policies look at the people of all directories.
  MEMBERS_ADDED: 'nothing',
  MEMBERS_REMOVED: 'nothing',
  POLICY_SET: 'nothing',
  POLICY_REMOVED: 'nothing',
  POLICY_REPORT: 'nothing',
  POLICY_RUN_FAILED: 'nothing',
  POLICY_ACTION_DEAD: 'nothing',
  POLICY_ACTIONS_RETRIED: 'nothing',
  POLICY_ACCOUNT_RELEASED: 'nothing',
  PLAN_AWAITS_CONFIRMATION: 'nothing',
  PLAN_CONFIRMED: 'nothing',
  APPLICATION_DRIFTED: 'nothing',
});
