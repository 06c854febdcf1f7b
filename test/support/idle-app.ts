import type { Express } from 'express';

import { createApp } from '../../src/http/app';
import { runningWork } from '../../src/http/exchange/running-work';
import { createLog } from '../../src/log';
import { createMetrics } from '../../src/metrics';
import type { UseCases } from '../../src/service/use-cases';

/** The whole HTTP interface with nothing behind it, for what needs neither graph nor key. */
export const idleApp = (): Express =>
  createApp({
    log: createLog({ level: 'error', format: 'json' }),
    apiKey: 'none',
    limits: { bodyBytes: 1, bodiesBytes: 1, keyBodies: 1, pushWaitSeconds: 1, problems: 1 },
    useCases: {} as UseCases,
    checkPrepared: () => ({ _tag: 'Right', right: undefined }),
    checkReady: () => () => Promise.resolve({ _tag: 'Right', right: undefined }),
    running: runningWork(),
    metrics: createMetrics(
      {
        threads: () => ({ busy: 0, waiting: 0 }),
        eventStreams: () => 0,
        isGraphUp: () => Promise.resolve(false),
      },
      { ofProcess: false },
    ),
  });
