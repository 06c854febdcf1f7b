import neo4j from 'neo4j-driver';

import type { Context } from '../../../context';
import { writeEvent } from '../../../graph/records/event-record';
import { LOCK_BINDING } from '../../../graph/statements/data-source-statements';
import { type Instant, present } from '../../../model/instant';
import { runTransaction, type Runner } from '../../../neo4j/transaction';
import { events, reviewEvent } from '../events';
import { holdReview, listReviews } from '../stored/store';
import { read } from '../stored/transactions';
import { oldReviews } from './old-reviews';
import {
  FORGET_REMOVED,
  IS_NEEDED,
  REMOVE_PARTS,
  REMOVE_REVIEW,
  REMOVED_REVIEWS,
} from './statements';

const REMOVED_AT_ONCE = 2_000;
/** Who reads all of a review, or backs up the graph, may hold it for minutes. Then a later round removes it. */
const PATIENCE = { mode: 'write', timeoutSeconds: 10 } as const;

/** No backup may hold one part of a removal and not the other, so these steps wait for its end. */
const outsideBackups = (tx: Runner): Promise<unknown> => tx.run(LOCK_BINDING, { push: 'reviews' });

/**
 * Removes a review, unless somebody has begun to need it. From then on nobody sees it; what it left is
 * removed in steps, also by another process.
 */
const removeReview = (
  { graph }: Context,
  id: string,
  days: number,
  now: Instant,
): Promise<unknown> =>
  runTransaction(graph, PATIENCE, async (tx) => {
    const stored = await holdReview(tx, id);
    if (stored === null) return;
    const [found] = (await tx.run<{ is_needed: boolean }>(IS_NEEDED, { id, now: now.utc })).records;
    if (found?.get('is_needed') !== false) return;
    await outsideBackups(tx);
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

/** Removes what a population, or with an id a removed review, left. */
export const removeParts = async (
  { graph }: Context,
  of: { readonly run: string; readonly id: string },
  isStopping: () => boolean,
  atOnce = REMOVED_AT_ONCE,
): Promise<boolean> => {
  while (!isStopping()) {
    const { records } = await runTransaction(graph, PATIENCE, (tx) =>
      tx.run<{ removed: unknown }>(REMOVE_PARTS, { ...of, most: neo4j.int(atOnce) }),
    );
    if (Number(records[0]?.get('removed') ?? 0) === 0) return true;
  }
  return false;
};

/** Ends removals that have begun: those of a process that was killed too. */
const endRemovals = async (context: Context, isStopping: () => boolean): Promise<void> => {
  const begun = await read(context, async (tx) =>
    (await tx.run<{ id: string; run: string }>(REMOVED_REVIEWS)).records.map((record) =>
      record.toObject(),
    ),
  );
  for (const each of begun) {
    if (!(await removeParts(context, each, isStopping))) return;
    await runTransaction(context.graph, PATIENCE, async (tx) => {
      await outsideBackups(tx);
      await tx.run(FORGET_REMOVED, { id: each.id });
    });
  }
};

/** A round of the background: removes reviews that ended long ago, if `KEEP_REVIEWS_DAYS` says so. */
export const removeOldReviews =
  (context: Context, days: number | undefined) =>
  async (isStopping: () => boolean): Promise<void> => {
    await endRemovals(context, isStopping);
    if (days === undefined) return;
    const now = present();
    const all = (await read(context, listReviews)).map(({ review }) => review);
    for (const id of oldReviews(all, days, now)) {
      if (isStopping()) return;
      await removeReview(context, id, days, now);
      await endRemovals(context, isStopping);
    }
  };
