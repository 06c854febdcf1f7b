import express, { type Express } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Limits } from '../config';
import type { Log } from '../log';
import type { Metrics } from '../metrics';
import type { MemorySizes } from '../service/receive/memory-plan';
import { measuredPushes } from '../service/measured-pushes';
import type { UseCases } from '../service/use-cases';
import { authenticate } from './admission/authenticate';
import { authorize } from './admission/authorize';
import { callerIfAny } from './admission/caller';
import { boundKeyRequests } from './admission/key-requests';
import { limitSignIns } from './admission/limit-sign-ins';
import { type CheckPrepared, requireGraph } from './admission/require-graph';
import { apiRoutes } from './api-routes';
import { handleErrors } from './error-handler';
import { BodyRoom, giveRoom } from './exchange/body-room';
import { handler } from './exchange/handle';
import { identifyRequest } from './exchange/request-id';
import { questionHandler, type QuestionLimits } from './admission/question-room';
import { responder } from './exchange/respond';
import type { RunningWork } from './exchange/running-work';
import type { CheckReady } from './operation/health-routes';
import { measureRequests } from './operation/metrics-route';
import { logRequests } from './request-log';
import { scimErrors } from './scim-server/scim-error';
import { findRoute } from './routing/find-route';
import { runRoute } from './routing/run-route';
import { setPublicUrl } from './exchange/public-address';
import { shareWithPages } from './share-with-pages';

/** Stands for `API_KEY` where others have the id of their team key. */
const OWNER_KEY = '';

/** What the HTTP interface is made of. */
export interface AppDeps {
  readonly log: Log;
  readonly apiKey: string;
  /** The key that follows it, during a rotation. */
  readonly nextApiKey?: string | undefined;
  /** Origins of pages that may send requests from a browser; unset: none may. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** The address under which clients reach the service; unset: answers have relative addresses. */
  readonly publicUrl?: string | undefined;
  readonly limits: Pick<Limits, 'keyBodies' | 'keyRequests' | 'problems' | 'signIns'> &
    Pick<MemorySizes, 'bodyBytes' | 'bodiesBytes'> &
    QuestionLimits;
  readonly useCases: UseCases;
  /** Whether the graph has its schema. */
  readonly checkPrepared: CheckPrepared;
  /** Whether the graph also answers now. */
  readonly checkReady: CheckReady;
  readonly running: RunningWork;
  readonly metrics: Metrics;
}

/** The HTTP interface, from the first middleware to the last. */
export const createApp = ({
  log,
  apiKey,
  nextApiKey,
  limits,
  corsOrigins,
  publicUrl,
  useCases: plainUseCases,
  checkPrepared,
  checkReady,
  running,
  metrics,
}: AppDeps): Express => {
  const useCases = measuredPushes(plainUseCases, metrics);
  const respond = responder(log, limits.problems, scimErrors);
  const handle = handler(respond, running);
  const question = questionHandler(handle, limits, (act, overdue) => {
    log.warn('Neo4j has not ended a query after its limit', {
      transaction: overdue.transaction,
      key: act.by.name,
      request_id: act.requestId,
    });
    void useCases.tellOverdue(act, overdue)();
    void overdue.ended.then(metrics.overdue());
  });
  const routes = apiRoutes({
    ...{ log, handle, question, respond, running, metrics, limits, useCases, checkReady },
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  setPublicUrl(app, publicUrl);
  app.use(identifyRequest);
  app.use(findRoute(routes));
  app.use(logRequests(log));
  app.use(measureRequests(metrics));
  if (corsOrigins !== undefined) app.use(shareWithPages(corsOrigins));
  const findTeamKey = (accessKey: string) =>
    pipe(
      TE.fromEither(checkPrepared()),
      TE.flatMap(() => useCases.findTeamKey(accessKey)),
    );
  const mayTry = limitSignIns(limits.signIns);
  app.use(
    authenticate({ apiKey, nextApiKey, useCases: { ...useCases, findTeamKey }, mayTry, respond }),
  );
  app.use(boundKeyRequests(limits.keyRequests, respond));
  app.use(authorize(respond));
  app.use(requireGraph(checkPrepared, respond));
  const room = new BodyRoom({
    mostBytes: limits.bodiesBytes,
    bodyBytes: limits.bodyBytes,
    bodiesOfKey: limits.keyBodies,
  });
  app.use(giveRoom(room, (res) => callerIfAny(res)?.keyId ?? OWNER_KEY));
  app.use(runRoute(respond));
  app.use(handleErrors(respond));
  return app;
};
