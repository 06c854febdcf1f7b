import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type * as T from 'fp-ts/Task';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { thrownFailure } from '../../../web/error-handler';
import { queryOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { formsLeadTo, page } from '../../sign-in/contract';
import { ownHandles } from '../parts/own-handles';
import type { Page } from './page';
import { showing } from './show-page';
import { admittedTo, readerOf } from './reader';
import { letFormsLead } from './send-page';

/** Does some work, and calls `late` once if the work is not done in so many milliseconds. */
const orLate =
  <A>(work: T.Task<A>, ms: number, late: () => void): T.Task<A> =>
  async () => {
    const timer = setTimeout(late, ms);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  };

/** Turns a thrown error into a failure, so that it ends a page that has begun too. */
const orFailed =
  <A>(work: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  async () => {
    try {
      return await work();
    } catch (error) {
      return E.left(thrownFailure(error));
    }
  };

/**
 * The routes of the pages. A page is a question: it waits for its turn, and has a deadline. If its
 * answer takes longer than `LIMIT_PAGE_WAIT_MS`, the page begins before it (docs/console.md: Pages
 * that need time).
 */
export const pageRoutes = (
  pages: readonly Page[],
  { question }: Pick<Web, 'question'>,
  context: Context,
): readonly Route[] => {
  const { begin, show } = showing(pages, context);
  const { beginsAfterMs } = context.config.console;
  return pages.map(({ path, summary, readers, query, show: answer }) => ({
    ...page({
      path,
      summary,
      query,
      people: admittedTo(readers),
      handler: question((req, res) => {
        letFormsLead(res, formsLeadTo(context));
        return pipe(
          TE.fromEither(queryOf(query, req)),
          TE.bindTo('asked'),
          TE.bind('handles', () => TE.fromTask(() => ownHandles(context, readerOf(res)))),
          TE.flatMap(({ asked, handles }) => {
            const reader = { ...readerOf(res), handles };
            const id = String(req.params.id ?? '');
            const work = answer({ context, id, query: asked, reader });
            return beginsAfterMs === 0 || req.method === 'HEAD'
              ? work
              : orLate(work, beginsAfterMs, () => begin(res));
          }),
          TE.flatMap((shown) => show(res, shown)),
          orFailed,
        );
      }),
    }),
    idsMayHoldColons: true,
  }));
};
