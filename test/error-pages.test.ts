import express from 'express';
import supertest from 'supertest';

import { errorsAsPages } from '../src/features/console/frame/error-page';
import { allPages as pages } from './support/all-pages';
import { createLog } from '../src/log';
import { identifyRequest } from '../src/web/exchange/request-id';
import { responder } from '../src/web/exchange/respond';
import { findRoute } from '../src/web/routing/find-route';
import { everyRoute, idleApp } from './support/idle-app';

/** What browsers say that they accept. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const app = idleApp();

test.each(['/console/nosuch', '/console/people', '/console/why/more', '/console/sources/a/b'])(
  'a browser gets a page with the navigation for %s',
  async (path) => {
    const { status, type, text, headers } = await supertest(app).get(path).set('accept', BROWSER);
    expect([status, type]).toEqual([404, 'text/html']);
    for (const { path: href, link } of pages) {
      if (link !== undefined) expect(text).toContain(`href="${href}"`);
    }
    expect(text).toContain('There is nothing here');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers.vary).toContain('Accept');
  },
);

test.each(['/nosuch', '/sign-in/nosuch', '/session/nosuch', '/manual/nosuch', '/favicon.txt'])(
  'a browser gets a page for %s',
  async (path) => {
    const { status, type, text } = await supertest(app).get(path).set('accept', BROWSER);
    expect([status, type]).toEqual([404, 'text/html']);
    expect(text).toContain('<a href="/">');
  },
);

test.each([
  ['/console/nosuch', '*/*'],
  ['/nosuch', 'application/json'],
  ['/manual/nosuch', '*/*'],
  ['/api/v1/nosuch', BROWSER],
])('the error of %s for %s is JSON', async (path, accept) => {
  const { type } = await supertest(app).get(path).set('accept', accept);
  expect(type).toBe('application/json');
});

/** The pages as they are when nothing is found. */
const findsNothing = express()
  .use(identifyRequest)
  .use(findRoute(everyRoute()))
  .use((_req, res) => {
    const respond = responder(
      createLog({ level: 'error', format: 'json' }),
      5,
      errorsAsPages(pages),
    );
    respond.failure(res, { _tag: 'NotFound', message: 'There is no entity with this id.' });
  });

test.each(pages.filter(({ query }) => 'at' in query.optional).map(({ path }) => path))(
  '%s says of an instant at which there was nothing that it may be too early or too late',
  async (page) => {
    const path = page.replace(':id', 'x');
    const then = await supertest(findsNothing).get(`${path}?at=2020-01-01&permission=Push`);
    expect(then.status).toBe(404);
    expect(then.text).toContain('it came later, or had ended by then');
    expect(then.text).toContain(`<a href="${path}?permission=Push">Show the page as of now</a>`);
    const now = await supertest(findsNothing).get(path);
    expect(now.text).toContain('look at an earlier instant');
    expect(now.text).not.toContain('as of now');
  },
);
