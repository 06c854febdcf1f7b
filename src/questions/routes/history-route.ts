import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { Asking } from '../../web/lists/listed';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints, type HistoryValue } from '../endpoints';
import { storedHistoryOf } from '../in-context';

/** What is stored of the past, for a request without parameters. */
export const historyAnswer =
  (context: Context) =>
  (asking: Asking): TE.TaskEither<Failure, HistoryValue> =>
    pipe(
      TE.fromEither(takesNone(asking)),
      TE.flatMap(() => storedHistoryOf(context).read),
      TE.map(({ since, facts, bytes, counted: { newest, waiting } }) => ({
        value: {
          since,
          facts,
          bytes,
          keep_days: storedHistoryOf(context).days,
          access_changes: { counted_up_to: newest, waiting },
        },
      })),
    );

/**
 * Returns since when ended facts are stored, how many, and how large they are (docs/rules.md:
 * History).
 */
export const historyRoute = ({ handle }: Web, context: Context): Route =>
  route({
    ...endpoints.history,
    handler: handle(historyAnswer(context)),
  });
