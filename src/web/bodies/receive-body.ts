import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';

import { type Failure, invalid } from '../../problem';
import { bodyTooLarge } from './content-encoding';
import { Blocks } from './blocks';
import type { SentBody } from './sent-body';
import { NO_ROOM, type Place, placeOf } from './body-room';

type Body = SentBody['body'];

/** The failure if the client left: nobody reads it. */
export const LEFT = invalid('The client left before its body was complete.', {
  problems: [],
  total: 0,
});

/**
 * Receives the body of a request as it is sent, up to a size; it refuses a longer one as soon as it
 * exceeds that (docs/rules.md: Requests). It reads nothing before there is room for the body.
 */
export const receiveBody =
  (req: Request, res: Response, limitBytes: number): TE.TaskEither<Failure, Body> =>
  async () => {
    if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
      return E.left(bodyTooLarge(limitBytes));
    }
    const place = placeOf(res);
    if (!place.enter()) return E.left(NO_ROOM);
    return takeBody(req, place, limitBytes);
  };

const takeBody = (
  req: Request,
  place: Place,
  limitBytes: number,
): Promise<E.Either<Failure, Body>> =>
  new Promise((resolve) => {
    const blocks = new Blocks();
    const settle = (outcome: E.Either<Failure, Body>): void => {
      req.off('data', take).off('end', end).off('close', leave).off('error', leave);
      resolve(outcome);
    };
    function take(piece: Buffer): void {
      if (blocks.size + piece.length > limitBytes) settle(E.left(bodyTooLarge(limitBytes)));
      else if (!place.take(piece.length)) settle(E.left(NO_ROOM));
      else blocks.add(piece);
    }
    function end(): void {
      settle(E.right(blocks.end()));
    }
    function leave(): void {
      settle(E.left(LEFT));
    }
    if (req.destroyed) leave();
    else req.on('data', take).on('end', end).on('close', leave).on('error', leave);
  });
