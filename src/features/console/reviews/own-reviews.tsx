import * as TE from 'fp-ts/TaskEither';
import { pipe } from 'fp-ts/function';
import type { JSX } from 'preact';

import { NoParameters } from '../../../contract/parameters/query-parameters';
import { toFailure } from '../../../neo4j/failure';
import {
  allReviews,
  type OwnReview,
  ownReviews,
  type Review,
} from '../../reviews/reading/contract';
import { page, type Reader } from '../frame/page';
import { Answer } from '../parts/answer';
import { counted } from '../parts/counted';
import { Name } from '../parts/name';
import { Time } from '../parts/time';
import { numberHead, Table } from '../tables/table';
import { overseerOf } from './overseeing';
import { Progress } from './progress';
import { NEW_REVIEW, progressAddress, reviewAddress, REVIEWS } from './words';

/** How many reviews the page lists. */
const MOST_LISTED = 200;

const OwnTable = ({ of }: { readonly of: readonly OwnReview[] }): JSX.Element => (
  <Table caption="Reviews in which you decide" columns={['Review', 'To decide', 'Decided', 'Due']}>
    {of.map(({ review, numbers }) => (
      <tr key={review.id}>
        <th scope="row">
          <a href={reviewAddress(review.id)}>
            <Name>{review.name}</Name>
          </a>
        </th>
        <td data-name="To decide">
          {numbers.pending === 0 ? (
            <span class="quiet">nothing</span>
          ) : (
            <b>{counted(numbers.pending, 'item')}</b>
          )}
        </td>
        <td data-name="Decided">
          <Progress of={numbers} />
        </td>
        <td data-name="Due">
          <Time of={review.due} />
        </td>
      </tr>
    ))}
  </Table>
);

/** How many items the reader has to decide, in all open reviews. */
const ToDecide = ({ of }: { readonly of: readonly OwnReview[] }): JSX.Element => {
  const open = of.filter(({ numbers }) => numbers.pending > 0);
  const items = open.reduce((sum, { numbers }) => sum + numbers.pending, 0);
  if (items === 0) return <>You have decided about all your items.</>;
  return (
    <>
      You have <b>{counted(items, 'item')}</b> to decide
      {open.length === 1 ? '' : ` in ${open.length} reviews`}.
    </>
  );
};

const ReviewTable = ({
  of,
  caption,
}: {
  readonly of: readonly Review[];
  readonly caption: string;
}): JSX.Element => (
  <Table
    caption={caption}
    columns={['Review', 'State', numberHead('Items'), 'Due', 'Closed', 'Second seal']}
  >
    {of.slice(0, MOST_LISTED).map((review) => (
      <tr key={review.id}>
        <th scope="row">
          <a href={progressAddress(review.id)}>
            <Name>{review.name}</Name>
          </a>
        </th>
        <td data-name="State">{review.state}</td>
        <td data-name="Items" class="number">
          {review.items?.toLocaleString('en') ?? ''}
        </td>
        <td data-name="Due">
          <Time of={review.due} />
        </td>
        <td data-name="Closed">
          <Time of={review.closed_at} />
        </td>
        <td data-name="Second seal">
          <Time of={review.remediated_at} />
        </td>
      </tr>
    ))}
  </Table>
);

/** Reviews that the reader owns, or all of them if their role shows them. */
const Overseen = ({
  owned,
  all,
  reader,
}: {
  readonly owned: readonly Review[];
  readonly all: readonly Review[] | null;
  readonly reader: Reader;
}): JSX.Element | null => {
  const listed = all ?? owned;
  if (listed.length === 0 && !reader.administers) return null;
  const title = all === null ? 'Reviews that you own' : 'All reviews';
  return (
    <section aria-labelledby="overseen">
      <h2 id="overseen">{title}</h2>
      {listed.length === 0 ? <p role="status">There are none.</p> : null}
      {listed.length === 0 ? null : <ReviewTable of={listed} caption={title} />}
      {listed.length > MOST_LISTED ? (
        <p class="hint">
          These are the newest {MOST_LISTED} of {listed.length}.
        </p>
      ) : null}
      {reader.administers ? (
        <p class="further">
          <a href={NEW_REVIEW}>Create a review</a>
        </p>
      ) : null}
    </section>
  );
};

/** The reviews in which the reader decides. Everybody who has signed in may open it. */
export const ownReviewsPage = page({
  path: REVIEWS,
  summary: 'The open reviews in which the person who has signed in decides about items.',
  link: { name: 'Reviews', key: 'r' },
  readers: 'everybody',
  query: NoParameters,
  show: ({ context, reader }) =>
    pipe(
      TE.tryCatch(
        async () => ({
          found: await ownReviews(context, reader.person),
          all: overseerOf(reader).seesReviews ? await allReviews(context) : null,
        }),
        toFailure,
      ),
      TE.map(({ found, all }) => ({
        title: 'My reviews',
        body: (
          <>
            <h1>My reviews</h1>
            {found === null ? (
              <p role="status">
                No active person in the graph is certainly you, so nobody can ask you to review
                anything. An administrator can say which identity provider names you.
              </p>
            ) : found.reviewing.length === 0 ? (
              <p role="status">No open review has an item for you.</p>
            ) : (
              <>
                <Answer more="Say for each item whether it is still needed. Nobody decides about themselves.">
                  <ToDecide of={found.reviewing} />
                </Answer>
                <OwnTable of={found.reviewing} />
              </>
            )}
            <Overseen owned={found?.owned ?? []} {...{ all, reader }} />
          </>
        ),
      })),
    ),
});
