import supertest from 'supertest';

import { ASSETS } from '../../../src/features/console/assets/assets';
import { WIDTHS } from '../../../src/features/console/map/path-map';
import { idleApp } from '../../support/idle-app';

const get = (headers: Readonly<Record<string, string>>, path: string = ASSETS.styleSheet) =>
  supertest(idleApp()).get(path).set(headers);

const GZIP = { 'accept-encoding': 'gzip' };

test('a file has a tag for each encoding', async () => {
  const [plain, zipped] = [await get({ 'accept-encoding': 'identity' }), await get(GZIP)];
  expect([plain.status, zipped.status]).toEqual([200, 200]);
  expect(plain.headers.etag).toMatch(/^"[\da-f]{12}"$/);
  expect(zipped.headers.etag).toMatch(/^"[\da-f]{12}-gzip"$/);
});

// While a page loads, no element of it is the last child for Chromium. So the text was never to be seen.
test('that the service still reads the graph is hidden by what follows, and not before', async () => {
  const { text } = await get({ 'accept-encoding': 'identity' });
  const rules = [...text.matchAll(/([^{}]*\.waiting[^{}]*)\{([^}]*)\}/g)].map(
    ([, ...rule]) => rule,
  );
  const hiding = rules.filter(([, style = '']) => style.includes('display: none'));
  expect(hiding.map(([selector = '']) => selector.trim())).toEqual(['.waiting:has(+ *)']);
});

test('each width of a map is in the style sheet, with a window that is too narrow for it', async () => {
  const { text } = await get({ 'accept-encoding': 'identity' });
  const rules = [...text.matchAll(/max-width: (\d+)px\) \{\s*p\.w(\d+) \{/g)];
  expect(rules.map(([, window, width]) => [Number(width), Number(window)])).toEqual(
    WIDTHS.map((width) => [width, width + 54]),
  );
});

// RFC 9110, 13.1.2: `*` is any representation, tags compare weakly, and 304 says what 200 would.
test.each([
  ['*', 304],
  ['TAG', 304],
  ['W/TAG', 304],
  ['"x", TAG', 304],
  ['"x"', 200],
  ['"*"', 200],
])('If-None-Match: %s is answered %i', async (sent, status) => {
  const { etag = '', vary, 'cache-control': lasting } = (await get(GZIP)).headers;
  const answer = await get({ ...GZIP, 'if-none-match': sent.replace('TAG', String(etag)) });
  expect(answer.status).toBe(status);
  expect([answer.headers.etag, answer.headers.vary, answer.headers['cache-control']]).toEqual([
    etag,
    vary,
    lasting,
  ]);
  expect(answer.text === '').toBe(status === 304);
});

test('a file that does not exist is not found, whatever a browser has', async () => {
  const { status } = await get({ 'if-none-match': '*' }, '/console/assets/none');
  expect(status).toBe(404);
});
