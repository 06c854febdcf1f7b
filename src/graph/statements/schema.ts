import { ENTITY, type NodeKind } from '../../model/table';
import { nodeKinds } from '../../templates/graph/nodes';
import { ACCESS_TYPES } from '../../access/relationship-types';

const name = (...parts: readonly string[]): string =>
  parts.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()).join('_');

/** A constraint or an index that pushes rely on. */
export interface SchemaItem {
  readonly name: string;
  readonly what: 'constraint' | 'index';
  readonly statement: string;
}

const uniqueIn = (label: string, property: string): SchemaItem => {
  const called = name(label, property);
  const statement = `CREATE CONSTRAINT ${called} IF NOT EXISTS FOR (n:${label}) REQUIRE n.${property} IS UNIQUE`;
  return { name: called, what: 'constraint', statement };
};

/**
 * The constraints and indexes of each label, with `IF NOT EXISTS`. The Community edition has no
 * constraints but uniqueness.
 */
export const schemaItems = (records: readonly NodeKind[]): readonly SchemaItem[] => [
  ...[...nodeKinds, ...records].flatMap(({ label, keeper, unique, indexes }) => [
    // The key of an entity is unique among all entities. Several versions of one node share its key.
    ...[...(keeper === 'service' ? ['key'] : []), ...unique].map((property) =>
      uniqueIn(label, property),
    ),
    ...indexes.map((index): SchemaItem => {
      const properties = [index].flat();
      const called = name(label, ...properties);
      const statement = `CREATE INDEX ${called} IF NOT EXISTS FOR (n:${label}) ON (${properties.map((property) => `n.${property}`).join(', ')})`;
      return { name: called, what: 'index', statement };
    }),
  ]),
  // After the labels of the kinds: Neo4j returns the labels of a node in the order in which it met them.
  uniqueIn(ENTITY, 'key'),
  // Questions about changes of access find what began in a period.
  ...ACCESS_TYPES.map((type): SchemaItem => {
    const called = name(type, 'since');
    const statement = `CREATE INDEX ${called} IF NOT EXISTS FOR ()-[r:${type}]-() ON (r.since)`;
    return { name: called, what: 'index', statement };
  }),
];

/** The statements that make them all. */
export const schemaStatements = (records: readonly NodeKind[]): readonly string[] =>
  schemaItems(records).map(({ statement }) => statement);

/** The constraints and indexes that exist. The index of a constraint has the constraint's name. */
export const STANDING_SCHEMA = `SHOW INDEXES YIELD name, owningConstraint
RETURN name, CASE WHEN owningConstraint IS NULL THEN 'index' ELSE 'constraint' END AS what`;

/**
 * Makes the labels of all kinds known to Neo4j before the label of all entities. Neo4j lists the labels
 * of a node in the order in which it first met them, so `labels(n)[0]` is the label of the kind.
 */
export const MEET_LABELS = `CREATE (n:${nodeKinds.map(({ label }) => label).join(':')}) DELETE n`;

/** Makes the node of the derivation lock, once. */
export const BINDING_LOCK =
  "MERGE (lock:BindingLock {key: 'binding'}) ON CREATE SET lock.kinds = [], lock.epoch = randomUUID()";
