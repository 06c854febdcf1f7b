import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { savedQueries } from '../../src/kit/saved-queries';
import { fileOf } from '../../src/kit/saved-query';
import { GAIN, GIVES, HOLDING } from '../../src/graph/statements/access-rules';

const FOLDER = join(__dirname, '../../cypher/queries');
const queries = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.cypher'))
  .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);

const namesIn = (query: string): readonly string[] => [
  ...new Set([...query.matchAll(/\$(\w+)/g)].map(([, name]) => name as string)),
];

test.each(queries)('%s begins with its title, its question and its parameters', (_name, query) => {
  expect(query).toMatch(/^(\/\/ .*\n)+\/\/\n\/\/ Parameters/);
  expect(query.slice(0, query.indexOf('// Parameters'))).toContain('?\n//\n');
  for (const name of namesIn(query)) expect(query).toContain(`//   :param ${name} => `);
});

test('the service leaves no query out of what it hands to analysts', () => {
  expect(savedQueries().map(fileOf)).toEqual(queries.map(([name]) => name).sort());
});

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Words of each rule of effective access, and the rule as it is stated once (docs/rules.md: Effective access). */
const RULES: readonly (readonly [words: RegExp, rule: string])[] = [
  [/KNOWN_AS\|[A-Z_|]*HOLDS|HOLDS\|[A-Z_|]*KNOWN_AS/, GAIN],
  [/\bALLOWS\b/, GIVES],
  [/apply_to_sub_resources|fold_resource_type|application_types/, HOLDING],
];

/** Queries about what was walk from key to key, as the rules about what is cannot. */
const aboutNow = queries.filter(([name]) => !name.startsWith('history/'));

test.each(aboutNow)('%s states no rule of access in words of its own', (_name, query) => {
  const text = onOneLine(query);
  for (const [words, rule] of RULES) {
    // The words of a rule may stand in another one.
    const others = RULES.map(([, other]) => onOneLine(other)).filter(
      (other) => other !== onOneLine(rule),
    );
    const rest = others.reduce((left, other) => left.replaceAll(other, ''), text);
    if (words.test(rest)) expect(text).toContain(onOneLine(rule));
  }
});

test('who can do what is asked by the rules', () => {
  const asking = queries.filter(([, query]) => /-\[:OF\]->\(given\)/.test(query));
  expect(asking.length).toBeGreaterThan(20);
  for (const [, query] of asking) expect(onOneLine(query)).toContain(onOneLine(GIVES));
});
