import type { Express } from 'express';

import type { Context } from '../../src/context';
import { features } from '../../src/features';
import type { Graph } from '../../src/neo4j/driver';
import { type AppDeps, createApp, routesOf } from '../../src/start/app';
import type { Handle } from '../../src/web/exchange/handle';
import { responder } from '../../src/web/exchange/respond';
import { runningWork } from '../../src/web/exchange/running-work';
import type { Route } from '../../src/web/routing/route';
import { createLog } from '../../src/log';
import { openContext } from '../../src/start/open-context';
import { testConfig } from './test-config';

/** A graph that nobody may ask. */
const NO_GRAPH = {} as Graph;

const NOWHERE = { uri: 'bolt://127.0.0.1:1', user: 'neo4j', database: 'neo4j' };

/** What the interface is made of, with nothing behind it. */
export const idle = (
  settings: Parameters<typeof testConfig>[0] = {},
  log: Context['log'] = createLog({ level: 'error', format: 'json' }),
  otherwise: Parameters<typeof openContext>[2] = {},
): AppDeps => ({
  features,
  context: openContext(
    features,
    {
      log,
      graph: NO_GRAPH,
      asked: NO_GRAPH,
      address: NOWHERE,
      config: testConfig(settings),
      checkPrepared: () => ({ _tag: 'Right', right: undefined }),
    },
    { ofProcess: false, ...otherwise },
  ).context,
  apiKey: 'none',
  checkReady: () => () => Promise.resolve({ _tag: 'Right', right: 1 }),
  running: runningWork(),
});

/** The whole HTTP interface with nothing behind it, for what needs neither graph nor key. */
export const idleApp = (corsOrigins?: readonly string[], publicUrl?: string): Express =>
  createApp(idle({ http: { corsOrigins, publicUrl } }));

/** With these, the service also has the routes of an issuer. */
const WITH_ISSUER = {
  http: { publicUrl: 'https://graph.example.org' },
  issuer: { address: 'https://login.example.org', clientId: 'x', clientSecret: 'x' },
};

/** The routes that the service has with every setting. */
export const everyRoute = (): readonly Route[] => idleRoutes(undefined, WITH_ISSUER);

/** All routes of the service, with nothing behind them. `questionOf` makes the handlers of questions. */
export const idleRoutes = (
  questionOf: (handle: Handle) => Handle = (handle) => handle,
  settings: Parameters<typeof testConfig>[0] = {},
): readonly Route[] => {
  const deps = idle(settings);
  return routesOf({ ...deps, questionOf }, responder(deps.context.log, 1));
};
