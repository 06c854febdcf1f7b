import { writeEvent } from '../../graph/records/event-record';
import type { Instant } from '../../model/instant';
import type { Runner } from '../../neo4j/transaction';
import { COUNT_REMEDIATION } from './stored/statements';
import { appendEntries, readReview, reviewProperties, setReview } from './stored/store';
import { events, reviewEvent } from './events';

/** How far the revokes of a review are. */
export interface RemediationNumbers {
  readonly open: number;
  readonly confirmed: number;
  readonly excepted: number;
  readonly came_back: number;
}

/** Counts the revokes of a review by their state. */
export const readRemediation = async (tx: Runner, id: string): Promise<RemediationNumbers> => {
  const { records } = await tx.run<{ state: string; number: unknown }>(COUNT_REMEDIATION, { id });
  const counts = new Map(records.map((each) => [each.get('state'), Number(each.get('number'))]));
  const of = (state: string): number => counts.get(state) ?? 0;
  return {
    open: of('ordered') + of('blocked'),
    confirmed: of('confirmed'),
    excepted: of('excepted'),
    came_back: of('came_back'),
  };
};

/** Whether each revoke was confirmed, or is an exception. */
export const isRemediated = async (tx: Runner, id: string): Promise<boolean> => {
  const { open, came_back } = await readRemediation(tx, id);
  return open === 0 && came_back === 0;
};

/** Sets the second seal of a closed review once each revoke was confirmed, or is an exception. */
export const sealRemediation = async (tx: Runner, id: string, at: Instant): Promise<void> => {
  const stored = await readReview(tx, id);
  const { review } = stored;
  if (review.state !== 'closed' || review.remediated_at !== null) return;
  if (!(await isRemediated(tx, id))) return;
  const sealed = await appendEntries(
    tx,
    stored,
    [{ act: 'remediated', item: 0, by: '', batch: 1, shown: '', detail: '', reason: '' }],
    at,
    null,
  );
  await setReview(tx, id, reviewProperties({ remediated_at: at.utc }));
  await writeEvent(
    tx,
    reviewEvent(
      review,
      { at: at.utc },
      {
        severity: 'INFO',
        name: 'Review remediated',
        event_type: events.REVIEW_REMEDIATED,
        message: `Each revoke of the review ${JSON.stringify(review.name)} is confirmed or excepted.`,
        metadata: { head: sealed.review.head },
      },
    ),
  );
};
