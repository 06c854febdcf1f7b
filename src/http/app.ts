import express, { type Express, type RequestHandler } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Limits } from '../config';
import type { Log } from '../log';
import type { Metrics } from '../metrics';
import type { Failure } from '../problem';
import { measuredPushes } from '../service/measured-pushes';
import type { UseCases } from '../service/use-cases';
import { apiDescriptionRoutes } from './api-description-routes';
import { accessRoutes } from './access-routes';
import { authenticate } from './authenticate';
import { authorize } from './authorize';
import { BodyRoom, giveRoom } from './body-room';
import { dataSourceRoutes } from './data-source-routes';
import { handleErrors } from './error-handler';
import { entityRoutes } from './entity-routes';
import { eventRoutes } from './event-routes';
import { eventStreamRoute } from './event-stream-route';
import { handler } from './handle';
import { kitRoutes } from './kit-routes';
import { healthRoutes, type CheckReady } from './health-routes';
import { measureRequests, metricsRoute } from './metrics-route';
import { providerRoutes } from './provider-routes';
import { partsRoute } from './parts-route';
import { planRoute } from './plan-route';
import { pushRoute } from './push-route';
import { iconRoute } from './icon-route';
import { identifyRequest } from './request-id';
import { logRequests } from './request-log';
import { requireGraph, type CheckPrepared } from './require-graph';
import { type Respond, responder } from './respond';
import type { RunningWork } from './running-work';
import { teamKeyRoutes, teamKeyVerbs } from './team-key-routes';
import { questionRoutes } from './question-routes';
import { pushRecordRoutes } from './push-record-routes';
import { removalRoute } from './removal-route';
import { verifyRoute } from './verify-route';

/** What the HTTP interface is made of. */
export interface AppDeps {
  readonly log: Log;
  readonly apiKey: string;
  readonly limits: Pick<Limits, 'bodyBytes' | 'bodiesBytes' | 'pushWaitSeconds' | 'problems'>;
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
  app.use(giveRoom(new BodyRoom(limits.bodiesBytes, limits.pushWaitSeconds * 1000)));
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
