import * as E from 'fp-ts/Either';

import type { Failure } from '../../../problem';
import { decodeJson } from '../../../web/bodies/decode-body';
import { CreateReviewRequest } from '../endpoints';
import { EMPTY_SCOPE, type Review, reviewRecord, type WantedReview } from '../records';

type Request = Parameters<typeof reviewRecord.wanted>[0];

/** A scope as a request says it: what it leaves out is empty. */
const scopeOf = (scope: Partial<Record<string, unknown>>): Review['scope'] => ({
  ...EMPTY_SCOPE,
  ...Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== null)),
});

/** What a request says of a new review, with what it leaves out. */
export const wantedReview = (request: Request): E.Either<Failure, WantedReview> =>
  reviewRecord.wanted(request, { scope: (scope) => E.right(scopeOf(scope)) });

/** The same of fields that nobody has checked. */
export const wantedOf = (fields: unknown): E.Either<Failure, WantedReview> =>
  E.flatMap(wantedReview)(decodeJson(CreateReviewRequest, fields));
