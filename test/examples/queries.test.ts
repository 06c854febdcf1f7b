import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { lintCypherQuery } from '@neo4j-cypher/language-support';

const FOLDER = join(__dirname, '../../cypher/queries');
const queries = readdirSync(FOLDER).map(
  (name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const,
);

test.each(queries)('%s is good Cypher', (_name, query) => {
  expect(lintCypherQuery(query, { parameters: { resource: 'Handbook' } })).toEqual([]);
});

test.each(queries)('%s begins with its question and its parameters', (_name, query) => {
  expect(query).toMatch(/^\/\/ .*\?\n\/\/\n\/\/ Parameters/);
  const names = [...query.matchAll(/\$(\w+)/g)].map(([, name]) => name);
  for (const name of new Set(names)) expect(query).toContain(`//   :param ${name} => `);
});
