import neo4j, { type Driver } from 'neo4j-driver';

import { records } from '../../src/features';
import {
  labelsOf,
  textOfValues,
  type End,
  type Graph,
  type Label,
  type Node,
  type Relationship,
  type Value,
  type Values,
} from '../mirror/graph';
import { testNeo4j } from '../support/neo4j';

/** Nodes that the service keeps for itself (docs/rules.md: Nodes), and its lock. */
const kept = records.map(({ label }) => label);

/** What everything has, as text: the driver takes long for a time. */
const DATES = ['since', 'changed'];

const nodeQuery = `MATCH (n) WHERE NONE(label IN labels(n) WHERE label IN $kept)
RETURN labels(n) AS labels, ${valuesFrom('n')}`;

const relationshipQuery = `MATCH (a)-[r]->(b)
WHERE NONE(label IN labels(a) WHERE label IN $kept)
RETURN type(r) AS type, ${valuesFrom('r')},
       labels(a) AS fromLabels, a.key AS from, labels(b) AS toLabels, b.key AS to`;

/** The whole graph as it stands in Neo4j, but for the service's own records, in two queries. */
export async function storedGraph(driver: Driver): Promise<Graph> {
  const { database } = testNeo4j();
  const read = async (query: string): Promise<readonly Record<string, unknown>[]> => {
    const { records } = await driver.executeQuery(query, { kept }, { database });
    return records.map((record) => record.toObject());
  };
  const [nodes, relationships] = await Promise.all([read(nodeQuery), read(relationshipQuery)]);
  return { nodes: nodes.map(nodeOf), relationships: relationships.map(relationshipOf) };
}

const pastQuery = `MATCH (n:Past)
RETURN labels(n) AS labels, n {.*, since: null, from: null, until: null} AS properties,
       [toString(n.since), toString(n.from), toString(n.until)] AS dates`;

/** A fact that ended, as it stands in Neo4j. */
export interface StoredPast {
  /** Its labels in their order, with colons between them. */
  readonly labels: string;
  readonly values: Values;
}

/** The facts that ended, each as a text that begins with its label (docs/rules.md: History). */
export async function storedPast(driver: Driver): Promise<readonly string[]> {
  return (await storedPastFacts(driver)).map(({ labels, values }) => textOfPast(labels, values));
}

/** The facts that ended (docs/rules.md: History). */
export async function storedPastFacts(driver: Driver): Promise<readonly StoredPast[]> {
  const { database } = testNeo4j();
  const { records } = await driver.executeQuery(pastQuery, {}, { database });
  return records.map((record) => {
    const labels = (record.get('labels') as readonly string[]).toSorted();
    const dates = record.get('dates') as readonly (string | null)[];
    const told = ['since', 'from', 'until'].flatMap((name, at) => {
      const text = dates[at] ?? null;
      return text === null ? [] : [[name, { instant: plainInstant(text) }] as const];
    });
    const others = Object.entries(record.get('properties') as Record<string, unknown>).filter(
      ([name, value]) => value !== null && !/^fold_application_types?$/.test(name),
    );
    const values = { ...everyValueOf(Object.fromEntries(others)), ...Object.fromEntries(told) };
    return { labels: labels.join(':'), values };
  });
}

/** When the facts of a data source ended that was deleted, as the event of its deletion tells. */
export async function momentOfDeletion(driver: Driver, id: string): Promise<string> {
  const { records } = await driver.executeQuery(
    "MATCH (event:Event {entity_id: $id, event_type: 'DATASOURCE_DELETED'}) RETURN event.metadata AS metadata",
    { id },
    { database: testNeo4j().database },
  );
  const { ended_at } = JSON.parse(records[0]?.get('metadata') as string) as { ended_at: string };
  return plainInstant(ended_at);
}

/** A past fact as a text. */
export function textOfPast(labels: string, values: Values): string {
  return `${labels} ${textOfValues(values)}`;
}

/** All that the service itself keeps, as text. */
export async function serviceRecords(driver: Driver): Promise<readonly string[]> {
  const { database } = testNeo4j();
  const query =
    'MATCH (n) WHERE ANY(label IN labels(n) WHERE label IN $kept) RETURN properties(n) AS properties';
  const { records } = await driver.executeQuery(query, { kept }, { database });
  return records
    .map((record) => textOfValues(valuesOf(record.get('properties') as Record<string, unknown>)))
    .toSorted();
}

function nodeOf(one: Record<string, unknown>): Node {
  const labels = one.labels as readonly string[];
  const properties = one.properties as Record<string, unknown>;
  return {
    label: labelOf(labels) as Label,
    key: properties.key as string,
    labels: labels.toSorted(),
    properties: allValuesOf(one),
  };
}

function relationshipOf(one: Record<string, unknown>): Relationship {
  const end = (labels: unknown, key: unknown): End => ({
    label: labelOf(labels as readonly string[]),
    key: key as string,
  });
  return {
    type: one.type as string,
    from: end(one.fromLabels, one.from),
    to: end(one.toLabels, one.to),
    properties: allValuesOf(one),
  };
}

/** Cypher for the properties of something: its dates and whether they are times, and the others. */
function valuesFrom(variable: string): string {
  const dates = DATES.map((name) => `${variable}.${name}`);
  const none = DATES.map((name) => `${name}: null`);
  return `${variable} {.*, ${none.join(', ')}} AS properties,
       [${dates.map((date) => `toString(${date})`).join(', ')}] AS dates,
       ${dates.map((date) => `${date} IS :: ZONED DATETIME`).join(' AND ')} AS areTimes`;
}

/** All that something says, with the dates that `valuesFrom` tells apart. */
function allValuesOf(one: Record<string, unknown>): Values {
  if (one.areTimes !== true) throw new Error(`No time: ${JSON.stringify(one)}`);
  const texts = one.dates as readonly (string | null)[];
  const dates = DATES.flatMap((name, at) => {
    const text = texts[at] ?? null;
    return text === null ? [] : [[name, { instant: plainInstant(text) }] as const];
  });
  const others = Object.entries(one.properties as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return { ...valuesOf(Object.fromEntries(others)), ...Object.fromEntries(dates) };
}

/** The label that names a node's kind; labels beside it are shared by several kinds. */
function labelOf(labels: readonly string[]): End['label'] {
  return (labels.find((label) => Object.hasOwn(labelsOf, label)) ?? labels.join(':')) as Label;
}

/** Properties but `row_hash` and what look-ups need, which are outside what a row says (docs/rules.md: Nodes). */
function valuesOf(properties: Record<string, unknown>): Values {
  const said = Object.entries(properties).filter(
    ([name]) => name !== 'row_hash' && !name.startsWith('fold_'),
  );
  return Object.fromEntries(said.map(([name, value]) => [name, valueOf(value)]));
}

/** All properties of a past fact but the folded types that saved queries compare. */
function everyValueOf(properties: Record<string, unknown>): Values {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, valueOf(value)]),
  );
}

function valueOf(value: unknown): Value {
  if (neo4j.isDateTime(value)) return { instant: plainInstant(value.toString()) };
  if (typeof value === 'bigint' || neo4j.isInt(value)) return `integer ${String(value)}`;
  return value as Value;
}

/** A time without the zeros that end its fraction (docs/rules.md: Values). */
export function plainInstant(text: string): string {
  return text.replace(/(\.\d*?)0+Z$/, '$1Z').replace('.Z', 'Z');
}
