/** @more bounds */

import { applicationPayload } from '../../bench/application-payload';
import { type Heat, hotDirectory, hotIncrements, hotPayload } from '../../bench/hot-payload';
import { type Hits, type ProfiledGraph, profiledGraph, sumOf } from '../../bench/profiled-graph';
import type { Graph } from '../../src/neo4j/driver';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';

let profiled: ProfiledGraph;
let filled: FilledGraph;
beforeAll(async () => {
  const spoil = (graph: Graph): Graph => {
    profiled = profiledGraph(graph);
    return profiled.graph;
  };
  filled = await filledGraph(TEST_LIMITS, { spoil });
});
afterAll(() => filled.close());

/** What increments of a hundred entities cost Neo4j, by statement, on a graph of about so many elements. */
const hitsOn = async (elements: number, heat: Heat): Promise<readonly Hits[]> => {
  await filled.clear();
  await filled.accept(await filled.register('directory', 'identity_provider'), hotDirectory(heat));
  const others = await filled.register('others', 'application');
  await filled.accept(others, applicationPayload(elements, 1));
  const hot = await filled.register('hot', 'application');
  await filled.accept(hot, hotPayload(heat));
  // Plans are made on this graph, not on the one before.
  await filled.ask('CALL db.clearQueryCaches()');
  const hits: Hits[] = [];
  for (const payload of hotIncrements(heat)) {
    profiled.take();
    expect((await filled.accept(hot, payload)).warnings.count).toBe(0);
    hits.push(profiled.take());
  }
  return hits;
};

/** A node of few relationships is walked along as a whole, one of many only by the type asked for. */
const WALKED = 200;

test('an increment costs the same, however large the graph is and whatever else shares its tag and its identity', async () => {
  const small = await hitsOn(1_000, { tagged: 50, statements: 20 });
  const large = await hitsOn(20_000, { tagged: 2_000, statements: 500 });
  for (const [at, there] of large.entries()) {
    const here = small[at] as Hits;
    expect([...there.keys()].sort()).toEqual([...here.keys()].sort());
    const grown = [...there].filter(([text, hits]) => hits > (here.get(text) ?? 0) + WALKED);
    expect(grown).toEqual([]);
    expect(sumOf(there)).toBeGreaterThan(1_000);
    expect(sumOf(there)).toBeLessThan(sumOf(here) * 1.05);
  }
});
