import type { Request, Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { PlanAnswer } from '../../contract/answers/plan';
import type { Failure } from '../../problem';
import type { PlanResult } from '../plan/plan-result';
import type { PushTarget } from '../receive/push-intent';
import { callerOf } from '../../web/admission/caller';
import { addressedDataSource } from '../../web/exchange/addressed';
import { JsonText } from '../../web/bodies/json-text';
import { takesNone } from '../../web/lists/list-query';
import { requestIdOf } from '../../web/exchange/request-id';
import { notDeleting } from './push-answer';
import { receivePush } from './receive-push';
import { planSent } from './run-sent';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { plannedMemoryOf } from '../../memory/memory-at-hand';
import { endpoints } from '../endpoints';

/**
 * Answers a dry run of a push: it shows what the push would do, and writes nothing (docs/rules.md:
 * Plans).
 */
export const planRoute = ({ handle }: Web, context: Context): Route => {
  const plan = (
    source: PushTarget,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, PlanResult> => {
    const seesOthers = callerOf(res).providers === null;
    return planSent(
      context,
      { source, requestId: requestIdOf(res) },
      pipe(
        receivePush(source, req, res, plannedMemoryOf(context).sizes.bodyBytes),
        TE.map((sent) => ({ ...sent, holds: 'envelope', seesOthers })),
      ),
    );
  };

  return route({
    ...endpoints.plan,
    handler: handle((req, res) =>
      pipe(
        // As for a push, 404 comes before 400, and the service receives no large body in vain
        // (docs/rules.md: Requests).
        addressedDataSource(providersOf(context), req),
        TE.tapEither(notDeleting),
        TE.tapEither(() => takesNone(req)),
        TE.flatMap((source) => plan(source, req, res)),
        TE.map(({ json }) => new JsonText<PlanAnswer>(json)),
      ),
    ),
  });
};
