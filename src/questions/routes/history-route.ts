import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { HistoryValue } from '../../contract/answers/questions/history';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { keptHistoryOf } from '../contract';

/**
 * Returns since when ended facts are stored, how many, and how large they are (docs/rules.md:
 * History).
 */
export const historyRoute = ({ handle }: Web, context: Context): Route =>
  route({
    method: 'get',
    path: '/api/v1/history',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary:
      'Tells since when facts that ended are kept, how many there are, and how large they are.',
    more: 'api#history',
    answer: HistoryValue,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => keptHistoryOf(context).read),
        TE.map(({ since, facts, bytes, counted: { newest, waiting } }) => ({
          value: {
            ...{ since, facts, bytes, keep_days: keptHistoryOf(context).days },
            access_changes: { counted_up_to: newest, waiting },
          },
        })),
      ),
    ),
  });
