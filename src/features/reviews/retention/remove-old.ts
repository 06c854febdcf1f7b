import neo4j from 'neo4j-driver';

import type { Context } from '../../../context';
import { writeEvent } from '../../../graph/records/event-record';
import { type Instant, present } from '../../../model/instant';
import type { Runner } from '../../../neo4j/transaction';
import { events, reviewEvent } from '../events';
import { holdReview, listReviews } from '../stored/store';
import { read, write } from '../stored/transactions';
import { oldReviews } from './old-reviews';
import {
  FORGET_REMOVED,
  IS_NEEDED,
  REMOVE_PARTS,
  REMOVE_REVIEW,
  REMOVED_REVIEWS,
} from './statements';

const REMOVED_AT_ONCE = 2_000;
/** What a round goes by. Tests have other clocks, and more time. */
interface Removal {
  readonly context: Context;
  readonly now: () => Instant;
  /**
   * For how long a step waits for what another one holds. Who reads all of a review, or backs up the
   * graph, may hold it for minutes. Then a later round removes it.
   */
  readonly patienceSeconds: number;
}

const PATIENCE_SECONDS = 10;

/** One transaction of a removal. */
const step = <T>(
  { context, patienceSeconds }: Pick<Removal, 'context' | 'patienceSeconds'>,
  work: (tx: Runner) => Promise<T>,
): Promise<T> => write(context, work, { timeoutSeconds: patienceSeconds });

/**
 * Removes a review, unless somebody has begun to need it. From then on nobody sees it; what it left is
 * removed in steps, also by another process.
 */
const removeReview = (removal: Removal, id: string, days: number): Promise<unknown> =>
  step(removal, async (tx) => {
    const stored = await holdReview(tx, id);
    if (stored === null) return;
    const now = removal.now();
    const asked = { id, now: now.utc, days: neo4j.int(days) };
    const [found] = (await tx.run<{ is_needed: boolean }>(IS_NEEDED, asked)).records;
    if (found?.get('is_needed') !== false) return;
    const { review } = stored;
    const { state, digest, head, entries, items } = review;
    await tx.run(REMOVE_REVIEW, { id });
    const ended_at = review.remediated_at ?? review.cancelled_at;
    await writeEvent(
      tx,
      reviewEvent(
        review,
        { at: now.utc },
        {
          severity: 'INFO',
          name: 'Review removed',
          event_type: events.REVIEW_REMOVED,
          message: `The review ${JSON.stringify(review.name)} ended more than ${days} days ago, and was removed.`,
          metadata: { state, ended_at, digest, head, entries, items },
        },
      ),
    );
  });

/** Removes what a population, or with an id a removed review, left. Returns whether nothing is left. */
export const removeParts = async (
  context: Context,
  of: { readonly run: string; readonly id: string },
  isStopping: () => boolean,
  { atOnce = REMOVED_AT_ONCE, patienceSeconds = PATIENCE_SECONDS } = {},
): Promise<boolean> => {
  while (!isStopping()) {
    const { records } = await step({ context, patienceSeconds }, (tx) =>
      tx.run<{ removed: unknown }>(REMOVE_PARTS, { ...of, most: neo4j.int(atOnce) }),
    );
    if (Number(records[0]?.get('removed') ?? 0) === 0) return true;
  }
  return false;
};

/** Ends removals that have begun: those of a process that was killed too. */
const endRemovals = async (removal: Removal, isStopping: () => boolean): Promise<void> => {
  const { context } = removal;
  const begun = await read(context, async (tx) =>
    (await tx.run<{ id: string; run: string }>(REMOVED_REVIEWS)).records.map((record) =>
      record.toObject(),
    ),
  );
  for (const each of begun) {
    if (!(await removeParts(context, each, isStopping, removal))) return;
    await step(removal, (tx) => tx.run(FORGET_REMOVED, { id: each.id }));
  }
};

/**
 * A round of the background: removes reviews that ended long ago, if `KEEP_REVIEWS_DAYS` says so. If it
 * cannot remove one of them now, it removes the others, and fails at its end.
 */
export const removeOldReviews =
  (
    context: Context,
    days: number | undefined,
    { now = present, patienceSeconds = PATIENCE_SECONDS }: Partial<Omit<Removal, 'context'>> = {},
  ) =>
  async (isStopping: () => boolean): Promise<void> => {
    const removal: Removal = { context, now, patienceSeconds };
    await endRemovals(removal, isStopping);
    if (days === undefined) return;
    const all = (await read(context, listReviews)).map(({ review }) => review);
    const failures: unknown[] = [];
    for (const id of oldReviews(all, days, now())) {
      if (isStopping()) break;
      try {
        await removeReview(removal, id, days);
        await endRemovals(removal, isStopping);
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
