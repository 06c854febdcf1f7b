import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { NoParameters } from '../../../contract/parameters/query-parameters';
import type { Context } from '../../../context';
import { present } from '../../../model/instant';
import { toFailure } from '../../../neo4j/failure';
import { callerOf } from '../../../web/admission/caller';
import { keyOf } from '../../../web/admission/turns';
import { Sent } from '../../../web/exchange/answer-stream';
import { tellExport } from '../../../web/exchange/tell-export';
import { takesNone } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { evidenceOf, inWholeTurn, mayOversee, verifyReview } from '../../reviews/reading/contract';
import { page as routeOfPage } from '../../sign-in/contract';
import { page } from '../frame/page';
import { readerOf } from '../frame/reader';
import { counted } from '../parts/counted';
import { Name } from '../parts/name';
import { overseerOf, turnOf } from './overseeing';
import { ReviewCrumbs } from './review-crumbs';
import { evidenceFileName, progressAddress, REVIEWS } from './words';

/** Compares a review with its digests and the history, and shows what differs. */
export const verifiedPage = page({
  path: `${REVIEWS}/:id/verified`,
  summary: 'What a verification of a review finds.',
  readers: 'everybody',
  query: NoParameters,
  show: ({ context, id, reader }) =>
    pipe(
      TE.tryCatch(() => mayOversee(context, id, overseerOf(reader)), toFailure),
      TE.flatMap(({ review }) =>
        pipe(
          inWholeTurn(context, turnOf(reader), () => verifyReview(context, id)),
          TE.map(({ verified, checked, findings, erased }) => ({
            title: `Verification of ${review.name}`,
            body: (
              <>
                <ReviewCrumbs />
                <h1>
                  Verification of <Name>{review.name}</Name>
                </h1>
                <p class={verified ? 'note' : 'note danger'} role="status">
                  {verified
                    ? 'Nothing differs.'
                    : `${counted(findings.length, 'thing')} differ: somebody changed the review, or the history no longer has what it is about.`}
                </p>
                {findings.length === 0 ? null : (
                  <ul>
                    {findings.slice(0, 100).map((each, at) => (
                      <li key={at}>
                        <Name>{each}</Name>
                      </li>
                    ))}
                  </ul>
                )}
                <h2>What was compared</h2>
                <ul>
                  {checked.map((each) => (
                    <li key={each}>
                      <Name>{each}</Name>
                    </li>
                  ))}
                </ul>
                {erased === 0 ? null : (
                  <p>
                    {counted(erased, 'text')} changed by erasures cannot be compared. Compare this
                    number with the erasures that you know.
                  </p>
                )}
                <p>
                  <a href={progressAddress(id)}>To the review</a>
                </p>
              </>
            ),
          })),
        ),
      ),
    ),
});

/** The evidence of a review as a file, for its owner, administrators and auditors. */
export const evidenceRoute = ({ handle }: Pick<Web, 'handle'>, context: Context): Route => ({
  ...routeOfPage({
    path: `${REVIEWS}/:id/evidence`,
    people: 'signed in',
    summary: 'The evidence of a review, as a zip file.',
    more: 'reviews#for-auditors',
    query: NoParameters,
    mediaTypes: ['application/zip'],
    handler: handle((req, res) => {
      const id = String(req.params.id);
      return pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() =>
          TE.tryCatch(() => mayOversee(context, id, overseerOf(readerOf(res))), toFailure),
        ),
        TE.bind('zip', () =>
          inWholeTurn(context, keyOf(callerOf(res)), () => evidenceOf(context, id)),
        ),
        TE.tap(() =>
          tellExport(res, {
            what: 'evidence of a review',
            inWords: 'The evidence of a review',
            format: 'zip',
            parameters: { review: id },
          }),
        ),
        TE.map(({ review, zip }) => {
          const name = evidenceFileName(review.name, present().utc.slice(0, 10));
          res.type('application/zip').attachment(name).send(zip);
          return new Sent();
        }),
      );
    }),
  }),
  idsMayHoldColons: true,
});
