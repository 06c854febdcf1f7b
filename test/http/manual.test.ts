import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import supertest from 'supertest';

import { manual, renderedPage } from '../../src/features/manual/manual';
import { idleApp } from '../support/idle-app';
import { listenLocally } from './service-under-test';

const app = idleApp();
const PAGES = [
  'readme',
  'api',
  'architecture',
  'connectors',
  'increments',
  'operating',
  'performance',
  'recipes',
  'rules',
  'security',
  'cypher',
];
const ROOT = join(__dirname, '../..');

const pageAt = async (path: string): Promise<supertest.Response> => supertest(app).get(path);

const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

test.each(PAGES)('/manual/%s is a page that anybody may read', async (name) => {
  const { status, headers, text } = await pageAt(`/manual/${name}`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'unsafe-inline'; img-src 'self'/,
  );
  expect(headers['content-security-policy']).not.toContain('script');
  expect(text).toMatch(/<h1 id="[^"]+">/);
  expect(text).not.toContain('&lt;!--');
  expect(text).not.toContain('<script');
});

// Before, it was 404.
test('/manual leads to the first page', async () => {
  const { status, headers } = await pageAt('/manual');
  expect([status, headers.location]).toEqual([303, '/manual/readme']);
  expect((await pageAt('/manual?x=1')).status).toBe(400);
});

// Before, a phone cut off what was wider, and the keyboard did not reach it.
test('tables and examples can be scrolled by the keyboard, and a page leads to the first one', async () => {
  const { text } = await pageAt('/manual/connectors');
  expect(text).toContain('<table tabindex="0">');
  expect(text).toMatch(/<pre><code tabindex="0" class="language-/);
  expect(text.replaceAll('<table tabindex="0">', '')).not.toContain('<table');
  expect(text).toContain('<nav aria-label="Pages"><a href="/">Grantgraph</a></nav>');
});

test('every link and picture of every page leads somewhere', async () => {
  const pages = [...manual()].filter(([, { type }]) => type === 'html');
  expect(pages.map(([name]) => name)).toEqual(expect.arrayContaining(PAGES));
  let pictures = 0;
  for (const [name] of pages) {
    const { text } = await pageAt(`/manual/${name}`);
    for (const link of attributes(text, 'href').filter((each) => !/^https?:/.test(each))) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? { status: 200, text } : await pageAt(path);
      expect([name, link, target.status]).toEqual([name, link, 200]);
      const isThere = anchor === undefined || target.text.includes(` id="${anchor}"`);
      expect([name, link, isThere]).toEqual([name, link, true]);
    }
    for (const source of attributes(text, 'src')) {
      const { status, headers } = await pageAt(source);
      expect([source, status, headers['content-type']]).toEqual([source, 200, 'image/png']);
      pictures += 1;
    }
  }
  expect(pictures).toBeGreaterThan(2);
});

test('the first page says of each other page for whom it is', async () => {
  const { text } = await pageAt('/manual/readme');
  const rows = text.matchAll(
    /<tr>\s*<td>[a-z, ]+<\/td>\s*<td>[^<]+<\/td>\s*<td>(.*)<\/td>\s*<\/tr>/g,
  );
  const linked = [...rows]
    .flatMap(([, links = '']) => attributes(links, 'href'))
    .map((link) => link.replace(/#.*/, ''));
  const pages = [...manual()].filter(([name, { type }]) => type === 'html' && name !== 'readme');
  expect(pages.map(([name]) => `/manual/${name}`).filter((each) => !linked.includes(each))).toEqual(
    [],
  );
});

test('a page links to the others, and not to what the manual does not have', async () => {
  const { text } = await pageAt('/manual/readme');
  expect(text).toContain('<a href="/manual/architecture">docs/architecture.md</a>');
  expect(text).toContain('<a href="/manual/cypher">cypher/README.md</a>');
  expect(text).toContain('<span>examples/company</span>');
  expect((await pageAt('/manual/operating')).text).toContain('<h1');
});

test('raw HTML and scripts in a page are text', () => {
  const { html, title } = renderedPage(
    [
      '<!-- settings -->',
      '# One & two',
      '<script>alert(1)</script> <img src=x onerror=alert(2)>',
      '',
      '[a](javascript:alert(3)) [b](data:text/html,x) [c](/etc/passwd) [d](other.md#part)',
      '## Part',
      '## Part',
    ].join('\n'),
    'docs/here.md',
    new Map([['docs/other.md', 'other']]),
  );
  expect(title).toBe('One & two');
  expect(html).toBe(
    [
      '<h1 id="one--two">One &amp; two</h1>',
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(2)&gt;</p>',
      '<p>[a](javascript:alert(3)) [b](data:text/html,x) <span>c</span> <a href="/manual/other#part">d</a></p>',
      '<h2 id="part">Part</h2>',
      '<h2 id="part-1">Part</h2>',
      '',
    ].join('\n'),
  );
});

test.each([
  '/manual/package.json',
  '/manual/../package.json',
  '/manual/..%2Fpackage.json',
  '/manual/%2e%2e%2fpackage.json',
  '/manual/..%5Cpackage.json',
  '/manual/docs%2Frules.md',
  '/manual/rules.md',
  '/manual/__proto__',
  '/manual/readme%00',
])('%s is 404', async (path) => {
  // As it is spelled: other clients tidy paths up.
  const { port, close } = await listenLocally(app);
  const status = await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end();
  });
  await close();
  expect(status).toBe(404);
});

test('the image has the manual', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  for (const part of ['README.md', 'docs', 'cypher']) {
    expect(dockerfile).toMatch(new RegExp(`^COPY ${part} `, 'm'));
    expect(ignored).toContain(`!${part}`);
  }
});
