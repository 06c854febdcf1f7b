// UPDATE_PUSHES=1 writes each graph.json anew: read what changed before committing it.
import { graphStore } from '../../src/push/graph/store';
import { Digest } from '../../src/model/digest';
import { rowHash } from '../../src/rows/row/row-hash';
import type { GraphDump } from '../support/graph-dump';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';
import {
  expectedGraph,
  fixtureNames,
  fixturePushes,
  FixtureRun,
  rewriteExpected,
} from './push-fixtures';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

const lastOfEach = (name: string): ReturnType<typeof fixturePushes> => [
  ...new Map(fixturePushes(name).map((push) => [push.source, push])).values(),
];

/** The graph without what its history leaves in it: dates, hashes, and tags that accumulated. */
const timeless = ({ nodes, relationships }: GraphDump): unknown => ({
  nodes: nodes
    .filter(({ labels }) => labels !== 'Tag')
    .map(({ since: _since, changed: _changed, row_hash: _hash, ...rest }) => rest),
  relationships: relationships
    .filter(({ type, properties }) => type !== 'TAGGED' || properties.derived === true)
    .map(({ properties: { since: _since, ...properties }, ...rest }) => ({ ...rest, properties })),
});

describe.each(fixtureNames())('%s', (name) => {
  test('ends in its graph, as a rebuild in another order does but for dates and earlier tags', async () => {
    const run = new FixtureRun(filled);
    for (const push of fixturePushes(name)) await run.push(push);
    const told = await run.tell();
    if (process.env.UPDATE_PUSHES) rewriteExpected(name, told);
    expect(told).toEqual(expectedGraph(name));

    const { nodes } = await run.dump();
    for (const { dataSource } of run.sources.values()) {
      const [record] = await filled.ask(
        'MATCH (source:DataSource {key: $key}) RETURN source.digest AS digest, source.rows AS rows, source.name AS name',
        { key: dataSource.id },
      );
      const own = nodes.filter(({ key }) => key.startsWith(`${dataSource.name}|`));
      expect({ name: record?.name, rows: record?.rows, digest: record?.digest }).toEqual({
        name: dataSource.name,
        rows: own.length,
        digest: Digest.empty.with(own.map(({ row_hash }) => row_hash as string)).hex,
      });
      for (const node of own) {
        expect(node).toMatchObject({ data_source: dataSource.name, provider: dataSource.name });
      }
    }

    for (const { dataSource } of run.sources.values()) {
      const rows = await graphStore(filled.graph, TEST_LIMITS).hold(
        dataSource.id,
        'reader',
        async (held) => held.rows((await held.hashes()).keys()),
      );
      expect([...rows.values()].map(({ row }) => rowHash(row))).toEqual(
        [...rows.values()].map(({ hash }) => hash),
      );
    }

    const before = await run.dump();
    for (const push of lastOfEach(name)) {
      const again = await run.push(push);
      expect(again).toMatchObject({
        outcome: 'unchanged',
        put: { nodes: 0, relationships: 0 },
        removed: { nodes: 0, relationships: 0 },
      });
    }
    expect(await run.dump()).toEqual(before);

    await filled.clear();
    const rebuilt = new FixtureRun(filled);
    for (const push of lastOfEach(name).toReversed()) await rebuilt.push(push);
    expect(timeless(await rebuilt.dump())).toEqual(timeless(before));
  });
});
