import type { Context } from '../../../context';
import { REVIEWS_WITH_RETURNED } from '../stored/statements';
import { read } from '../stored/transactions';

/** A review, and how many facts that it revoked came back. */
export interface ReviewWithReturned {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

/** The reviews of which revoked facts came back, those with the most first. */
export const reviewsWithReturned = async (
  context: Context,
): Promise<readonly ReviewWithReturned[]> =>
  read(context, async (tx) => {
    const { records } = await tx.run<{ id: string; name: string; count: unknown }>(
      REVIEWS_WITH_RETURNED,
    );
    return records.map((record) => ({ ...record.toObject(), count: Number(record.get('count')) }));
  });
