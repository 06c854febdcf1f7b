/** @more access */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import neo4j, { type Plan } from 'neo4j-driver';

import { type Answer, ask } from '../../src/neo4j/ask';
import { toPlain } from '../../src/neo4j/plain-value';
import { savedQueries } from '../../src/kit/saved-queries';
import { fileOf, nameOf, type SavedQuery, savedScriptOf } from '../../src/kit/saved-query';
import { pictureOf } from '../../src/kit/shared-rules';
import { slides } from '../../src/kit/slides';
import { RESOURCE } from '../../src/demo/questions';
import { oneOfEachTopic } from '../support/one-of-each-topic';
import { TIMES, TIMES_OF } from '../support/saved-query-times';
import { builtStart, type DemoService, pushCompany, startDemoService } from './service';
import { type DemoWiki, startDemoWiki } from './wiki';

const ROOT = join(__dirname, '../..');
const QUERIES = join(ROOT, 'cypher/queries');

const EVERYBODY = 'everybody-who-reaches-a-resource';

/** Whether the rows are to be written anew instead of compared; whoever does it reads the difference. */
const WRITES = process.env.WRITE_ROWS === '1';

let demo: DemoService;
let wiki: DemoWiki;
/** Ids and moments that differ from run to run, and what is written for them. */
let replaced: readonly (readonly [from: string, to: string])[];

/** The service tries a failed action again and again, so its rows would differ from run to run. */
const stopTries = async (): Promise<void> => {
  const { driver, database } = demo.graph;
  const off = 'MATCH (provider:Provider) SET provider.provisioning = false';
  await driver.executeQuery(off, {}, { database });
  const held =
    'MATCH (state:LifecycleState) WHERE state.held_until > datetime.realtime() RETURN state.key';
  while ((await ask(demo.graph, held)).length > 0);
  const first = 'MATCH (action:LifecycleAction) SET action.attempts = 1';
  await driver.executeQuery(first, {}, { database });
};

beforeAll(async () => {
  wiki = await startDemoWiki();
  demo = await startDemoService(wiki.settings, builtStart());
  const handbook = wiki.kept(demo.service);
  await pushCompany(demo, () => handbook.keep());
  await handbook.import();
  await handbook.answers(demo.graph, QUERIES);
  await stopTries();
  const rows = await ask(
    demo.graph,
    `MATCH (push:Push)-[:FROM]->(source:DataSource)
WITH source, push ORDER BY push.at
WITH source, collect(push) AS pushes
UNWIND range(0, size(pushes) - 1) AS week
RETURN source.id AS source, source.name AS name, week + 1 AS week, pushes[week].id AS push, pushes[week].at AS at`,
  );
  const kept = await ask(
    demo.graph,
    `MATCH (record) WHERE record:ManagedAccount OR record:LifecycleAction
RETURN record.key AS id, [record.since, record.left_at, record.planned_at, record.next_try] AS times, labels(record)[0] AS label`,
  );
  replaced = [
    ...rows.flatMap(({ source, name, week, push, at }) => {
      const told = `<push to ${String(name)}${week === 1 ? '' : `, week ${String(week)}`}>`;
      return [
        [String(source), `<${String(name)}>`] as const,
        [String(push), told] as const,
        [String(at), told] as const,
      ];
    }),
    ...kept.flatMap(({ id, times, label }) => [
      ...(times as readonly (string | null)[]).flatMap((time) =>
        time === null ? [] : [[time, '<when a policy ran>'] as const],
      ),
      [String(id), `<${String(label)}>`] as const,
    ]),
  ];
});

afterAll(async () => {
  await demo.stop();
  await wiki.stop();
});

/** The values of a query's parameters: its examples, as Neo4j Browser evaluates them. */
const parametersOf = async ({ name, parameters }: SavedQuery): Promise<Answer> => {
  const columns = parameters.map((parameter) => {
    const time = { ...TIMES, ...TIMES_OF[name] }[parameter.name];
    return `${time ?? parameter.example} AS ${parameter.name}`;
  });
  if (columns.length === 0) return {};
  const { driver, database } = demo.graph;
  const { records } = await driver.executeQuery(`RETURN ${columns.join(', ')}`, {}, { database });
  return records[0]?.toObject() ?? {};
};

/** A path as `/api/v1/query` tells it. */
interface DrawnPath {
  readonly nodes: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, string>>;
  }[];
  readonly relationships: readonly { readonly type: string; readonly from: string }[];
}

const isPath = (value: unknown): value is DrawnPath =>
  typeof value === 'object' && value !== null && 'nodes' in value;

/** A path as its nodes and relationships in turn, since Neo4j's own ids differ from run to run. */
const drawn = (value: unknown): unknown => {
  const path: unknown = neo4j.isPath(value) ? toPlain(value) : value;
  if (!isPath(path)) return value;
  return path.nodes
    .flatMap(({ id, properties }, at) => {
      const next = path.relationships[at];
      const name = properties.name ?? properties.arn ?? properties.key;
      if (next === undefined) return [name];
      return [name, next.from === id ? `-${next.type}->` : `<-${next.type}-`];
    })
    .join(' ');
};

const rowsOf = async (query: SavedQuery): Promise<string> => {
  const rows = await ask(demo.graph, query.text, await parametersOf(query));
  const lines = rows.map((row) => `  ${JSON.stringify(row, (_name, value) => drawn(value))}`);
  const text = `[\n${lines.join(',\n')}\n]\n`;
  return replaced.reduce((told, [from, to]) => told.replaceAll(from, to), text);
};

const cases = savedQueries().map((query) => [fileOf(query), query] as const);

test.each(cases)('%s gives its rows on the demo graph', async (file, query) => {
  const rows = await rowsOf(query);
  expect(JSON.parse(rows)).not.toEqual([]);
  const path = join(QUERIES, file.replace(/\.cypher$/, '.rows.json'));
  if (WRITES) writeFileSync(path, rows);
  expect(existsSync(path)).toBe(true);
  expect(JSON.parse(rows)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
});

/** A value of the driver as saved queries take it over HTTP. */
const asParameter = (value: unknown): unknown => {
  if (neo4j.isInt(value)) return value.toNumber();
  if (neo4j.isDuration(value)) return value.toString().replace(/T$/, '');
  return neo4j.isDateTime(value) ? value.toString() : value;
};

interface QueryAnswer {
  readonly value: { readonly columns: readonly string[]; readonly rows: readonly unknown[][] };
}

/** What the service answers to a query, as its rows are written. */
const askedOverHttp = async (path: string, body: object): Promise<unknown> => {
  const { address, apiKey } = demo.service;
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  const text = replaced.reduce(
    (told, [from, to]) => told.replaceAll(from, to),
    await answer.text(),
  );
  const { columns, rows } = (JSON.parse(text) as QueryAnswer).value;
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column, drawn(row[at])])),
  );
};

const writtenRows = (file: string): readonly object[] =>
  JSON.parse(
    readFileSync(join(QUERIES, file.replace(/\.cypher$/, '.rows.json')), 'utf8'),
  ) as readonly object[];

test.each(cases)('%s gives the same rows by its name over HTTP', async (file, query) => {
  const values = Object.entries(await parametersOf(query));
  const parameters = Object.fromEntries(
    values.map(([name, value]) => [name, asParameter(value)] as const),
  );
  const rows = await askedOverHttp(`/api/v1/queries/${nameOf(query)}`, { parameters });
  expect(rows).toEqual(writtenRows(file));
});

/** Neo4j has to plan what Browser saves, which is another text, and each query whose plan is asked for. So the short run tries few. */
const saved = oneOfEachTopic().map((query) => [fileOf(query), query] as const);

test.each(saved)('%s gives rows as Neo4j Browser saves it', async (file, query) => {
  const rows = (await askedOverHttp('/api/v1/query', {
    cypher: savedScriptOf(query),
  })) as readonly object[];
  const written = writtenRows(file);
  expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(written[0] ?? {}));
  // The others look at the clock, which the written rows do not.
  const clocked = { ...TIMES, ...TIMES_OF[query.name] };
  if (query.parameters.every(({ name }) => !(name in clocked))) expect(rows).toEqual(written);
});

const operators = ({ operatorType, children }: Plan): readonly string[] => [
  operatorType.replace(/@.*$/, ''),
  ...children.flatMap(operators),
];

const expectBeginning = async (
  query: SavedQuery,
  text: string,
  parameters: Answer,
): Promise<void> => {
  const { driver, database } = demo.graph;
  // Otherwise Neo4j may answer a plan that it made before the demo's pushes, for a smaller graph.
  const explained = `EXPLAIN CYPHER replan=force ${text}`;
  const { summary } = await driver.executeQuery(explained, parameters, { database });
  const scans = operators(summary.plan as Plan).filter((operator) => operator.includes('Scan'));
  expect(scans).not.toContain('AllNodesScan');
  if (query.whole === undefined) expect(scans).toEqual([]);
  else expect(scans).not.toEqual([]);
};

test.each(saved)(
  '%s begins at what is asked for, or says that it is a report',
  async (_file, query) => {
    await expectBeginning(query, query.text, await parametersOf(query));
  },
);

test.each(saved)(
  '%s begins at what is asked for as Neo4j Browser saves it, too',
  async (_file, query) => {
    await expectBeginning(query, savedScriptOf(query), {});
  },
);

test('every query of the guide has rows', async () => {
  const texts = slides('')
    .flatMap(({ queries }) => queries)
    .flatMap((query) => ('text' in query && !query.text.startsWith(':') ? [query.text] : []));
  expect(texts).not.toEqual([]);
  for (const text of texts) {
    expect({ text, rows: (await ask(demo.graph, text)).length }).not.toEqual({ text, rows: 0 });
  }
});

/** Everybody whom the interface lists for a resource: as principals, or as humans. */
const listedFor = async (resource: string, entities: boolean): Promise<readonly string[]> => {
  const { address, apiKey } = demo.service;
  const asked = new URLSearchParams({ resource, entities: String(entities), page_size: '500' });
  const answer = await fetch(`${address}/api/v1/access?${asked.toString()}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { values, has_more } = (await answer.json()) as {
    readonly values: readonly { readonly id: string }[];
    readonly has_more: boolean;
  };
  expect(has_more).toBe(false);
  return values.map(({ id }) => id);
};

/** Those from whom a way of a picture leads. */
const startsIn = (rows: readonly Answer[]): ReadonlySet<unknown> =>
  new Set(
    rows.flatMap(({ connected, way }) =>
      [connected, way].flatMap((path) =>
        neo4j.isPath(path) ? [(path.start.properties as Answer).key] : [],
      ),
    ),
  );

test.each([
  ['the saved query', savedQueries().find(({ name }) => name === EVERYBODY)?.text ?? ''],
  ['the link of the demo', pictureOf(RESOURCE)],
])(
  '%s draws everybody whom the interface lists for the resource, and nobody else',
  async (_, text) => {
    const [resource] = await ask(
      demo.graph,
      'MATCH (r:Resource {path: $path}) RETURN r.key AS key',
      {
        path: RESOURCE,
      },
    );
    const key = String(resource?.key);
    const shown = startsIn(await ask(demo.graph, text, { resource: key }));
    expect([...shown].toSorted()).toEqual((await listedFor(key, true)).toSorted());
    for (const human of await listedFor(key, false)) expect(shown).toContain(human);
  },
);

test('the guide has the query that draws everybody', () => {
  expect(slides('').flatMap(({ queries }) => queries)).toContainEqual({ name: EVERYBODY });
});
