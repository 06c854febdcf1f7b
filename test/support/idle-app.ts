import type { Express } from 'express';

import { apiRoutes } from '../../src/http/api-routes';
import { type AppDeps, createApp } from '../../src/http/app';
import { type Handle, handler } from '../../src/http/exchange/handle';
import { responder } from '../../src/http/exchange/respond';
import { runningWork } from '../../src/http/exchange/running-work';
import type { Route } from '../../src/http/routing/route';
import { createLog } from '../../src/log';
import { createMetrics } from '../../src/metrics';
import type { UseCases } from '../../src/service/use-cases';

/** What the interface is made of, with nothing behind it. */
export const idle = (): AppDeps => ({
  log: createLog({ level: 'error', format: 'json' }),
  apiKey: 'none',
  limits: {
    ...{ bodyBytes: 1, bodiesBytes: 1, keyBodies: 1, keyRequests: 100, problems: 1, signIns: 1 },
    ...{ questionsAtOnce: 1, questionsOfKey: 1, questionWaitSeconds: 1 },
  },
  useCases: {} as UseCases,
  checkPrepared: () => ({ _tag: 'Right', right: undefined }),
  checkReady: () => () => Promise.resolve({ _tag: 'Right', right: 1 }),
  running: runningWork(),
  metrics: createMetrics(
    {
      threads: () => ({ busy: 0, waiting: 0 }),
      eventStreams: () => 0,
      isGraphUp: () => Promise.resolve(false),
      figures: () => Promise.resolve(null),
    },
    { ofProcess: false },
  ),
});

/** The whole HTTP interface with nothing behind it, for what needs neither graph nor key. */
export const idleApp = (corsOrigins?: readonly string[], publicUrl?: string): Express =>
  createApp({ ...idle(), corsOrigins, publicUrl });

/** All routes of the service, with nothing behind them. `questionOf` makes the handlers of questions. */
export const idleRoutes = (
  questionOf: (handle: Handle) => Handle = (handle) => handle,
): readonly Route[] => {
  const deps = idle();
  const respond = responder(deps.log, 1);
  const handle = handler(respond, deps.running);
  return apiRoutes({ ...deps, respond, handle, question: questionOf(handle) });
};
