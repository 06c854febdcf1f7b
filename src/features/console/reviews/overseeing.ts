import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { toFailure } from '../../../neo4j/failure';
import type { Failure } from '../../../problem';
import { mayOversee, type Overseer, type Review } from '../../reviews/reading/contract';
import type { Reader, Request } from '../frame/page';

/** The reader of a page about reviews: auditors and administrators see all, others those that they own. */
export const overseerOf = ({
  person,
  seesEvents,
}: Pick<Reader, 'person' | 'seesEvents'>): Overseer => ({
  person,
  seesReviews: seesEvents,
});

/** The name of a reader in the turns to read or plan a review. */
export const turnOf = ({ person, role }: Reader): string => `page of ${person ?? role ?? ''}`;

/** Whether a reader may act on a review. */
export const mayActOn = ({ administers }: Reader, isOwner: boolean): boolean =>
  administers || isOwner;

/** The review on which a reader acts. Who neither administers nor owns it is refused. */
export const actedOn = (
  { context, id, reader }: Pick<Request<unknown>, 'context' | 'id' | 'reader'>,
  refusal: string,
): TE.TaskEither<Failure, Review> =>
  pipe(
    TE.tryCatch(() => mayOversee(context, id, overseerOf(reader)), toFailure),
    TE.filterOrElse(
      ({ isOwner }) => mayActOn(reader, isOwner),
      (): Failure => ({ _tag: 'PermissionDenied', message: refusal }),
    ),
    TE.map(({ review }) => review),
  );
