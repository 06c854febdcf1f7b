import { eventTypes } from '../../contract/answers/event-types';
import { type Occasion, serviceEvent } from '../../graph/records/event';
import type { EventRecord } from '../../graph/records/event-record';
import type { Review } from './records';

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
  REVIEW_REMOVED: 'nothing',
  REVIEW_REVOKES_SENT: 'nothing',
  REVIEW_REMEDIATED: 'nothing',
  REVIEW_ACCESS_RETURNED: 'nothing',
  REVIEW_MAIL_NOT_SENT: 'nothing',
});

/** An event about a review. Keys that are limited to providers do not see it. */
export const reviewEvent = (
  { id, name }: Pick<Review, 'id' | 'name'>,
  occasion: Occasion | Pick<Occasion, 'at'>,
  text: Parameters<typeof serviceEvent>[1],
): EventRecord =>
  serviceEvent(occasion, {
    ...text,
    metadata: { review: id, review_name: name, ...text.metadata },
  });
