import { applicationPayload } from '../../bench/application-payload';
import { type Heat, hotDirectory, hotIncrements, hotPayload } from '../../bench/hot-payload';
import { type Hits, profiledGraph, sumOf } from '../../bench/profiled-graph';
import { graphLargePushes } from '../../src/graph/large-pushes';
import { graphStore } from '../../src/graph/store';
import { pushMetadata } from '../../src/service/push-metadata';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';

/** What increments of a hundred entities cost Neo4j, by statement, on a graph of about so many elements. */
const hitsOn = async (
  filled: FilledGraph,
  elements: number,
  heat: Heat,
): Promise<readonly Hits[]> => {
  await filled.clear();
  await filled.accept(await filled.register('directory', 'identity_provider'), hotDirectory(heat));
  await filled.accept(
    await filled.register('others', 'application'),
    applicationPayload(elements, 1),
  );
  const hot = await filled.register('hot', 'application');
  await filled.accept(hot, hotPayload(heat));
  // Plans are made on this graph, not on the one before.
  await filled.ask('CALL db.prepareForReplanning(60)');

  const profiled = profiledGraph(filled.graph);
  const push = pushMetadata({
    store: graphStore(profiled.graph, TEST_LIMITS),
    large: graphLargePushes(profiled.graph, TEST_LIMITS),
    parts: { transactionRows: 100_000, writers: 1 },
    resourceDepth: 100,
    fuse: { rows: 1_000, share: 0.5 },
    note: () => undefined,
  });
  const hits: Hits[] = [];
  for (const payload of hotIncrements(heat)) {
    const pushed = await push({
      source: hot,
      json: JSON.stringify(payload),
      confirmedRemoval: null,
      seconds: {},
      requestId: 'x'.repeat(32),
    })();
    expect(pushed).toMatchObject({ _tag: 'Right', right: { warnings: [] } });
    hits.push(profiled.take());
  }
  return hits;
};

let filled: FilledGraph;
beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());

test('an increment costs the same, however large the graph is and whatever else shares its tag and its identity', async () => {
  const small = await hitsOn(filled, 1_000, { tagged: 50, statements: 20 });
  const large = await hitsOn(filled, 20_000, { tagged: 2_000, statements: 500 });
  for (const [at, all] of small.entries()) {
    console.log(sumOf(all), sumOf(large[at] as Hits));
    for (const [text, hits] of all) {
      const other = large[at]?.get(text);
      if (other !== hits) console.log(hits, other, text);
    }
    for (const [text, hits] of large[at] as Hits)
      if (!all.has(text)) console.log('only large', hits, text);
  }
}, 120_000);
