import type { Context } from '../../../context';
import type { Runner } from '../../../neo4j/transaction';
import { isPast, readPeople } from '../answers';
import { numbersOf } from '../rules/decide';
import type { View } from '../rules/facts';
import { readRemediation } from '../seal';
import { type NamedPerson, personIfAny } from '../stored/people';
import { COUNT_PENDING, UNFINISHED_REVIEWS } from '../stored/statements';
import {
  headOf,
  readNumbers,
  type Stored,
  type StoredReview,
  textIn,
  toReview,
} from '../stored/store';
import { read } from '../stored/transactions';
import type { Digest, Owning, Reviewing } from './digest';

/** Somebody for whom something waits. */
export interface Recipient extends Digest {
  /** Unset if they are inactive, or nobody is certainly them. */
  readonly person: NamedPerson | null;
  /** The keys by which reviews name them. No push changes these. */
  readonly keys: ReadonlySet<string>;
}

interface Waiting extends Pick<Recipient, 'person'> {
  readonly keys: Set<string>;
  readonly reviewing: Reviewing[];
  readonly owning: Owning[];
}

/** How many items of an open review wait for each of its people, by the keys of their nodes. */
const pendingIn = async (
  tx: Runner,
  { run, review }: StoredReview,
): Promise<ReadonlyMap<string, number>> => {
  if (review.state !== 'open') return new Map();
  const { records } = await tx.run<{ reviewer: string; number: unknown }>(COUNT_PENDING, { run });
  const numbers = new Map(
    records.map((each) => [each.get('reviewer'), Number(each.get('number'))]),
  );
  const people = await readPeople(tx, run, numbers.keys());
  return new Map(
    [...numbers].flatMap(([alias, number]) => {
      const key = textIn(people.get(alias) ?? {}, 'person');
      return key === '' ? [] : [[key, number] as const];
    }),
  );
};

/** What waits in a review, and how far its chain is: all of one moment. */
const waitingIn = (context: Context, stored: StoredReview) =>
  read(context, async (tx) => ({
    pending: await pendingIn(tx, stored),
    // Of a closed review a mail says only how far its revokes are.
    numbers: stored.review.state === 'open' ? await readNumbers(tx, stored.run) : numbersOf({}),
    remediation: await readRemediation(tx, stored.review.id),
  }));

/**
 * For whom something waits: reviewers with pending items, and the owners of reviews that are open, or
 * closed and not remediated.
 */
export const recipientsOf = async (context: Context, view: View): Promise<readonly Recipient[]> => {
  const followed = await read(context, async (tx) =>
    (await tx.run<{ review: Stored }>(UNFINISHED_REVIEWS)).records
      .map((record) => toReview(record.get('review')))
      .filter(({ run }) => run !== ''),
  );
  const all = new Map<string, Waiting>();
  const waitingFor = (key: string): Waiting => {
    const person = personIfAny(view, key);
    const id = person === null ? key : view.graph.key(person.human);
    const waiting = all.get(id) ?? { person, keys: new Set<string>(), reviewing: [], owning: [] };
    waiting.keys.add(key);
    all.set(id, waiting);
    return waiting;
  };
  for (const stored of followed) {
    const { review } = stored;
    const { pending, numbers, remediation } = await waitingIn(context, stored);
    const head = { review: review.id, entries: review.entries ?? 0, hash: headOf(stored) };
    const about = { review, head, isPast: isPast(review) };
    waitingFor(review.owner).owning.push({ ...about, numbers, remediation });
    for (const [key, number] of pending) {
      waitingFor(key).reviewing.push({ ...about, pending: number });
    }
  }
  const byDue = (a: Reviewing | Owning, b: Reviewing | Owning): number =>
    Date.parse(a.review.due) - Date.parse(b.review.due);
  for (const { reviewing, owning } of all.values()) {
    reviewing.sort(byDue);
    owning.sort(byDue);
  }
  return [...all.values()];
};
