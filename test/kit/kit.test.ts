import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { strFromU8, unzipSync } from 'fflate';
import supertest from 'supertest';

import { records } from '../../src/features';
import { guide } from '../../src/kit/guide';
import { savedQueries } from '../../src/kit/saved-queries';
import { fileOf, savedScriptOf } from '../../src/kit/saved-query';
import { captionOf, styleSheet } from '../../src/kit/style';
import { nodeKinds } from '../../src/templates/graph/nodes';
import { relationshipKinds } from '../../src/templates/graph/relationships';
import { idleApp } from '../support/idle-app';

const app = idleApp();

const FILES = ['/kit/queries.zip', '/kit/style.grass', '/kit/guide.html'];

describe('the service', () => {
  test('hands out all queries as a zip, a folder for each topic', async () => {
    const answer = await supertest(app).get('/kit/queries.zip').responseType('blob');
    const body: unknown = answer.body;
    expect([answer.status, answer.type]).toEqual([200, 'application/zip']);
    const files = Object.entries(unzipSync(new Uint8Array(body as Buffer)));
    expect(Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]))).toEqual(
      Object.fromEntries(savedQueries().map((query) => [fileOf(query), savedScriptOf(query)])),
    );
    for (const [name] of files) expect(name).toMatch(/^[a-z-]+\/[a-z-]+\.cypher$/);
  });

  test('hands out the style', async () => {
    const { status, text, type } = await supertest(app).get('/kit/style.grass');
    expect([status, text, type]).toEqual([200, styleSheet(records), 'text/plain']);
  });

  test('hands out the guide, which names the address of the service', async () => {
    const { status, text, type } = await supertest(app).get('/kit/guide.html');
    expect([status, type]).toEqual([200, 'text/html']);
    expect(text).toMatch(/:style http:\/\/localhost:\d+\/kit\/style\.grass/);
    const known = idleApp(undefined, 'https://graph.example:8443/of');
    const { text: told } = await supertest(known).get('/kit/guide.html');
    expect(told).toContain(':style https://graph.example:8443/of/kit/style.grass');
  });

  test.each(['graph.example:8443', 'a"b', '<script>', 'user@host', "x'y:80"])(
    'does not repeat %s as its address',
    async (host) => {
      const { text } = await supertest(app).get('/kit/guide.html').set('host', host);
      expect(text).not.toContain(host);
      expect(text).toMatch(/:style http:\/\/localhost:\d+\/kit/);
    },
  );

  test.each(
    FILES.flatMap(
      (path) =>
        [
          // What Neo4j Browser 2026.9 sends to an address on localhost, and to others.
          [path, 'baggage,cache-control,pragma,sentry-trace', app],
          [path, 'cache-control,pragma', app],
          [path, 'traceparent,x-of-the-next-release', app],
          // `CORS_ORIGINS` names pages for the interface; the kit is for all.
          [
            path,
            'baggage,cache-control,pragma,sentry-trace',
            idleApp(['https://access.example.org']),
          ],
        ] as const,
    ),
  )('lets Neo4j Browser fetch %s from another address, with %s', async (path, sent, served) => {
    const asked = await supertest(served)
      .options(path)
      .set('origin', 'http://127.0.0.1:7474')
      .set('access-control-request-method', 'GET')
      .set('access-control-request-headers', sent);
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-headers']).toBe(sent);
    for (const { headers } of [asked, await supertest(served).get(path)]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('lets no other page fetch anything else', async () => {
    for (const path of ['/api/v1/access', '/console', '/metrics', '/sign-in', '/openapi.json']) {
      const { headers } = await supertest(app)
        .options(path)
        .set('origin', 'http://127.0.0.1:7474')
        .set('access-control-request-method', 'GET')
        .set('access-control-request-headers', 'authorization');
      expect([path, headers['access-control-allow-origin']]).toEqual([path, undefined]);
    }
  });

  test.each(FILES)('lets nobody write to %s', async (path) => {
    const { status, headers } = await supertest(app).post(path).send({});
    expect([status, headers.allow]).toEqual([405, 'GET']);
  });
});

/** The rules of a style by selector. */
const rulesOf = (grass: string): ReadonlyMap<string, ReadonlyMap<string, string>> =>
  new Map(
    [...grass.matchAll(/^([\w.]+) \{\n([^}]*(?:\{\w+\}[^}]*)*)\n\}/gm)].map(
      ([, selector = '', lines = '']) => [
        selector,
        new Map([...lines.matchAll(/^ {2}([\w-]+): (.*);$/gm)].map(([, a = '', b = '']) => [a, b])),
      ],
    ),
  );

describe('the style', () => {
  const rules = rulesOf(styleSheet(records));

  test.each([...nodeKinds, ...records].map((kind) => [kind.label, kind] as const))(
    'has a colour and a caption for %s',
    (label, kind) => {
      const rule = rules.get(`node.${label}`);
      expect(rule?.get('color')).toMatch(/^#[\dA-F]{6}$/);
      expect(rule?.get('caption')).toBe(`"{${captionOf(kind)}}"`);
      expect(['key', ...Object.keys(kind.properties)]).toContain(captionOf(kind));
    },
  );

  test('tells the kinds of entities apart by their colours', () => {
    const colours = [...nodeKinds, ...records]
      .filter(({ keeper }) => keeper === 'row' || keeper === 'shared')
      .map(({ label }) => rules.get(`node.${label}`)?.get('color'));
    expect(new Set(colours).size).toBe(colours.length);
    expect(colours).not.toContain(rules.get('node')?.get('color'));
  });

  test('has a rule for each type of relationship', () => {
    for (const { type } of relationshipKinds) expect(rules.has(`relationship.${type}`)).toBe(true);
  });
});

describe('the guide', () => {
  const html = guide('http://127.0.0.1:8080');
  const runnable = [...html.matchAll(/<pre class="pre-scrollable code runnable">([^<]*)<\/pre>/g)]
    .map(([, text = '']) => text)
    .map((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));

  test('has a few slides, each with something to run', () => {
    const slides = html.split('<slide ').slice(1);
    expect(slides.length).toBeGreaterThanOrEqual(6);
    expect(slides.length).toBeLessThanOrEqual(9);
    for (const slide of slides) expect(slide).toContain('runnable');
  });

  test('closes what it opens', () => {
    for (const tag of ['article', 'carousel', 'slide', 'div', 'h3', 'p', 'figure', 'pre', 'b']) {
      const opened = html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length;
      expect([tag, html.split(`</${tag}>`).length - 1]).toEqual([tag, opened]);
    }
  });

  // Neo4j runs them (test/demo/saved-queries), by night in Neo4j Browser (test/full).
  test.each(runnable)('has statements that need nothing set before: %#', (text) => {
    // One command, or one statement that needs nothing set before: of several Neo4j Browser shows no rows.
    if (text.startsWith(':')) expect(text).not.toContain('\n');
    const code = text.replace(/\/\/.*$/gm, '');
    expect(code).not.toMatch(/^:param|\$\w|;\s/m);
  });
});

describe('the saved queries', () => {
  test.each(savedQueries().map((query) => [query.name, savedScriptOf(query)]))(
    '%s runs in Neo4j Browser as it is',
    (_name, text) => {
      expect(text).not.toMatch(/\$\w|:param/);
    },
  );

  test.each(savedQueries().filter(({ parameters }) => parameters.length > 0))(
    '$name has each value once, at its top',
    (query) => {
      const [head = '', rest = ''] = savedScriptOf(query).split('\n} AS asked\n');
      for (const { name, example } of query.parameters) {
        expect(head.split(`\n  ${name}: ${example}`)).toHaveLength(2);
        expect(rest).toContain(`asked.${name}`);
        if (example.startsWith("'")) expect(rest).not.toContain(example);
      }
    },
  );

  test('have names and titles of their own', () => {
    for (const of of ['name', 'title', 'question'] as const) {
      expect(new Set(savedQueries().map((query) => query[of])).size).toBe(savedQueries().length);
    }
  });

  test('stand in the index of cypher/README.md, each with its question', () => {
    const page = readFileSync(join(__dirname, '../../cypher/README.md'), 'utf8');
    for (const { topic, name, question } of savedQueries()) {
      expect(page).toContain(`(queries/${topic}/${name}.cypher) | ${question} |`);
    }
  });
});
