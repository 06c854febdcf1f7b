import type { Context } from '../../../context';
import { NONE } from '../../../access/access-graph';
import { parseInstant } from '../../../model/instant';
import { FailedStep } from '../../../neo4j/failure';
import type { Failure } from '../../../problem';
import type { Review } from '../records';
import { nodeInWords } from '../rules/in-words';
import { accessAt, viewOf } from '../stored/people';
import type { Runner } from '../../../neo4j/transaction';
import { findReview, readReview } from '../stored/store';
import { read } from '../stored/transactions';

/** What the evidence of a review calls what it names by keys. */
export interface Named {
  readonly review: Review;
  /** What a key was called at the instant of the review, or the key if nobody knows. */
  readonly nameOf: (key: string) => string;
  /** Why it has keys in place of names; null if the service knew the names. */
  readonly whyKeys: string | null;
  /** The review before, in words; empty if there is none. */
  readonly before: string;
}

const keysIn = ({ scope, owner, fallback }: Review): readonly string[] => [
  ...scope.applications,
  ...scope.resources,
  ...scope.roles,
  ...scope.groups,
  ...scope.people,
  owner,
  fallback,
];

/** A failure in one sentence. */
const sentenceOf = (failure: Failure): string =>
  (failure._tag === 'Invalid' ? failure.problems[0]?.message : undefined) ?? failure.message;

const namesAt = async (
  context: Context,
  review: Review,
): Promise<Omit<Named, 'review' | 'before'>> => {
  const at = parseInstant(review.at ?? '');
  const names = new Map<string, string>();
  let whyKeys: string | null = null;
  try {
    const { graph, moment, clock } = viewOf(await accessAt(context, at), at);
    for (const key of keysIn(review)) {
      const node = graph.find(key);
      if (node === NONE || !graph.exists(node, moment)) continue;
      const about = graph.summary(node, moment, clock);
      names.set(key, nodeInWords({ ...about, name: about.path ?? about.name }));
    }
  } catch (error) {
    // The history may no longer reach back to the review: then its keys must do.
    if (!(error instanceof FailedStep)) throw error;
    whyKeys = sentenceOf(error.failure);
  }
  return { nameOf: (key) => names.get(key) ?? key, whyKeys };
};

const beforeOf = async (tx: Runner, { before }: Review): Promise<string> => {
  if (before === null) return '';
  const found = await findReview(tx, before);
  return `${found?.review.name ?? 'a review that was removed since'} (${before})`;
};

/** Reads what the evidence of a review calls what it names by keys. */
export const namedOf = async (context: Context, id: string): Promise<Named> => {
  const { review, before } = await read(context, async (tx) => {
    const stored = await readReview(tx, id);
    return { review: stored.review, before: await beforeOf(tx, stored.review) };
  });
  const { nameOf, whyKeys } = await namesAt(context, review);
  return { review, nameOf, whyKeys, before };
};
