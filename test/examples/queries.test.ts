import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { lintCypherQuery } from '@neo4j-cypher/language-support';

import { GAIN, GIVES, HOLDING } from '../../src/translate/access-rules';

const FOLDER = join(__dirname, '../../cypher/queries');
const queries = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.cypher'))
  .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);

const PARAMETERS = {
  resource: 'Handbook',
  principal: 'ann',
  names: null,
  permission_type: null,
};

test.each(queries)('%s is good Cypher', (_name, query) => {
  expect(lintCypherQuery(query, { parameters: PARAMETERS })).toEqual([]);
});

test.each(queries)('%s begins with its question and its parameters', (_name, query) => {
  expect(query).toMatch(/^\/\/ .*\?\n\/\/\n\/\/ Parameters/);
  const names = [...query.matchAll(/\$(\w+)/g)].map(([, name]) => name);
  for (const name of new Set(names)) expect(query).toContain(`//   :param ${name} => `);
});

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Words of each rule of effective access, and the rule as it is stated once (graph.md 9). */
const RULES: readonly (readonly [words: RegExp, rule: string])[] = [
  [/KNOWN_AS\|[A-Z_|]*HOLDS|HOLDS\|[A-Z_|]*KNOWN_AS/, GAIN],
  [/\bALLOWS\b/, GIVES],
  [/apply_to_sub_resources|fold_resource_type|application_types/, HOLDING],
];

test.each(queries)('%s states no rule of access in words of its own', (_name, query) => {
  const text = onOneLine(query);
  for (const [words, rule] of RULES) {
    if (words.test(text)) expect(text).toContain(onOneLine(rule));
  }
});

test('who can do what is asked by the rules', () => {
  const asking = queries.filter(([, query]) => query.includes(':Entitlement'));
  expect(asking.map(([name]) => name).sort()).toEqual([
    'access/access-of-principal.cypher',
    'access/access-to-resource.cypher',
    'access/check-access.cypher',
    'access/explain-access.cypher',
    'accounts-without-a-person.cypher',
    'who-can-write-to-a-resource.cypher',
  ]);
  for (const [, query] of asking) expect(onOneLine(query)).toContain(onOneLine(GIVES));
});
