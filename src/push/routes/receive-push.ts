import type { Request, Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { SentEnvelope } from '../receive/sent-push';
import type { PushTarget } from '../receive/push-intent';
import { actOf } from '../../web/admission/caller';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { receiveBody } from '../../web/bodies/receive-body';
import { secondsSinceStart } from '../../web/exchange/request-id';

/** Receives a push as bytes. A later step decodes its envelope (docs/rules.md: Requests). */
export const receivePush = (
  source: PushTarget,
  req: Request,
  res: Response,
  limitBytes: number,
): TE.TaskEither<Failure, Omit<SentEnvelope, 'holds'>> =>
  pipe(
    receiveBody(req, res, limitBytes),
    TE.map((body) => ({
      source,
      body,
      encoding: req.headers['content-encoding'],
      ...actOf(res),
      confirmedRemoval: confirmedRemoval(req),
      seconds: { read: secondsSinceStart(res) },
    })),
  );
