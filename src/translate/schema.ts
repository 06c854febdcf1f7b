import { nodeKinds } from '../templates/graph/nodes';

const name = (...parts: readonly string[]): string =>
  parts.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()).join('_');

/** A constraint or an index that pushes rely on. */
export interface SchemaItem {
  readonly name: string;
  readonly what: 'constraint' | 'index';
  readonly statement: string;
}

/** Constraints, then indexes, of each label, made with `IF NOT EXISTS`: uniqueness is all that Community has (neo4j.md 3). */
export const schemaItems = (): readonly SchemaItem[] =>
  nodeKinds.flatMap(({ label, unique, indexes }) => [
    ...['key', ...unique].map((property): SchemaItem => {
      const called = name(label, property);
      const statement = `CREATE CONSTRAINT ${called} IF NOT EXISTS FOR (n:${label}) REQUIRE n.${property} IS UNIQUE`;
      return { name: called, what: 'constraint', statement };
    }),
    ...indexes.map((index): SchemaItem => {
      const properties = [index].flat();
      const called = name(label, ...properties);
      const statement = `CREATE INDEX ${called} IF NOT EXISTS FOR (n:${label}) ON (${properties.map((property) => `n.${property}`).join(', ')})`;
      return { name: called, what: 'index', statement };
    }),
  ]);

/** What makes them all. */
export const schemaStatements = (): readonly string[] =>
  schemaItems().map(({ statement }) => statement);

/** Which of them stand: a constraint has an index of its own name. */
export const STANDING_SCHEMA = `SHOW INDEXES YIELD name, owningConstraint
RETURN name, CASE WHEN owningConstraint IS NULL THEN 'index' ELSE 'constraint' END AS what`;

/** The lock node, made once. */
export const BINDING_LOCK =
  "MERGE (lock:BindingLock {key: 'binding'}) ON CREATE SET lock.kinds = []";
