import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../context';
import { actOf } from '../../web/admission/caller';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { endpoints } from './endpoints';
import { readRestored, startWork } from './restored-graph';

/** Shows what waits after a restore, and starts it (docs/operating.md: Restore). */
export const restoredRoutes = ({ handle }: Web, context: Context): readonly Route[] => [
  route({
    ...endpoints.read,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => readRestored(context.graph)),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
  route({
    ...endpoints.start,
    handler: handle((req, res) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => startWork(context.graph, actOf(res))),
        TE.map((value) => {
          context.wake();
          return { value };
        }),
      ),
    ),
  }),
];
