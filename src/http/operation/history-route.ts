import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { HistoryValue } from '../../contract/answers/questions/history';
import type { UseCases } from '../../service/use-cases';
import type { Handle } from '../exchange/handle';
import { takesNone } from '../lists/list-query';
import { route, type Route } from '../routing/route';

/** What the endpoint needs. */
export interface HistoryRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'keptHistory'>;
}

/** Tells since when ended facts are kept, how many, and how large they are (docs/rules.md: History). */
export const historyRoute = ({ handle, useCases }: HistoryRouteDeps): Route =>
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
        TE.flatMap(() => useCases.keptHistory()),
        TE.map(({ since, facts, bytes, days, counted: { newest, waiting } }) => ({
          value: {
            ...{ since, facts, bytes, keep_days: days },
            access_changes: { counted_up_to: newest, waiting },
          },
        })),
      ),
    ),
  });
