import type { Response } from 'express';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { Sent } from '../../../web/exchange/answer-stream';
import { leadTo } from '../../../web/exchange/html-page';
import { offeredInstants } from '../overview/offered-instants';
import { formsLeadTo } from '../../sign-in/contract';
import { beginningOf, type Content, documentOf, endOf, type Frame } from './document';
import { ownHandles } from '../parts/own-handles';
import type { Page, Shown } from './page';
import { asideOf, placesOf, readerOf } from './reader';
import { Reading } from './reading';
import { beginPage, begunPageOf, sendPage } from './send-page';

/** What leads to another page, where the status can no longer do that. */
const leadingTo = (href: string): Content => ({
  title: 'Found',
  moment: null,
  body: (
    <>
      <meta http-equiv="refresh" content={`0; url=${href}`} />
      <p>
        <a href={href}>To the page that answers this</a>
      </p>
    </>
  ),
});

/** How the pages of the console are sent. */
export interface Showing {
  /** Sends the beginning of a page, before there is an answer. */
  readonly begin: (res: Response) => void;
  /** Sends what a page shows, within the frame that all pages have, or leads to another page. */
  readonly show: (res: Response, shown: Shown, status?: number) => TE.TaskEither<Failure, Sent>;
}

/** Sends the pages of the console, within the frame that all of them have. */
export const showing = (pages: readonly Page[], context: Context): Showing => {
  const neo4jBrowser = context.config.console.neo4jBrowserUrl ?? null;
  const frameOf = (res: Response): Frame => {
    const reader = readerOf(res);
    return {
      path: res.req.path,
      aside: asideOf(res),
      places: placesOf(pages, reader),
      sought: '',
      mayFind: reader.seesAll,
    };
  };
  const contentOf = async (
    res: Response,
    shown: Exclude<Shown, { leadsTo: string }>,
  ): Promise<Content> => {
    const reader = readerOf(res);
    const { hide } = await ownHandles(context, reader);
    const { moment = null } = shown;
    return {
      title: shown.title,
      moment,
      // Others would learn which pushes exist.
      offered:
        moment !== null && reader.seesAll ? await offeredInstants(context, reader.zone)() : [],
      zone: reader.zone,
      body: (
        <Reading.Provider value={{ ...reader, neo4jBrowser, hide }}>{shown.body}</Reading.Provider>
      ),
    };
  };
  return {
    begin: (res) => beginPage(res, beginningOf(frameOf(res)), formsLeadTo(context)),
    show: (res, shown, status = 200) =>
      TE.fromTask(async () => {
        const begun = begunPageOf(res);
        if ('leadsTo' in shown) {
          if (begun === null) leadTo(res, shown.leadsTo);
          else begun.end(endOf(leadingTo(shown.leadsTo)), 303);
          return new Sent();
        }
        const content = await contentOf(res, shown);
        const told = shown.status ?? status;
        if (begun === null) {
          res.status(told);
          await sendPage(res, documentOf(frameOf(res), content), formsLeadTo(context));
        } else begun.end(endOf(content), told);
        return new Sent();
      }),
  };
};
