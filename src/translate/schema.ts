import { nodeKinds } from '../model/nodes';

const name = (...parts: readonly string[]): string =>
  parts.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()).join('_');

/** Constraints, then indexes, each with `IF NOT EXISTS`: uniqueness is all that Community has (neo4j.md 3). */
export const schemaStatements = (): readonly string[] =>
  nodeKinds.flatMap(({ label, unique, indexes }) => [
    ...['key', ...unique].map(
      (property) =>
        `CREATE CONSTRAINT ${name(label, property)} IF NOT EXISTS FOR (n:${label}) REQUIRE n.${property} IS UNIQUE`,
    ),
    ...indexes.map((index) => {
      const properties = [index].flat();
      return `CREATE INDEX ${name(label, ...properties)} IF NOT EXISTS FOR (n:${label}) ON (${properties.map((property) => `n.${property}`).join(', ')})`;
    }),
  ]);

/** The lock node, made once. */
export const BINDING_LOCK =
  "MERGE (lock:BindingLock {key: 'binding'}) ON CREATE SET lock.kinds = []";
