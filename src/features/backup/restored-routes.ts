import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { RestoredGraphValue } from '../../contract/answers/restored';
import type { Context } from '../../context';
import { actOf } from '../../web/admission/caller';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { readRestored, startWork } from './restored-graph';

/** Shows what waits after a restore, and starts it (docs/operating.md: Restore). */
export const restoredRoutes = ({ handle }: Web, context: Context): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/restored',
    // It names keys.
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Shows whether the graph was restored from a backup, and what waits since.',
    more: 'operating#restore',
    answer: RestoredGraphValue,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => readRestored(context.graph)),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
  route({
    method: 'post',
    path: '/api/v1/restored\\:start',
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Starts policies and timed imports, which wait after a restore.',
    more: 'operating#restore',
    answer: RestoredGraphValue,
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
