import * as TE from 'fp-ts/TaskEither';
import { pipe } from 'fp-ts/function';
import type { JSX } from 'preact';

import { NoParameters } from '../../../contract/parameters/question-parameters';
import { toFailure } from '../../../neo4j/failure';
import { type OwnReview, ownReviews } from '../../reviews/reading/contract';
import { PATHS } from '../frame/address';
import { page } from '../frame/page';
import { counted } from '../parts/counted';
import { Name } from '../parts/name';
import { Time } from '../parts/time';
import { Table } from '../tables/table';
import { Progress } from './progress';
import { reviewAddress } from './words';

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

/** The reviews in which the reader decides. Everybody who has signed in may open it. */
export const ownReviewsPage = page({
  path: PATHS.reviews,
  summary: 'The open reviews in which the person who has signed in decides about items.',
  link: { name: 'Reviews', key: 'r' },
  readers: 'everybody',
  query: NoParameters,
  show: ({ context, reader }) =>
    pipe(
      TE.tryCatch(() => ownReviews(context, reader.person), toFailure),
      TE.map((found) => ({
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
                <p class="subtitle">
                  Say for each item whether it is still needed. Nobody decides about themselves.
                </p>
                <OwnTable of={found.reviewing} />
              </>
            )}
          </>
        ),
      })),
    ),
});
