import type { Request, Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { CompleteUploadRequest, PartsOperation, UploadPartRequest } from '../../contract/envelopes';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import type { PushTarget, UseCases } from '../../service/use-cases';
import { addressedDataSource } from '../exchange/addressed';
import { bodyReader, readJson } from '../exchange/body';
import { decodeJson } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import { requestIdOf, secondsSinceStart } from '../exchange/request-id';
import { confirmedRemoval, logPush, notDeleting, pushAnswer } from './push-answer';
import type { Route } from '../routing/route';

/** What the endpoint of parts works with. */
export interface PartsRouteDeps {
  readonly log: Log;
  readonly handle: Handle;
  readonly useCases: Pick<
    UseCases,
    'findDataSource' | 'startUpload' | 'takePart' | 'completeUpload'
  >;
  readonly limits: { readonly bodyBytes: number };
}

/** Takes payloads that come in parts: start, each part, complete, which answers as a push does (api.md 2). */
export const partsRoute = ({ log, handle, useCases, limits }: PartsRouteDeps): Route => {
  const read = bodyReader(limits.bodyBytes);

  const start = (source: PushTarget): TE.TaskEither<Failure, object> =>
    pipe(
      useCases.startUpload(source),
      TE.map((upload_id) => ({ upload_id })),
    );

  const upload = (source: PushTarget, json: unknown): TE.TaskEither<Failure, object> =>
    pipe(
      TE.fromEither(decodeJson(UploadPartRequest, json)),
      TE.flatMap(({ upload_id, sequence_number, data }) =>
        pipe(
          useCases.takePart(source, { upload: upload_id, number: sequence_number, base64: data }),
          TE.map(() => ({ upload_id, sequence_number })),
        ),
      ),
    );

  const complete = (
    source: PushTarget,
    json: unknown,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, object> => {
    const requestId = requestIdOf(res);
    const { done, failed } = logPush(log, source, requestId);
    return pipe(
      TE.fromEither(decodeJson(CompleteUploadRequest, json)),
      TE.flatMap(({ upload_id, sequence_count }) =>
        useCases.completeUpload({
          source,
          upload: upload_id,
          count: sequence_count,
          requestId,
          confirmedRemoval: confirmedRemoval(req),
          seconds: { read: secondsSinceStart(res) },
        }),
      ),
      TE.tapIO((result) => () => done(result)),
      TE.tapError((failure) => TE.fromIO(() => failed(failure))),
      TE.map(pushAnswer),
    );
  };

  const operate = (source: PushTarget, json: unknown, req: Request, res: Response) =>
    pipe(
      TE.fromEither(decodeJson(PartsOperation, json)),
      TE.flatMap(({ operation }): TE.TaskEither<Failure, object> => {
        switch (operation) {
          case 'start':
            return start(source);
          case 'upload':
            return upload(source, json);
          case 'complete':
            return complete(source, json, req, res);
        }
      }),
    );

  return {
    method: 'post',
    path: '/api/v1/providers/custom/:providerId/datasources/:dataSourceId\\:parts',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Pushes a payload in parts: see below.',
    answer: 'object',
    body: [PartsOperation, UploadPartRequest, CompleteUploadRequest],
    headers: ['Grantgraph-Confirm-Removal'],
    handler: handle((req: Request, res: Response) =>
      pipe(
        // As for a push: 404 comes before 400, and no large body is taken in for nothing (api.md 3).
        addressedDataSource(useCases, req),
        TE.tapEither(notDeleting),
        TE.flatMap((source) =>
          pipe(
            readJson(read, req, res),
            TE.flatMap((json) => operate(source, json, req, res)),
          ),
        ),
      ),
    ),
  };
};
