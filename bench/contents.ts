import { createHash } from 'node:crypto';

import neo4j, { type Driver } from 'neo4j-driver';

import { records } from '../src/features';

/** Properties as the driver takes and returns them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Nodes with the same labels. */
export interface NodeGroup {
  readonly labels: readonly string[];
  /** The label that has the unique key. */
  readonly keyed: string;
  readonly rows: readonly Properties[];
}

/** Relationships of one type between two labels. Their ends are named by key. */
export interface RelationshipGroup {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly rows: readonly {
    readonly from: string;
    readonly to: string;
    readonly properties: Properties;
  }[];
}

/** Everything that a push wrote, without the records of the service. */
export interface Contents {
  readonly nodes: readonly NodeGroup[];
  readonly relationships: readonly RelationshipGroup[];
}

/** A number of nodes and of relationships. */
export interface Counts {
  readonly nodes: number;
  readonly relationships: number;
}

const SERVICE_LABELS = records.map(({ label }) => label);
const isContent = (name: string): string =>
  `NOT (${SERVICE_LABELS.map((label) => `${name}:${label}`).join(' OR ')})`;

const DELETED_AT_ONCE = 20_000;

/** Reads and empties the graph for the bench. */
export class BenchGraph {
  constructor(
    private readonly driver: Driver,
    private readonly database: string,
  ) {}

  /** Refuses a graph that is not empty, since the bench would empty it. */
  async requireEmpty(): Promise<void> {
    const [found] = await this.rows('MATCH (n) WHERE NOT n:BindingLock RETURN count(n) AS nodes');
    if (Number(found?.nodes) > 0) {
      throw new Error('The bench empties the graph: give it an empty one in NEO4J_URI.');
    }
  }

  /** Reads everything that pushes wrote, ready to be written again. */
  async read(): Promise<Contents> {
    const keyed = await this.keyedLabels();
    const labelOf = (labels: unknown): string =>
      (labels as string[]).find((label) => keyed.has(label)) ?? '';
    const nodes = new Map<string, Omit<NodeGroup, 'rows'> & { rows: Properties[] }>();
    for (const { labels, properties } of await this.rows(
      `MATCH (n) WHERE ${isContent('n')} RETURN labels(n) AS labels, properties(n) AS properties`,
    )) {
      const sorted = (labels as string[]).toSorted();
      const group = nodes.get(sorted.join(':')) ?? {
        labels: sorted,
        keyed: labelOf(labels),
        rows: [],
      };
      group.rows.push(properties as Properties);
      nodes.set(sorted.join(':'), group);
    }
    const relationships = new Map<
      string,
      Omit<RelationshipGroup, 'rows'> & { rows: RelationshipGroup['rows'][number][] }
    >();
    for (const row of await this.rows(
      `MATCH (a)-[r]->(b) WHERE ${isContent('a')}
       RETURN labels(a) AS fromLabels, a.key AS from, type(r) AS type, labels(b) AS toLabels, b.key AS to, properties(r) AS properties`,
    )) {
      const [from, type, to] = [labelOf(row.fromLabels), String(row.type), labelOf(row.toLabels)];
      const name = `${from} ${type} ${to}`;
      const group = relationships.get(name) ?? { from, type, to, rows: [] };
      group.rows.push({
        from: row.from as string,
        to: row.to as string,
        properties: row.properties as Properties,
      });
      relationships.set(name, group);
    }
    return { nodes: [...nodes.values()], relationships: [...relationships.values()] };
  }

  /** Removes what pushes wrote. Providers, data sources and records of pushes stay. */
  async clear(): Promise<void> {
    await this.deleteAll(`MATCH (n)-[x]->() WHERE ${isContent('n')}`);
    await this.deleteAll(`MATCH (x) WHERE ${isContent('x')}`);
  }

  /** Creates bare nodes of the service to which relationships of these contents lead, and gives their labels. */
  async standIns({ relationships }: Contents): Promise<readonly string[]> {
    const groups = relationships.filter(({ to }) => SERVICE_LABELS.includes(to));
    for (const { to, rows } of groups) {
      const keys = [...new Set(rows.map((row) => row.to))];
      const parameters = { keys };
      const cypher = `UNWIND $keys AS key MERGE (n:${to} {key: key}) RETURN count(n) AS nodes`;
      await this.driver.executeQuery(cypher, parameters, { database: this.database });
    }
    return [...new Set(groups.map(({ to }) => to))];
  }

  /** Removes all nodes with these labels. */
  async remove(labels: readonly string[]): Promise<void> {
    for (const label of labels) await this.deleteAll(`MATCH (x:${label})`);
  }

  /** Removes the facts that ended. */
  async clearPast(): Promise<void> {
    await this.deleteAll('MATCH (x:Past)');
  }

  /** Removes everything but the schema and the node of the derivation lock. */
  async clearAll(): Promise<void> {
    await this.deleteAll('MATCH ()-[x]->()');
    await this.deleteAll('MATCH (x) WHERE NOT x:BindingLock');
  }

  /** The name and version of the server. */
  async version(): Promise<string> {
    const { agent } = await this.driver.getServerInfo({ database: this.database });
    return agent ?? 'unknown';
  }

  /** The labels with a unique key. Each node has exactly one of them. */
  private async keyedLabels(): Promise<ReadonlySet<string>> {
    const rows = await this.rows(
      "SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE properties = ['key'] RETURN labelsOrTypes[0] AS label",
    );
    return new Set(rows.map(({ label }) => label as string));
  }

  private async deleteAll(match: string): Promise<void> {
    const cypher = `${match} WITH x LIMIT ${DELETED_AT_ONCE} DELETE x RETURN count(*) AS removed`;
    for (;;) {
      const [removed] = await this.rows(cypher);
      if (Number(removed?.removed) === 0) return;
    }
  }

  /** The number of nodes and relationships, including those of the service. */
  async size(): Promise<Counts> {
    const [nodes] = await this.rows('MATCH (n) RETURN count(n) AS count');
    const [relationships] = await this.rows('MATCH ()-[r]->() RETURN count(r) AS count');
    return { nodes: Number(nodes?.count), relationships: Number(relationships?.count) };
  }

  private async rows(cypher: string): Promise<Readonly<Record<string, unknown>>[]> {
    const { records } = await this.driver.executeQuery(cypher, {}, { database: this.database });
    return records.map((record) => record.toObject());
  }
}

/** Counts nodes and relationships. */
export const countsOf = ({ nodes, relationships }: Contents): Counts => {
  const count = (groups: readonly { readonly rows: readonly unknown[] }[]): number =>
    groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return { nodes: count(nodes), relationships: count(relationships) };
};

const spelled = (properties: Properties): string =>
  JSON.stringify(
    Object.entries(properties)
      .map(([name, value]): [string, unknown] => [
        name,
        neo4j.isDateTime(value) ? `datetime ${value.toString()}` : value,
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** A text that is equal for equal contents, whatever the order in which they were read. */
export const fingerprint = ({ nodes, relationships }: Contents): string => {
  const lines = [
    ...nodes.flatMap(({ labels, rows }) =>
      rows.map((properties) => `${labels.join(':')} ${spelled(properties)}`),
    ),
    ...relationships.flatMap(({ from, type, to, rows }) =>
      rows.map((row) =>
        [from, row.from, type, to, row.to, spelled(row.properties)].map(String).join(' '),
      ),
    ),
  ];
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line);
  return hash.digest('hex');
};
