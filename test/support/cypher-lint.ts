import { lintCypherQuery } from '@neo4j-cypher/language-support';

/** What Neo4j's linter says of a text in Cypher. It also finds what one of the two lines of Neo4j refuses. */
export const faultsOf = (text: string): readonly unknown[] => {
  const names = [...text.matchAll(/\$(\w+)/g)].map(([, name]) => [name as string, null]);
  const parameters = Object.fromEntries(names) as Record<string, null>;
  return lintCypherQuery(text, { parameters }).map(({ message }) => message);
};
