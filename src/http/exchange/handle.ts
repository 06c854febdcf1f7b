import type { Request, RequestHandler, Response } from 'express';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { keepPlace } from './body-room';
import type { JsonText } from './json-text';
import type { Respond } from './respond';
import type { RunningWork } from './running-work';

/** What an endpoint does with a request: the body of its answer, or why there is none. */
export type Work<A> = (req: Request, res: Response) => TaskEither<Failure, A | JsonText<A>>;

declare const ANSWER: unique symbol;

/** A handler that answers so. */
export interface Handler<A> extends RequestHandler {
  /** Is never there: it tells the compiler what the handler answers. */
  readonly [ANSWER]?: A;
}

/** Makes handlers of endpoints. */
export type Handle = <A extends object>(work: Work<A>) => Handler<A>;

/** Handlers that do their work, count as running meanwhile, and answer. What is thrown goes to the error handler. */
export const handler =
  (respond: Respond, running: RunningWork): Handle =>
  (work) =>
  async (req, res) => {
    const working = running.track(work(req, res)());
    keepPlace(res, working);
    const outcome = await working;
    if (E.isRight(outcome)) respond.success(res, outcome.right);
    else respond.failure(res, outcome.left);
  };
