/** @more pages */

import { Browser } from './browser-session';
import { pushCompany } from './company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

// Found in the field: with a path in PUBLIC_URL, 31 links and redirects led out of it.

const BASE = '/some/graph';
const PUBLIC_URL = `http://graph.example.org${BASE}`;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest({}, { settings: { http: { publicUrl: PUBLIC_URL } } });
  await pushCompany(service);
});
afterAll(() => service.close());

/** Every attribute of a page whose value is a path, but those of fields, which the service itself reads. */
const pathsIn = (html: string): readonly string[] =>
  [...html.matchAll(/<(\w+)[^<>]*?\s([\w-]+)="(\/[^"]*|0; url=\/[^"]*)"/g)].flatMap(
    ([, , name = '', value = '']) => (name === 'value' ? [] : [value.replace(/^0; url=/, '')]),
  );

const leadingOut = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => path !== BASE && !path.startsWith(`${BASE}/`));

const MOST_PAGES = 60;

test.each(['identity', 'gzip'])(
  'no page leads out of the path of PUBLIC_URL: %s',
  async (encoding) => {
    const browser = new Browser(service.app, {
      'accept-encoding': encoding,
      origin: 'http://graph.example.org',
    });
    const signedIn = await browser.signIn(API_KEY);
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, `${BASE}/console`]);
    const seen = new Set(['/', '/sign-in', '/console', '/console/nosuch', '/docs', '/session']);
    const wrong: unknown[] = [];
    let links = 0;
    for (const path of seen) {
      const { status, headers, text = '' } = await browser.get(path, { accept: 'text/html' });
      const isPage = String(headers['content-type']).startsWith('text/html');
      const found = [
        ...(isPage ? pathsIn(text) : []),
        ...(headers.location?.startsWith('/') === true ? [headers.location] : []),
      ];
      links += found.length;
      const out = leadingOut(found);
      if (out.length > 0) wrong.push([path, status, out.slice(0, 3)]);
      for (const each of found.map((one) => one.slice(BASE.length).replaceAll('&amp;', '&'))) {
        if (seen.size < MOST_PAGES && !/sign-out|\/assets\//.test(each)) seen.add(each || '/');
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
    expect(links).toBeGreaterThan(100);
  },
);

test('somebody who is not signed in is led below the path, and back', async () => {
  const browser = new Browser(service.app, { origin: 'http://graph.example.org' });
  const { headers } = await browser.get('/console/sources');
  expect(headers.location).toBe(`${BASE}/sign-in?to=%2Fconsole%2Fsources`);
  const back = await browser.signIn(API_KEY, { to: '/console/sources' });
  expect(back.headers.location).toBe(`${BASE}/console/sources`);
});

test('the description and answers name addresses below the path', async () => {
  const { body } = (await service.send('get', '/openapi.json')) as { body: unknown };
  expect(body).toMatchObject({ servers: [{ url: `${BASE}/` }] });
});

test('a text that looks like a link stays as it is', async () => {
  const browser = new Browser(service.app, { origin: 'http://graph.example.org' });
  await browser.signIn(API_KEY);
  const { text } = await browser.get(
    `/console?find=${encodeURIComponent('<a href="/x"> href="/y"')}`,
    { accept: 'text/html' },
  );
  expect(text).not.toContain(`${BASE}/x`);
  expect(text).not.toContain(`${BASE}/y`);
});
