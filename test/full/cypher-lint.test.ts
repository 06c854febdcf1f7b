import { lintCypherQuery } from '@neo4j-cypher/language-support';

import { fileOf, savedScriptOf } from '../../src/kit/saved-query';
import { savedQueries } from '../../src/kit/saved-queries';
import { catalog } from '../../src/translate/catalog';
import { BINDING_LOCK, schemaStatements } from '../../src/translate/schema';

/*
 * Neo4j plans every statement (test/graph/plans.test.ts) and runs every saved query (test/demo/saved-queries.test.ts).
 * The linter finds the same faults without a server, and warns of what Neo4j accepts; it takes its time.
 */

const faultsOf = (text: string): readonly unknown[] => {
  const names = [...text.matchAll(/\$(\w+)/g)].map(([, name]) => [name as string, null]);
  const parameters = Object.fromEntries(names) as Record<string, null>;
  return lintCypherQuery(text, { parameters }).map(({ message }) => message);
};

// Names of labels and types follow a colon or a bar; the model's own test says that they are plain words. The linter
// reads one statement of each shape.
const shapeOf = (text: string): string =>
  text.replace(/(?<=[:|])[A-Z]\w*|\b[a-z]\w*(?= IF NOT EXISTS)|(?<=\bn\.)\w+/g, 'Name');

test('statements of every shape are good Cypher', () => {
  const texts = [...catalog().map(({ text }) => text), ...schemaStatements(), BINDING_LOCK];
  const shapes = new Map(texts.map((text) => [shapeOf(text), text]));
  const faults = [...shapes.values()].flatMap((text) =>
    faultsOf(text).map((message) => ({ message, text })),
  );
  expect(faults).toEqual([]);
}, 300_000);

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
