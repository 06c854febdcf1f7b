import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { BUILD_FIELDS } from '../../build';
import type { Failure } from '../../problem';
import type { Handle } from '../../web/exchange/handle';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { CheckReady } from '../../web/routing/web';
import { endpoints, type Readiness } from './endpoints';

/**
 * `/healthz` shows that the process runs, and its build. `/readyz` shows that Neo4j answers and has
 * its schema. Neither needs a key (docs/rules.md: Requests).
 */
export const healthRoutes = (
  handle: Handle,
  checkReady: CheckReady,
  accessGraph: () => Readiness['access_graph'],
): readonly Route[] => [
  route({
    ...endpoints.health,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.map(() => ({ status: 'ok', ...BUILD_FIELDS })),
      ),
    ),
  }),
  route({
    ...endpoints.readiness,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() =>
          pipe(
            checkReady(),
            // Monitors call this all the time, so the log gets no causes here. Requests that fail
            // log them.
            TE.mapLeft(({ message }): Failure => ({ _tag: 'Unavailable', message })),
          ),
        ),
        TE.map((store_version) => ({
          status: 'ready' as const,
          store_version,
          access_graph: accessGraph(),
        })),
      ),
    ),
  }),
];
