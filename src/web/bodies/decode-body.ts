import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import { decodeRequest } from '../../contract/decode';
import { badRequest, type Failure } from '../../problem';
import { readJson } from './body';
import { bodyJudgeFor } from './body-judge';

/** Checks the shape of a request's body (docs/rules.md: Problems, stage 1, for requests). */
export const decodeJson = <A>(codec: Codec<A>, json: unknown): E.Either<Failure, A> =>
  pipe(decodeRequest(codec, json), E.mapLeft(badRequest));

/** Reads the body of a request, and checks its shape and whether the key may send it. */
export const decodeBody = <A>(
  codec: Codec<A>,
  req: Request,
  res: Response,
): TE.TaskEither<Failure, A> =>
  pipe(
    readJson(req, res),
    TE.flatMapEither((json) => decodeJson(codec, json)),
    TE.flatMapEither((body) => {
      const refusal = bodyJudgeFor(res)(body);
      return refusal === null ? E.right(body) : E.left(refusal);
    }),
  );
