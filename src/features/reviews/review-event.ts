import { type Occasion, serviceEvent } from '../../graph/records/event';
import type { EventRecord } from '../../graph/records/event-record';
import type { Review } from './records';

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
