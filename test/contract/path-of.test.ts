import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { pathOf } from '../../src/contract/parameters/path-of';
import { endpoints } from '../../src/features/keys/endpoints';
import { routeFinder } from '../../src/web/routing/find-route';
import { everyRoute } from '../support/idle-app';

const routes = everyRoute();
const find = routeFinder(routes);

/** What ids may hold: all that a path treats specially, and any letter. */
const id = fc.string({ minLength: 1, unit: fc.constantFrom(...'/%:?#\\.;&=+ ä💥aZ0') });

test('the path of each route leads back to it, with the ids that it was made of', () => {
  for (const route of routes) {
    const names = [...route.path.matchAll(/(?<!\\):(\w+)/g)].map(([, name = '']) => name);
    fc.assert(
      fc.property(fc.array(id, { minLength: names.length, maxLength: names.length }), (texts) => {
        const ids = Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
        const found = find(route.method, pathOf(route, ids));
        expect([found.route, found.params]).toEqual([route, ids]);
      }),
      { numRuns: 20 },
    );
  }
});

test('the compiler demands each id of a path', () => {
  expect(pathOf(endpoints.rotate, { keyId: 'a b' })).toBe('/api/preview/teamkeys/a%20b:rotate');
  // @ts-expect-error The key has no id.
  expect(pathOf(endpoints.rotate, {})).toContain('undefined');
});

const SOURCES = join(__dirname, '../../src');

test('only endpoints spell paths of the interface, and the connector that shows how to write one', () => {
  const spelled = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !file.endsWith('endpoints.ts') &&
      // A sentence has a path between backticks.
      /['"]\/api\/(v1|preview)|`(\$\{\w+\}\/api\/|\/api\/[^`]*\$\{)/.test(
        readFileSync(join(SOURCES, file), 'utf8').replace(/^\s*(\/?\*|\/\/).*$/gm, ''),
      ),
  );
  expect(spelled).toEqual(['demo/connector.ts']);
});
