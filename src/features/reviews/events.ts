import { eventTypes } from '../../contract/answers/event-types';

/** Events about reviews. */
export const events = eventTypes({
  // Reviews are about the people and the resources of all providers.
  REVIEW_OPENED: 'nothing',
  REVIEW_DECIDED: 'nothing',
  REVIEW_REMINDED: 'nothing',
  REVIEW_CLOSED: 'nothing',
  REVIEW_DUE_AGAIN: 'nothing',
  REVIEW_APPOINTED: 'nothing',
  REVIEW_CANCELLED: 'nothing',
  REVIEW_REVOKES_SENT: 'nothing',
  REVIEW_REMEDIATED: 'nothing',
  REVIEW_ACCESS_RETURNED: 'nothing',
  REVIEW_MAIL_NOT_SENT: 'nothing',
});
