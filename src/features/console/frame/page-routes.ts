import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { queryOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { page } from '../../sign-in/contract';
import type { Page } from './page';
import { showing } from './show-page';
import { admittedTo, readerOf } from './reader';

/** The routes of the pages. A page is a question: it waits for its turn, and has a deadline. */
export const pageRoutes = (
  pages: readonly Page[],
  { question }: Pick<Web, 'question'>,
  context: Context,
): readonly Route[] => {
  const show = showing(pages, context);
  return pages.map(({ path, summary, readers, query, show: answer }) => ({
    ...page({
      ...{ path, summary, query },
      people: admittedTo(readers),
      handler: question((req, res) =>
        pipe(
          TE.fromEither(queryOf(query, req)),
          TE.flatMap((asked) => {
            const reader = readerOf(res);
            return answer({ context, id: String(req.params.id ?? ''), query: asked, reader });
          }),
          TE.flatMap((shown) => show(res, shown)),
        ),
      ),
    }),
    idsMayHoldColons: true,
  }));
};
