import { type Driver, isDateTime, type Transaction } from 'neo4j-driver';

import type { Contents, NodeGroup, Properties, RelationshipGroup } from './contents';

/** The seconds of a hand-written load. */
export interface YardstickTimes {
  readonly seconds: number;
  readonly steps: {
    readonly nodes: number;
    readonly relationships: number;
    readonly commit: number;
  };
}

interface Batch {
  readonly text: string;
  readonly parameters: Properties;
}

/** The batches of a hand-written load. They are built before the time is taken. */
export interface Yardstick {
  readonly nodes: readonly Batch[];
  readonly relationships: readonly Batch[];
}

const ROWS_PER_BATCH = 10_000;
const IN_FLIGHT = 3;

/** All rows of a push have these properties in common. A hand-written load sends them once. */
const COMMON = ['data_source', 'provider', 'since', 'changed'];

const same = (a: unknown, b: unknown): boolean =>
  a === b || (isDateTime(a) && isDateTime(b) && a.toString() === b.toString());

/** Those of these properties that are in fact equal in all rows. */
const commonOf = (rows: readonly Properties[]): Properties => {
  const first = rows[0] ?? {};
  return Object.fromEntries(
    COMMON.filter((name) => Object.hasOwn(first, name))
      .filter((name) => rows.every((row) => same(row[name], first[name])))
      .map((name) => [name, first[name]]),
  );
};

const without = (properties: Properties, left: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !Object.hasOwn(left, name)));

const batchesOf = (
  text: string,
  name: string,
  rows: readonly unknown[],
  common: Properties,
): readonly Batch[] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_BATCH) }, (_, index) => ({
    // Neo4j would plan the statements again as the graph grows, which takes seconds. The first plan
    // stays right.
    text: `CYPHER replan=skip\n${text}`,
    parameters: {
      ...common,
      [name]: rows.slice(index * ROWS_PER_BATCH, (index + 1) * ROWS_PER_BATCH),
    },
  }));

/** Whether the load uses CREATE, or MERGE as most loaders do. */
type Manner = 'CREATE' | 'MERGE';

const nodeBatches = ({ labels, keyed, rows }: NodeGroup, manner: Manner): readonly Batch[] => {
  const common = commonOf(rows);
  const set = Object.keys(common).map((name) => `, n.${name} = $${name}`);
  const others = labels.filter((label) => label !== keyed).map((label) => `, n:${label}`);
  const made =
    manner === 'CREATE'
      ? `CREATE (n:${labels.join(':')})\nSET n = row${set.join('')}`
      : `MERGE (n:${keyed} {key: row.key})\nSET n += row${[...set, ...others].join('')}`;
  return batchesOf(
    `UNWIND $rows AS row\n${made}`,
    'rows',
    rows.map((row) => without(row, common)),
    common,
  );
};

const relationshipBatches = (group: RelationshipGroup, manner: Manner): readonly Batch[] => {
  const { from, type, to, rows } = group;
  const common = commonOf(rows.map(({ properties }) => properties));
  const own = rows.map(({ properties }) => without(properties, common));
  const hasOwn = own.some((properties) => Object.keys(properties).length > 0);
  const names = Object.keys(common);
  const literal = names.map((name) => `${name}: $${name}`);
  const set = [...names.map((name) => `r.${name} = $${name}`), ...(hasOwn ? ['r += pair[2]'] : [])];
  const made =
    manner === 'CREATE'
      ? `CREATE (a)-[r:${type} {${literal.join(', ')}}]->(b)${hasOwn ? '\nSET r += pair[2]' : ''}`
      : `MERGE (a)-[r:${type}]->(b)\nSET ${set.join(', ')}`;
  return batchesOf(
    `UNWIND $pairs AS pair
MATCH (a:${from} {key: pair[0]})
MATCH (b:${to} {key: pair[1]})
${made}`,
    'pairs',
    rows.map((row, index) => (hasOwn ? [row.from, row.to, own[index]] : [row.from, row.to])),
    common,
  );
};

/**
 * Builds `UNWIND … CREATE` batches that write exactly what is in the graph. With MERGE the other
 * properties follow in `SET`.
 */
export const yardstickOf = (
  { nodes, relationships }: Contents,
  manner: Manner = 'CREATE',
): Yardstick => ({
  nodes: nodes.flatMap((group) => nodeBatches(group, manner)),
  relationships: relationships.flatMap((group) => relationshipBatches(group, manner)),
});

const runAll = async (tx: Transaction, batches: readonly Batch[]): Promise<void> => {
  const sent: Promise<unknown>[] = [];
  for (const [index, { text, parameters }] of batches.entries()) {
    await sent[index - IN_FLIGHT];
    sent.push(tx.run(text, parameters).then((result) => result));
  }
  await Promise.all(sent);
};

const secondsBetween = (start: number, end: number): number => (end - start) / 1000;

/** Writes everything in one transaction, with several batches sent at once. */
export const runYardstick = async (
  driver: Driver,
  database: string,
  { nodes, relationships }: Yardstick,
): Promise<YardstickTimes> => {
  const session = driver.session({ database });
  try {
    const start = performance.now();
    const tx = await session.beginTransaction();
    await runAll(tx, nodes);
    const withNodes = performance.now();
    await runAll(tx, relationships);
    const withAll = performance.now();
    await tx.commit();
    const end = performance.now();
    return {
      seconds: secondsBetween(start, end),
      steps: {
        nodes: secondsBetween(start, withNodes),
        relationships: secondsBetween(withNodes, withAll),
        commit: secondsBetween(withAll, end),
      },
    };
  } finally {
    await session.close();
  }
};

/**
 * Writes everything with a commit for each batch and several writers at once: first all nodes, then
 * the relationships.
 */
export const runYardstickInParts = async (
  driver: Driver,
  database: string,
  { nodes, relationships }: Yardstick,
): Promise<YardstickTimes> => {
  const start = performance.now();
  const write = async (batches: readonly Batch[]): Promise<void> => {
    for (const { text, parameters } of batches) {
      const session = driver.session({ database });
      try {
        // The driver retries a transaction that deadlocks with another, as in any loader.
        await session.executeWrite((tx) => tx.run(text, parameters));
      } finally {
        await session.close();
      }
    }
  };
  await write(nodes);
  const withNodes = performance.now();
  await write(relationships);
  const end = performance.now();
  return {
    seconds: secondsBetween(start, end),
    steps: {
      nodes: secondsBetween(start, withNodes),
      relationships: secondsBetween(withNodes, end),
      commit: 0,
    },
  };
};
