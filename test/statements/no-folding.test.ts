import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listStatements } from '../../src/features';

/** What folds or composes a text in Cypher. */
const FOLDS = /(?<![.\w])(toLower|toUpper|normalize)\s*\((?!value\))/;

/** What the saved queries do with what an analyst types: a parameter, or a `name` from a list of parameters. */
const TYPED =
  /replace\(normalize\(toLower\(normalize\((\$\w+|name)\)\)\), 'ς', 'σ'\)|normalize\((\$\w+|name)\)/g;

const root = join(__dirname, '../..');
const filesBelow = (folder: string, end: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(end))
    .map((path) => join(folder, path));

// Neo4j has another lower case than the service, so the two would disagree about some names.
describe('data is folded in the process alone (docs/rules.md: Folding)', () => {
  test('no statement of the catalogue folds', () => {
    expect(
      listStatements().flatMap(({ title, text }) => (FOLDS.test(text) ? [title] : [])),
    ).toEqual([]);
  });

  test('no source makes Cypher that folds, but for what analysts type', () => {
    const folding = [...filesBelow('src', '.ts'), ...filesBelow('src', '.tsx')].filter((path) =>
      FOLDS.test(readFileSync(join(root, path), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')),
    );
    expect(folding).toEqual(['src/kit/shared-rules.ts']);
  });

  test.each(filesBelow('cypher', '.cypher'))('%s folds nothing but what is typed', (path) => {
    expect(readFileSync(join(root, path), 'utf8').replaceAll(TYPED, '')).not.toMatch(FOLDS);
  });
});
