import { fileOf, savedScriptOf } from '../../src/kit/saved-query';
import { guide } from '../../src/kit/guide';
import { savedQueries } from '../../src/kit/saved-queries';
import { faultsOf } from '../support/cypher-lint';

/*
 * Neo4j runs every saved query (test/demo/saved-queries.test.ts). The linter also warns of what Neo4j accepts; it takes
 * its time.
 */

test.each(savedQueries().map((query) => [fileOf(query), query.text]))(
  '%s is good Cypher',
  (_name, query) => {
    expect(faultsOf(query)).toEqual([]);
  },
);

test.each(savedQueries().map((query) => [query.name, savedScriptOf(query)]))(
  '%s is good Cypher as Neo4j Browser saves it',
  (_name, text) => {
    expect(faultsOf(text)).toEqual([]);
  },
);

const statementsOfGuide = [
  ...guide('').matchAll(/<pre class="pre-scrollable code runnable">([^<]*)<\/pre>/g),
]
  .map(([, text = '']) => text)
  .map((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
  .filter((text) => !text.startsWith(':'));

test('the guide has statements', () => {
  expect(statementsOfGuide.length).toBeGreaterThan(5);
});

test.each(statementsOfGuide)('a statement of the guide is good Cypher: %#', (text) => {
  expect(faultsOf(text)).toEqual([]);
});
