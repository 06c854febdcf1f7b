import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { toFailure } from '../../../../neo4j/failure';
import { reviewsWithReturned } from '../../../reviews/reading/contract';
import type { Finding, FindFindings } from '../../overview/finding';
import { overseerOf } from '../overseeing';
import { progressAddress, REMEDIATION } from '../words';

/** Only who is privileged, and nobody's, weighs more. */
const RANK = 0.5;

/** The revoked accesses that came back, by review, for those who see all reviews. */
export const accessThatCameBack: FindFindings = (context, reader) =>
  overseerOf(reader).seesReviews
    ? pipe(
        TE.tryCatch(() => reviewsWithReturned(context), toFailure),
        TE.map((found) =>
          found.map(({ id, name, count }): Finding => {
            const href = progressAddress(id);
            return {
              rank: RANK,
              count,
              words: `revoked ${count === 1 ? 'access' : 'accesses'} came back`,
              names: [],
              application: null,
              place: { name, href },
              href: `${href}#${REMEDIATION}`,
            };
          }),
        ),
      )
    : TE.right([]);
