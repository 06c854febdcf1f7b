import type { Request, RequestHandler, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { keepPlace } from '../bodies/body-room';
import { Sent } from './answer-stream';
import type { JsonText } from '../bodies/json-text';
import type { Respond } from './respond';
import type { RunningWork } from './running-work';

/**
 * The work of an endpoint for a request: it gives the body of the answer, or the failure. Work that
 * streams its answer gives `Sent`.
 */
export type Work<A> = (req: Request, res: Response) => TaskEither<Failure, A | JsonText<A> | Sent>;

declare const ANSWER: unique symbol;

/** A handler whose answer has the type `A`. */
export interface Handler<A> extends RequestHandler {
  /** This field never exists. It gives the compiler the type of the answer. */
  readonly [ANSWER]?: A;
}

/** Makes the handlers of endpoints. */
export type Handle = <A extends object>(work: Work<A>) => Handler<A>;

/**
 * Makes handlers that do their work and send the answer. The work counts as running until then.
 * Thrown errors go to the error handler.
 */
export const handler =
  (respond: Respond, running: RunningWork): Handle =>
  (work) =>
  async (req, res) => {
    const working = running.track(work(req, res)());
    keepPlace(res, working);
    const outcome = await working;
    if (E.isLeft(outcome)) respond.failure(res, outcome.left);
    else if (!(outcome.right instanceof Sent)) await respond.success(res, outcome.right);
  };

/** Answers `{value}`. */
export const asValue = <A>(work: TaskEither<Failure, A>): TaskEither<Failure, { value: A }> =>
  pipe(
    work,
    TE.map((value) => ({ value })),
  );

/** Answers `{}`: the work is done, and there is nothing to say about it. */
export const asDone = (work: TaskEither<Failure, unknown>): TaskEither<Failure, object> =>
  pipe(
    work,
    TE.map(() => ({})),
  );
