import type { Response } from 'express';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { Sent } from '../../../web/exchange/answer-stream';
import { leadTo } from '../../../web/exchange/html-page';
import { formsLeadTo } from '../../sign-in/contract';
import { documentOf, type Place } from './document';
import type { Page, Reader, Shown } from './page';
import { asideOf, mayOpen, readerOf } from './reader';
import { Reading } from './reading';
import { sendPage } from './send-page';

const placesOf = (pages: readonly Page[], reader: Reader): readonly Place[] =>
  pages.flatMap(({ path, link, readers }) =>
    link !== undefined && mayOpen(readers, reader) ? [{ ...link, href: path }] : [],
  );

/** Sends what a page shows, within the frame that all pages have, or leads to another page. */
export const showing = (pages: readonly Page[], context: Context) => {
  const neo4jBrowser = context.config.console.neo4jBrowserUrl ?? null;
  return (res: Response, shown: Shown, status = 200): TE.TaskEither<Failure, Sent> =>
    TE.fromTask(async () => {
      if ('leadsTo' in shown) {
        leadTo(res, shown.leadsTo);
        return new Sent();
      }
      const reader = readerOf(res);
      const html = documentOf(
        {
          ...{ title: shown.title, moment: shown.moment ?? null },
          ...{ path: res.req.path, aside: asideOf(res) },
          places: placesOf(pages, reader),
          ...{ sought: '', mayFind: reader.seesAll },
        },
        <Reading.Provider value={{ ...reader, neo4jBrowser }}>{shown.body}</Reading.Provider>,
      );
      res.status(shown.status ?? status);
      await sendPage(res, html, formsLeadTo(context));
      return new Sent();
    });
};
