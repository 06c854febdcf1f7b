import express, { type Express, type RequestHandler } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Limits } from '../config';
import type { Log } from '../log';
import type { Metrics } from '../metrics';
import type { Failure } from '../problem';
import type { MemorySizes } from '../service/push/memory-plan';
import { measuredPushes } from '../service/measured-pushes';
import type { UseCases } from '../service/use-cases';
import { apiDescriptionRoutes } from './operation/api-description-routes';
import { accessRoutes } from './questions/access-routes';
import { authenticate } from './admission/authenticate';
import { authorize } from './admission/authorize';
import { BodyRoom, giveRoom } from './exchange/body-room';
import { dataSourceRoutes } from './registry/data-source-routes';
import { handleErrors } from './error-handler';
import { entityRoutes } from './questions/entity-routes';
import { eventRoutes } from './events/event-routes';
import { eventStreamRoute } from './events/event-stream-route';
import { handler } from './exchange/handle';
import { kitRoutes } from './operation/kit-routes';
import { healthRoutes, type CheckReady } from './operation/health-routes';
import { measureRequests, metricsRoute } from './operation/metrics-route';
import { providerRoutes } from './registry/provider-routes';
import { partsRoute } from './push/parts-route';
import { planRoute } from './push/plan-route';
import { pushRoute } from './push/push-route';
import { iconRoute } from './registry/icon-route';
import { identifyRequest } from './exchange/request-id';
import { logRequests } from './request-log';
import { requireGraph, type CheckPrepared } from './admission/require-graph';
import { type Respond, responder } from './exchange/respond';
import type { RunningWork } from './exchange/running-work';
import { teamKeyRoutes, teamKeyVerbs } from './registry/team-key-routes';
import { questionRoutes } from './questions/question-routes';
import { pushRecordRoutes } from './push/push-record-routes';
import { removalRoute } from './push/removal-route';
import { verifyRoute } from './push/verify-route';

/** What the HTTP interface is made of. */
export interface AppDeps {
  readonly log: Log;
  readonly apiKey: string;
  readonly limits: Pick<Limits, 'keyBodies' | 'pushWaitSeconds' | 'problems'> &
    Pick<MemorySizes, 'bodyBytes' | 'bodiesBytes'>;
  readonly useCases: UseCases;
  /** Whether the graph has its schema. */
  readonly checkPrepared: CheckPrepared;
  /** Whether the graph also answers now. */
  readonly checkReady: CheckReady;
  readonly running: RunningWork;
  readonly metrics: Metrics;
}

const NO_SUCH_PATH: Failure = { _tag: 'NotFound', message: 'There is no such path.' };

const refuseUnknownVerbs =
  (respond: Respond): RequestHandler =>
  (req, res, next) => {
    if (/:[^/]*\/?$/.test(req.path)) respond.failure(res, NO_SUCH_PATH);
    else next();
  };

/** The HTTP interface, from the first middleware to the last (api.md). */
export const createApp = ({
  log,
  apiKey,
  limits,
  useCases: plainUseCases,
  checkPrepared,
  checkReady,
  running,
  metrics,
}: AppDeps): Express => {
  const useCases = measuredPushes(plainUseCases, metrics);
  const respond = responder(log, limits.problems);
  const handle = handler(respond, running);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use(identifyRequest);
  app.use(logRequests(log));
  app.use(measureRequests(metrics));
  app.use(healthRoutes(handle, checkReady));
  app.use(apiDescriptionRoutes(respond));
  app.use(kitRoutes(respond));
  const findTeamKey = (accessKey: string) =>
    pipe(
      TE.fromEither(checkPrepared()),
      TE.flatMap(() => useCases.findTeamKey(accessKey)),
    );
  app.use(authenticate(apiKey, findTeamKey, respond));
  app.use(authorize(respond));
  const room = new BodyRoom({
    mostBytes: limits.bodiesBytes,
    bodyBytes: limits.bodyBytes,
    bodiesOfKey: limits.keyBodies,
    waitMilliseconds: limits.pushWaitSeconds * 1000,
  });
  app.use(giveRoom(room));
  app.use(metricsRoute(metrics, respond));
  app.use('/api', requireGraph(checkPrepared, respond));
  // The verbs (`…:push`) stand before the paths that would take them for a part of an id.
  app.use(pushRoute({ log, handle, respond, useCases, limits }));
  app.use(planRoute({ log, handle, respond, useCases, limits }));
  app.use(partsRoute({ log, handle, respond, useCases, limits }));
  app.use(removalRoute({ handle, respond, useCases }));
  app.use(verifyRoute({ handle, respond, useCases }));
  app.use(iconRoute({ handle, respond, useCases }));
  app.use(eventStreamRoute({ log, respond, running, useCases }));
  app.use(teamKeyVerbs({ handle, respond, useCases }));
  app.use(accessRoutes({ handle, respond, useCases }));
  // An entity's id may hold a colon.
  app.use(entityRoutes({ handle, respond, useCases }));
  app.use(refuseUnknownVerbs(respond));
  app.use(providerRoutes({ handle, respond, useCases }));
  app.use(dataSourceRoutes({ handle, respond, useCases }));
  app.use(pushRecordRoutes({ handle, respond, useCases }));
  app.use(eventRoutes({ handle, respond, useCases }));
  app.use(questionRoutes({ handle, respond, useCases }));
  app.use(teamKeyRoutes({ handle, respond, useCases }));
  app.use((_req, res) => respond.failure(res, NO_SUCH_PATH));
  app.use(handleErrors(respond));
  return app;
};
