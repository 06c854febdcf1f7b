import type { Request, Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { SomePartsRequest } from '../parts/multipart-upload';
import type { PushTarget } from '../receive/push-intent';
import { addressedDataSource } from '../../web/exchange/addressed';
import type { JsonText } from '../../web/bodies/json-text';
import { actOf } from '../../web/admission/caller';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { receiveBody } from '../../web/bodies/receive-body';
import { requestIdOf, secondsSinceStart } from '../../web/exchange/request-id';
import { logPush, notDeleting, pushAnswer } from './push-answer';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { pushLineOf } from '../contract';
import { plannedMemoryOf } from '../../memory/memory-at-hand';
import { endpoints, type PartsAnswer } from '../endpoints';

/**
 * Takes multipart uploads: the start, each part, and the end. The answer to the end is that of a
 * push (docs/rules.md: Multipart uploads).
 */
export const partsRoute = ({ log, handle }: Web, context: Context): Route => {
  const line = pushLineOf(context);
  const start = (source: PushTarget): TE.TaskEither<Failure, PartsAnswer> =>
    pipe(
      line.startUpload(source),
      TE.map((upload_id) => ({ upload_id })),
    );

  const complete = (
    source: PushTarget,
    { upload, count }: Extract<SomePartsRequest, { readonly operation: 'complete' }>,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, PartsAnswer | JsonText<PartsAnswer>> => {
    const requestId = requestIdOf(res);
    const { done, failed } = logPush(log, source, requestId);
    return pipe(
      line.completeUpload({
        source,
        upload,
        count,
        ...actOf(res),
        confirmedRemoval: confirmedRemoval(req),
        seconds: { read: secondsSinceStart(res) },
      }),
      TE.tapIO((result) => () => done(result)),
      TE.tapError((failure) => TE.fromIO(() => failed(failure))),
      TE.map(pushAnswer),
    );
  };

  const operate = (
    source: PushTarget,
    request: SomePartsRequest,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, PartsAnswer | JsonText<PartsAnswer>> => {
    switch (request.operation) {
      case 'start':
        return start(source);
      case 'upload':
        return line.takePart(source, request.part, actOf(res).by);
      case 'complete':
        return complete(source, request, req, res);
    }
  };

  return route({
    ...endpoints.pushParts,
    handler: handle((req: Request, res: Response) =>
      pipe(
        // As for a push, 404 comes before 400, and the service receives no large body in vain
        // (docs/rules.md: Requests).
        addressedDataSource(providersOf(context), req),
        TE.tapEither(notDeleting),
        TE.flatMap((source) =>
          pipe(
            receiveBody(req, res, plannedMemoryOf(context).sizes.bodyBytes),
            TE.flatMap((body) =>
              line.readParts({ body, encoding: req.headers['content-encoding'] }),
            ),
            TE.flatMap((request) => operate(source, request, req, res)),
          ),
        ),
      ),
    ),
  });
};
