import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { queryOf } from '../../../web/lists/list-query';
import { Sent } from '../../../web/exchange/answer-stream';
import { leadTo } from '../../../web/exchange/html-page';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { Reading } from './reading';
import { formsLeadTo, page } from '../../sign-in/contract';
import { documentOf, type Place } from './document';
import type { Page } from './page';
import { sendPage } from './send-page';
import { admittedTo, asideOf, readerOf } from './reader';

const placesOf = (pages: readonly Page[], seesAll: boolean): readonly Place[] =>
  pages.flatMap(({ path, link, readers }) =>
    link === undefined || (readers === 'role' && !seesAll) ? [] : [{ ...link, href: path }],
  );

/** The routes of the pages. A page is a question: it waits for its turn, and has a deadline. */
export const pageRoutes = (
  pages: readonly Page[],
  { question }: Pick<Web, 'question'>,
  context: Context,
): readonly Route[] => {
  const neo4jBrowser = context.config.console.neo4jBrowserUrl ?? null;
  return pages.map(({ path, summary, readers, query, show }) => ({
    ...page({
      ...{ path, summary, query },
      people: admittedTo(readers),
      handler: question((req, res) =>
        pipe(
          TE.fromEither(queryOf(query, req)),
          TE.flatMap((asked) => {
            const reader = readerOf(res);
            return pipe(
              show({ context, id: String(req.params.id ?? ''), query: asked, reader }),
              TE.map((shown) => ({ shown, reader })),
            );
          }),
          TE.flatMap(({ shown, reader }) =>
            TE.fromTask(async () => {
              if ('leadsTo' in shown) {
                leadTo(res, shown.leadsTo);
                return new Sent();
              }
              const { title, body, moment = null } = shown;
              const html = documentOf(
                {
                  ...{ title, moment, path: req.path, aside: asideOf(res) },
                  places: placesOf(pages, reader.seesAll),
                  ...{ sought: '', mayFind: reader.seesAll },
                },
                <Reading.Provider value={{ ...reader, neo4jBrowser }}>{body}</Reading.Provider>,
              );
              await sendPage(res, html, formsLeadTo(context));
              return new Sent();
            }),
          ),
        ),
      ),
    }),
    idsMayHoldColons: true,
  }));
};
