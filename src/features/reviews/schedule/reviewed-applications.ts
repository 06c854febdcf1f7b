import { setImmediate as nextTurn } from 'node:timers/promises';

import type { TaskEither } from 'fp-ts/TaskEither';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { grouped } from '../../../model/grouped';
import { type Instant, nanosOf, parseInstant, present } from '../../../model/instant';
import { toFailure } from '../../../neo4j/failure';
import type { Runner } from '../../../neo4j/transaction';
import type { Failure } from '../../../problem';
import { readPeople } from '../answers';
import { COLOURS, type ReviewedApplication } from '../endpoints';
import { dueAgain } from '../rules/cadence';
import { hasFilter } from '../rules/scope';
import { readRemediation } from '../seal';
import {
  FIND_ANY_REVIEW,
  FIND_SILENCE,
  NEWEST_REVIEWS_OF,
  READ_APPLICATION,
  READ_APPLICATIONS,
} from '../stored/statements';
import { listReviews, type Stored, type StoredReview, textIn, toReview } from '../stored/store';
import { readToAct } from '../stored/transactions';

/** How many applications one turn looks at. */
const ROWS_AT_ONCE = 1_000;
/** An application is yellow for so many days before its review is due again. */
const SOON_NANOS = 30n * 86_400_000_000_000n;

/** What reviews say about an application. */
interface Reviews {
  /** The newest closed review of all access to it. */
  last: StoredReview | null;
  /** The newest open review of all access to it. */
  open: StoredReview | null;
  /** The newest closed review of some access to it. */
  partly: StoredReview | null;
}

const nanosIn = ({ review }: StoredReview): bigint => {
  const at = parseInstant(review.at ?? '');
  return at === null ? 0n : nanosOf(at);
};

const newer = (one: StoredReview | null, other: StoredReview): StoredReview =>
  one !== null && nanosIn(one) > nanosIn(other) ? one : other;

const add = (reviews: Reviews, stored: StoredReview): void => {
  const { state, scope } = stored.review;
  const isPartial = hasFilter(scope);
  if (state === 'open' && !isPartial) reviews.open = newer(reviews.open, stored);
  if (state !== 'closed') return;
  if (isPartial) reviews.partly = newer(reviews.partly, stored);
  else reviews.last = newer(reviews.last, stored);
};

/** Reviews by the keys of the applications that they name, and those of all applications. */
const byApplication = (all: readonly StoredReview[]) => {
  const named = grouped(
    all.flatMap((stored) =>
      [...new Set(stored.review.scope.applications)].map((key) => ({ key, stored })),
    ),
    ({ key }) => key,
  );
  const general = all.filter(
    ({ review: { scope } }) => scope.applications.length + scope.resources.length === 0,
  );
  // Those of all applications are compared once, however many applications there are.
  const ofAll: Reviews = { last: null, open: null, partly: null };
  for (const stored of general) add(ofAll, stored);
  return (key: string): Reviews => {
    const found = { ...ofAll };
    for (const { stored } of named.get(key) ?? []) add(found, stored);
    return found;
  };
};

/** What a closed review still lacks. */
interface Left {
  readonly isOpen: boolean;
  readonly hasReturned: boolean;
  /** Whether nobody decided about some of its items in time. */
  readonly isSilent: boolean;
}

const NOTHING_LEFT: Left = { isOpen: false, hasReturned: false, isSilent: false };

/** The rule of the colours (docs/rules.md: Access reviews). */
const colourOf = (
  due: Instant | null,
  left: Left,
  now: Instant,
): Pick<ReviewedApplication, 'status' | 'why'> => {
  if (due === null) return { status: 'red', why: ['nobody has reviewed all access to it'] };
  if (nanosOf(due) <= nanosOf(now)) return { status: 'red', why: ['the next review is due'] };
  const why = [
    ...(nanosOf(due) - nanosOf(now) <= SOON_NANOS ? ['the next review is due within 30 days'] : []),
    ...(left.isOpen ? ['revokes of the last review are not confirmed'] : []),
    ...(left.hasReturned ? ['access that the last review revoked came back'] : []),
    ...(left.isSilent ? ['nobody decided about some items of the last review in time'] : []),
  ];
  return { status: why.length === 0 ? 'green' : 'yellow', why };
};

/** Calls a function once for each review. */
const onceEach = <A>(
  work: (stored: StoredReview) => Promise<A>,
): ((stored: StoredReview) => Promise<A>) => {
  const known = new Map<string, Promise<A>>();
  return (stored) => {
    const found = known.get(stored.review.id) ?? work(stored);
    known.set(stored.review.id, found);
    return found;
  };
};

const applicationsIn = async (
  tx: Runner,
  now: Instant,
  reviews: readonly StoredReview[],
  only: string | null = null,
): Promise<readonly ReviewedApplication[]> => {
  const reviewsOf = byApplication(reviews);
  const leftOf = onceEach(async ({ review, run }): Promise<Left> => {
    const { open, came_back } = await readRemediation(tx, review.id);
    const silent = await tx.run(FIND_SILENCE, { run });
    return { isOpen: open > 0, hasReturned: came_back > 0, isSilent: silent.records.length > 0 };
  });
  const ownerOf = onceEach(async ({ run, ownerAlias: alias }) => {
    const person = (await readPeople(tx, run, [alias])).get(alias);
    return { alias, name: person === undefined ? null : textIn(person, 'name') };
  });
  const { records } = await (only === null
    ? tx.run<Record<Named, string>>(READ_APPLICATIONS)
    : tx.run<Record<Named, string>>(READ_APPLICATION, { id: only }));
  const found: ReviewedApplication[] = [];
  for (const [place, record] of records.entries()) {
    // Others are answered meanwhile, however many applications there are.
    if (place % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn();
    const { id, name, data_source, source, provider, since } = record.toObject();
    const begun = parseInstant(since);
    // What came after a review is not reviewed by it.
    const knows = (of: StoredReview | null): StoredReview | null =>
      of !== null && begun !== null && nanosIn(of) >= nanosOf(begun) ? of : null;
    const reviewed = reviewsOf(id);
    const [last, open] = [knows(reviewed.last), knows(reviewed.open)];
    const partly = knows(reviewed.partly);
    const at = parseInstant(last?.review.at ?? '');
    const due = at === null ? null : dueAgain(at, last?.review.cadence ?? null);
    const left = last === null ? NOTHING_LEFT : await leftOf(last);
    const owned = open ?? last;
    found.push({
      id,
      name,
      data_source,
      source,
      provider,
      ...colourOf(due, left, now),
      last_reviewed: last?.review.at ?? null,
      next_due: due?.utc ?? null,
      review: last?.review.id ?? null,
      open_review: open?.review.id ?? null,
      partly_reviewed: partly?.review.at ?? null,
      owner: owned === null ? null : await ownerOf(owned),
    });
  }
  return found;
};

type Named = 'id' | 'name' | 'data_source' | 'source' | 'provider' | 'since';

/** When each application was reviewed last, and when it is due again. */
export const reviewedApplications = (context: Context): Promise<readonly ReviewedApplication[]> =>
  readToAct(context, async (tx) => applicationsIn(tx, present(), await listReviews(tx)));

/** The newest reviews of an application, of each kind: as many, however many reviews there are. */
const newestOf = async (tx: Runner, application: string): Promise<readonly StoredReview[]> => {
  const { records } = await tx.run<{ review: Stored }>(NEWEST_REVIEWS_OF, {
    applications: [[application, '']],
  });
  return records.map((record) => toReview(record.get('review')));
};

/** When an application was reviewed last; `null` if there are no reviews at all. */
export const reviewedApplication = (
  context: Context,
  id: string,
): TaskEither<Failure, ReviewedApplication | null> =>
  TE.tryCatch(
    () =>
      readToAct(context, async (tx) => {
        if ((await tx.run(FIND_ANY_REVIEW)).records.length === 0) return null;
        return (await applicationsIn(tx, present(), await newestOf(tx, id), id))[0] ?? null;
      }),
    toFailure,
  );

/**
 * Of each data source the application that needs a review most, by the id of the source; `null` if
 * there are no reviews at all.
 */
export const reviewedSources = (
  context: Context,
): TaskEither<Failure, ReadonlyMap<string, ReviewedApplication> | null> =>
  TE.tryCatch(
    () =>
      readToAct(context, async (tx) => {
        const reviews = await listReviews(tx);
        if (reviews.length === 0) return null;
        const worst = new Map<string, ReviewedApplication>();
        for (const application of await applicationsIn(tx, present(), reviews)) {
          const { data_source, status } = application;
          const known = worst.get(data_source);
          if (known === undefined || COLOURS.indexOf(known.status) < COLOURS.indexOf(status)) {
            worst.set(data_source, application);
          }
        }
        return worst;
      }),
    toFailure,
  );
