import { records } from '../../src/features';
import { ENTITY } from '../../src/model/table';
import type { FilledGraph } from './push';

/** What the service itself keeps: registry, records and locks. */
const SERVICE_LABELS = records.map(({ label }) => label);

/** A node with its labels, its own one first. `Entity`, which all have, is not told. */
export type DumpedNode = Readonly<Record<string, unknown>> & {
  readonly labels: string;
  readonly key: string;
};

/** A relationship with the keys of its ends. */
export interface DumpedRelationship {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The graph that pushes wrote, sorted. */
export interface GraphDump {
  readonly nodes: readonly DumpedNode[];
  readonly relationships: readonly DumpedRelationship[];
}

const NODES = `MATCH (n)
WHERE none(label IN labels(n) WHERE label IN $service)
RETURN labels(n) AS labels, [name IN keys(n) | [name, n[name]]] AS properties`;

const RELATIONSHIPS = `MATCH (a)-[r]->(b)
WHERE none(label IN labels(a) WHERE label IN $service)
RETURN a.key AS from, type(r) AS type, b.key AS to, [name IN keys(r) | [name, r[name]]] AS properties`;

const ABSTRACT = ['Principal', 'Role', 'Entitlement'];

const sortedObject = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

const byText = <A>(textOf: (item: A) => string): ((a: A, b: A) => number) => {
  return (a, b) => (textOf(a) < textOf(b) ? -1 : 1);
};

/** Everything in the graph but what the service itself keeps; times are RFC 3339 text. */
export const dumpGraph = async (filled: Pick<FilledGraph, 'ask'>): Promise<GraphDump> => {
  const parameters = { service: SERVICE_LABELS };
  const nodes = (await filled.ask(NODES, parameters)).map(({ labels, properties }) => {
    const { key, ...rest } = sortedObject(properties as [string, unknown][]);
    const [own, also] = [false, true].map((abstract) =>
      (labels as string[])
        .filter((label) => label !== ENTITY && ABSTRACT.includes(label) === abstract)
        .sort(),
    ) as [string[], string[]];
    const lacking = (labels as string[]).includes(ENTITY) ? [] : [`no ${ENTITY}`];
    return { labels: [...own, ...also, ...lacking].join(':'), key: key as string, ...rest };
  });
  const relationships = (await filled.ask(RELATIONSHIPS, parameters)).map((row) => ({
    from: row.from as string,
    type: row.type as string,
    to: row.to as string,
    properties: sortedObject(row.properties as [string, unknown][]),
  }));
  return {
    nodes: nodes.sort(byText(({ labels, key }) => `${labels} ${key}`)),
    relationships: relationships.sort(byText((one) => JSON.stringify(one))),
  };
};
