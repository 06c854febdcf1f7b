import { randomUUID } from 'node:crypto';

import type { Context } from '../../../context';
import { writeEvent } from '../../../graph/records/event-record';
import { type Instant, nanosOf, parseInstant, present } from '../../../model/instant';
import type { Runner } from '../../../neo4j/transaction';
import { type Review, REVIEW_SETTINGS } from '../records';
import { dueAgain, nextDue } from '../rules/cadence';
import { CREATE_REVIEW, SCHEDULED_REVIEWS } from '../stored/statements';
import {
  listReviews,
  lockReview,
  readReview,
  reviewProperties,
  setReview,
  type Stored,
  toReview,
} from '../stored/store';
import { readToAct, write } from '../stored/transactions';
import { events, reviewEvent } from '../events';

/** Whether a closed review is due again. */
const isDue = ({ state, at, cadence }: Review, now: Instant): boolean => {
  const instant = parseInstant(at ?? '');
  if (state !== 'closed' || cadence === null || instant === null) return false;
  return nanosOf(dueAgain(instant, cadence)) <= nanosOf(now);
};

/** Everything that a request says of a review. */
const settingsOf = (review: Review): Partial<Review> =>
  Object.fromEntries(REVIEW_SETTINGS.map(({ name }) => [name, review[name]]));

/** Creates the draft that follows a review, unless somebody else has; in one transaction. */
const createNext = async (tx: Runner, id: string, now: Instant): Promise<void> => {
  const { review, next } = await lockReview(tx, id);
  if (next !== '' || !isDue(review, now)) return;
  const follows = (await listReviews(tx)).find(
    ({ review: { before, state, cadence } }) =>
      before === id && state !== 'cancelled' && cadence !== null,
  );
  if (follows !== undefined) {
    await setReview(tx, id, reviewProperties({}, { next: follows.review.id }));
    return;
  }
  const [opened, due] = [parseInstant(review.at ?? ''), parseInstant(review.due)];
  const nextId = randomUUID();
  const draft: Partial<Review> = {
    ...settingsOf(review),
    id: nextId,
    state: 'draft',
    created_at: now.utc,
    before: id,
    due: nextDue(now, opened ?? now, due ?? now).utc,
  };
  await tx.run(CREATE_REVIEW, { id: nextId, properties: reviewProperties(draft) });
  await setReview(tx, id, reviewProperties({}, { next: nextId }));
  const created = await readReview(tx, nextId);
  await writeEvent(
    tx,
    reviewEvent(
      created.review,
      { at: now.utc },
      {
        severity: 'INFO',
        name: 'Review due again',
        event_type: events.REVIEW_DUE_AGAIN,
        message: `The review ${JSON.stringify(review.name)} is due again: a draft waits for its owner to open it.`,
        metadata: { before: id, due: created.review.due },
      },
    ),
  );
};

/** Creates the draft of each review that is due again. */
export const repeatReviews = async (context: Context): Promise<void> => {
  const { records } = await readToAct(context, (tx) =>
    tx.run<{ review: Stored }>(SCHEDULED_REVIEWS),
  );
  for (const record of records) {
    const { review } = toReview(record.get('review'));
    if (!isDue(review, present())) continue;
    await write(context, (tx) => createNext(tx, review.id, present()));
  }
};
