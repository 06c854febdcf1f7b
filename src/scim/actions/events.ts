import { eventTypes } from '../../contract/answers/event-types';

/** Events about actions on accounts in applications. */
export const events = eventTypes({
  // Accounts are made for the people of other providers.
  ACCOUNT_CREATED: 'nothing',
  ACCOUNT_ADOPTED: 'nothing',
  ACCOUNT_UPDATED: 'nothing',
  ACCOUNT_UNCHANGED: 'nothing',
  ACCOUNT_DISABLED: 'nothing',
  ACCOUNT_DELETED: 'nothing',
  MEMBER_ADDED: 'nothing',
  MEMBER_REMOVED: 'nothing',
  PROVISIONING_FAILED: 'nothing',
});
