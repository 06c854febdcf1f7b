import { Router, type Request, type Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { PushEnvelope } from '../contract/envelopes';
import type { Log } from '../log';
import type { Failure } from '../problem';
import type { PushResult } from '../service/push-metadata';
import type { PushTarget, UseCases } from '../service/use-cases';
import { bodyReader } from './body';
import { decodeBody, sameId } from './decode-body';
import type { Handle } from './handle';
import { payloadText } from './payload-text';
import { logPush, notDeleting, pushAnswer } from './push-answer';
import { requestIdOf, secondsSinceStart } from './request-id';
import type { Respond } from './respond';

/** What the push endpoint works with. */
export interface PushRouteDeps {
  readonly log: Log;
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<UseCases, 'findDataSource' | 'pushMetadata'>;
  readonly limits: { readonly bodyBytes: number; readonly jsonBytes: number };
}

/** Takes pushes: the answer says that the payload is in the graph (spec: Push envelope; api.md 2). */
export const pushRoute = ({ log, handle, respond, useCases, limits }: PushRouteDeps): Router => {
  const router = Router();
  const read = bodyReader(limits.bodyBytes);

  const push = (
    source: PushTarget,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, PushResult> => {
    const { done, failed } = logPush(log, source, requestIdOf(res));
    return pipe(
      decodeBody(PushEnvelope, read, req, res),
      TE.tapEither(({ id }) => sameId('id', id, source.provider.id)),
      TE.tapEither((envelope) =>
        sameId('data_source_id', envelope.data_source_id, source.dataSource.id),
      ),
      TE.flatMap((envelope) => payloadText(envelope, limits.jsonBytes)),
      TE.flatMap((json) =>
        useCases.pushMetadata({
          source,
          json,
          requestId: requestIdOf(res),
          seconds: { read: secondsSinceStart(res) },
        }),
      ),
      TE.tapIO((result) => () => done(result)),
      TE.tapError((failure) => TE.fromIO(() => failed(failure))),
    );
  };

  router
    .route('/api/v1/providers/custom/:providerId/datasources/:dataSourceId\\:push')
    .post(
      handle((req, res) =>
        pipe(
          // Before the body is read: 404 comes before 400, and no large body is taken in for nothing (api.md 3).
          useCases.findDataSource(String(req.params.providerId), String(req.params.dataSourceId)),
          TE.tapEither(notDeleting),
          TE.flatMap((source) => push(source, req, res)),
          TE.map(pushAnswer),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'POST'));

  return router;
};
