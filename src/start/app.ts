import express, { type Express } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../context';
import type { Feature } from '../feature';
import { loggedName } from '../graph/records/event-record';
import { eventWriterOf } from '../graph/records/event-record';
import { keysOf, refusedSignInsOf } from '../features/keys/contract';
import { peopleErrors, sessionsOf } from '../features/sign-in/contract';
import { endpoints as signIn } from '../features/sign-in/endpoints';
import { plannedMemoryOf } from '../memory/memory-at-hand';
import { admitPeople } from '../web/admission/admit-people';
import { authenticate } from '../web/admission/authenticate';
import { authorize } from '../web/admission/authorize';
import { actOf, callerIfAny } from '../web/admission/caller';
import { checkForm } from '../web/admission/check-form';
import { boundKeyRequests } from '../web/admission/key-requests';
import { keySignIn } from '../web/admission/key-sign-in';
import { limitSignIns } from '../web/admission/limit-sign-ins';
import { requireGraph } from '../web/admission/require-graph';
import { handleErrors } from '../web/error-handler';
import { exportEvent, overdueEvent } from '../web/events';
import { BodyRoom, giveRoom } from '../web/bodies/body-room';
import { type Handle, handler } from '../web/exchange/handle';
import { identifyRequest } from '../web/exchange/request-id';
import { questionHandler, type QuestionLimits } from '../web/admission/question-room';
import { type FormOf, type Respond, responder } from '../web/exchange/respond';
import type { RunningWork } from '../web/exchange/running-work';
import { measureRequests } from '../features/health/contract';
import { logRequests } from '../web/request-log';
import { findRoute, runRoute } from '../web/routing/find-route';
import type { Route } from '../web/routing/route';
import { setAddresses } from '../web/exchange/public-address';
import { setTellExport } from '../web/exchange/tell-export';
import { trustProxies } from '../web/exchange/trusted-proxies';
import { shareWithPages } from '../web/share-with-pages';
import { type CheckReady, holderOf, type SignIns, type Web } from '../web/routing/web';

/** Stands for `API_KEY` where others have the id of their team key. */
const OWNER_KEY = '';

/** What the HTTP interface is made of. */
export interface AppDeps {
  readonly features: readonly Pick<Feature, 'routes' | 'errorForm'>[];
  readonly context: Context;
  readonly apiKey: string;
  /** The key that follows it, during a rotation. */
  readonly nextApiKey?: string | undefined;
  /** Whether the graph also answers now. */
  readonly checkReady: CheckReady;
  readonly running: RunningWork;
  /** Makes the handlers of questions. Tests use another function to see which routes are questions. */
  readonly questionOf?: (handle: Handle) => Handle;
}

/** Makes the handlers of questions, and reports those that Neo4j has not ended after their limit. */
const questionsOf =
  (context: Context, limits: QuestionLimits) =>
  (handle: Handle): Handle =>
    questionHandler(handle, limits, (act, overdue) => {
      const { log, metrics } = context;
      const { transaction } = overdue;
      log.warn('Neo4j has not ended a query after its limit', {
        transaction,
        key: loggedName(act.by),
        request_id: act.requestId,
      });
      const event = overdueEvent({ at: new Date().toISOString(), ...act }, transaction);
      void eventWriterOf(context)(event)();
      void overdue.ended.then(metrics.overdue());
    });

/** The handlers of queries in Cypher: a key runs one at a time. */
const queriesInCypher = (context: Context) => {
  const { limits } = context.config;
  return questionsOf(context, {
    questionsAtOnce: limits.cypherAtOnce,
    questionsOfKey: 1,
    kind: 'queries in Cypher',
    questionWaitSeconds: limits.questionWaitSeconds,
  });
};

/** The keys of the settings, by the names of their settings. */
export const ownerKeysOf = ({
  apiKey,
  nextApiKey,
}: Pick<AppDeps, 'apiKey' | 'nextApiKey'>): SignIns['ownerKeys'] =>
  new Map([
    ['API_KEY', apiKey],
    ...(nextApiKey === undefined ? [] : [['API_KEY_NEXT', nextApiKey] as const]),
  ]);

const signInsOf = ({ context, apiKey, nextApiKey }: AppDeps): SignIns => {
  const keys = keysOf(context);
  const mayTry = limitSignIns(context.config.limits.signIns);
  return {
    mayTry,
    signInWithKey: keySignIn({
      apiKey,
      nextApiKey,
      mayTry,
      findTeamKey: (accessKey) =>
        pipe(
          TE.fromEither(context.checkPrepared()),
          TE.flatMap(() => keys.find(accessKey)),
          TE.map(holderOf),
        ),
      isKnownTeamKey: keys.isKnown,
      noteRefusedSignIn: refusedSignInsOf(context).note,
    }),
    ownerKeys: ownerKeysOf({ apiKey, nextApiKey }),
  };
};

/**
 * All routes of the features. If a request fits two paths, the first one counts.
 */
export const routesOf = (
  deps: AppDeps,
  respond: Respond,
  signIns: SignIns = signInsOf(deps),
): readonly Route[] => {
  const { features, context, checkReady, running } = deps;
  const { questionOf = questionsOf(context, context.config.limits) } = deps;
  const { questionOf: queryOf = queriesInCypher(context) } = deps;
  const handle = handler(respond, running);
  const web: Web = {
    log: context.log,
    handle,
    respond,
    running,
    checkReady,
    signIns,
    question: questionOf(handle),
    queryInCypher: queryOf(handle),
    routes: () => routes,
  };
  const routes = features
    .flatMap((feature) => feature.routes?.(web, context) ?? [])
    .flatMap(({ topic, routes: some }) => some.map((route) => ({ ...route, topic })));
  return routes;
};

/** The form of an error: of the feature that has the address, or else that of all pages. */
const errorFormOf =
  (features: AppDeps['features']): FormOf =>
  (res, shown) => {
    for (const { errorForm } of features) {
      const form = errorForm?.(res, shown) ?? null;
      if (form !== null) return form;
    }
    return peopleErrors(res, shown);
  };

/** The HTTP interface, from the first middleware to the last. */
export const createApp = (deps: AppDeps): Express => {
  const { context, features } = deps;
  const { log, metrics, checkPrepared } = context;
  const { limits, http } = context.config;
  const respond = responder(log, limits.problems, errorFormOf(features));
  const signIns = signInsOf(deps);
  const { mayTry, signInWithKey, ownerKeys } = signIns;
  const refusals = { respond, noteRefusedSignIn: refusedSignInsOf(context).note };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  setAddresses(app, http);
  setTellExport(app, (res, exported) =>
    eventWriterOf(context)(exportEvent({ at: new Date().toISOString(), ...actOf(res) }, exported)),
  );
  trustProxies(app, http.trustedProxies ?? []);
  app.use(identifyRequest);
  app.use(findRoute(routesOf(deps, respond, signIns)));
  app.use(logRequests(log));
  app.use(measureRequests(metrics));
  app.use(shareWithPages(http.corsOrigins));
  app.use(authenticate({ ...refusals, signInWithKey }));
  const sessions = sessionsOf(context);
  app.use(
    admitPeople({
      ...refusals,
      mayTry,
      findVisitor: (token, address, isUse) =>
        pipe(
          TE.fromEither(checkPrepared()),
          TE.flatMap(() => sessions.find(token, address, ownerKeys, isUse)),
        ),
      isKnownSession: sessions.isKnown,
      signInPage: signIn.signInPage.path,
    }),
  );
  app.use(boundKeyRequests(limits.keyRequests, respond));
  app.use(authorize(respond));
  app.use(requireGraph(checkPrepared, respond));
  const { bodyBytes, bodiesBytes } = plannedMemoryOf(context).sizes;
  const room = new BodyRoom({ mostBytes: bodiesBytes, bodyBytes, bodiesOfKey: limits.keyBodies });
  app.use(giveRoom(room, (res) => callerIfAny(res)?.keyId ?? OWNER_KEY));
  app.use(checkForm(refusals));
  app.use(runRoute(respond));
  app.use(handleErrors(respond));
  return app;
};
