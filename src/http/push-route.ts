import { Router, type Request, type Response } from 'express';
import * as E from 'fp-ts/Either';
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

/** What a push did, not wrapped in `value` (api.md 2). */
const pushAnswer = ({ push, at, outcome, warnings, put, removed, digest }: PushResult): object => ({
  warnings,
  push_id: push,
  at,
  unchanged: outcome === 'unchanged',
  put,
  removed,
  digest,
});

const logPush = (log: Log, source: PushTarget, requestId: string) => {
  const fields = {
    request_id: requestId,
    provider_id: source.provider.id,
    data_source_id: source.dataSource.id,
  };
  return {
    done: ({ push, outcome, warnings, put, removed, seconds }: PushResult): void =>
      log.info(`push ${outcome}`, {
        ...fields,
        push_id: push,
        put,
        removed,
        warnings: warnings.length,
        seconds,
      }),
    failed: (failure: Failure): void => {
      const isOurs = failure._tag === 'Unavailable' || failure._tag === 'Internal';
      log.info(isOurs ? 'push failed' : 'push refused', {
        ...fields,
        reason: failure._tag,
        problems: failure._tag === 'Invalid' ? failure.total : undefined,
      });
    },
  };
};

// Looked at again under the data source's lock; here no large body is taken in for nothing.
const notDeleting = ({ provider, dataSource }: PushTarget): E.Either<Failure, undefined> =>
  provider.state === 'DELETING' || dataSource.status === 'DELETING'
    ? E.left({ _tag: 'Conflict', message: 'The data source is being deleted.' })
    : E.right(undefined);

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
