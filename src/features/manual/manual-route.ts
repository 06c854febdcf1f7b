import { pathOf } from '../../contract/parameters/path-of';
import type { Failure } from '../../problem';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';
import { escaped, leadTo, sendPage } from '../../web/exchange/html-page';
import { endpoints } from './endpoints';
import { type Manual, manual } from './manual';

/** The page from which all others can be reached. */
const FIRST_PAGE = 'readme';

const NO_PAGE: Failure = {
  _tag: 'NotFound',
  message: 'The manual has no such page: / lists its pages.',
};

/** Links to the pages of the manual, as items of a list; none if the program has no manual. */
export const manualItems = (pages: Manual): string =>
  [...pages]
    .filter(([, { type }]) => type === 'html')
    .map(
      ([name, { title }]) =>
        `<li><a href="${pathOf(endpoints.page, { page: name })}">${escaped(title)}</a></li>`,
    )
    .join('\n');

/** `/manual`: leads to the first page of the documentation. */
export const firstPageRoute = (respond: Respond): Route => ({
  ...endpoints.firstPage,
  handler: takingNone(respond, (_req, res) => {
    if (manual().has(FIRST_PAGE)) leadTo(res, pathOf(endpoints.page, { page: FIRST_PAGE }));
    else respond.failure(res, NO_PAGE);
  }),
});

/**
 * `/manual/{page}`: the documentation that comes with the program, without a key. The route answers
 * only names of the manual and never reads a path.
 */
export const manualRoute = (respond: Respond): Route => ({
  ...endpoints.page,
  handler: takingNone(respond, (req, res) => {
    const pages = manual();
    const found = pages.get(String(req.params.page));
    if (found === undefined) return respond.failure(res, NO_PAGE);
    const { type, content, title } = found;
    const links = `<nav><a href="/">Grantgraph</a>\n<ul>\n${manualItems(pages)}\n</ul></nav>`;
    if (type === 'html') sendPage(res, title, `${String(content)}\n<hr>\n${links}`);
    else res.type(type).send(content);
  }),
});
