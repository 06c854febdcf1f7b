import * as E from 'fp-ts/Either';

import { closeGraph, openGraph } from '../src/neo4j/driver';
import { graphRegistry } from '../src/graph/records/registry';
import { composePush } from '../src/push/threads/compose-push';
import { runPush } from '../src/push/run/run-push';
import type { DataSource } from './connector';
import type { BenchNeo4j } from './neo4j-server';
import { profiledGraph, sumOf } from './profiled-graph';

const LIMITS = { waitSeconds: 60, pushSeconds: 300 };
const GUARD = { rows: 1_000, share: 0.5 };
const RESOURCE_DEPTH = 100;
const NAMES = { ofDataSource: 500, ofProvider: 500, inAll: 5_000 };
const PARTS = { transactionRows: 1_000_000 };

/**
 * Pushes payloads one after the other, without a server around. Gives the number of Neo4j's store
 * accesses (db hits) for each.
 */
export const countHits = async (
  neo4j: BenchNeo4j,
  { provider, id }: DataSource,
  payloads: readonly object[],
): Promise<readonly number[]> => {
  const graph = openGraph(neo4j);
  try {
    const found = await graphRegistry(graph).findDataSource(provider, id)();
    if (E.isLeft(found)) throw new Error(JSON.stringify(found.left));
    const profiled = profiledGraph(graph);
    const push = runPush(
      composePush(
        profiled.graph,
        {
          limits: LIMITS,
          resourceDepth: RESOURCE_DEPTH,
          names: NAMES,
          removalGuard: GUARD,
          chunks: PARTS,
          mostElements: Infinity,
          listedChanges: 0,
          compareSeconds: 30,
          sizes: { bodyBytes: Infinity, jsonBytes: Infinity, heapBytes: Infinity, threads: 1 },
        },
        { note: () => undefined, lendAccess: () => Promise.resolve(null) },
      ),
    );
    const hits: number[] = [];
    for (const payload of payloads) {
      const pushed = await push({
        source: found.right,
        json: JSON.stringify(payload),
        confirmedRemoval: null,
        seconds: {},
        requestId: '0'.repeat(32),
      })();
      if (E.isLeft(pushed)) throw new Error(JSON.stringify(pushed.left));
      hits.push(sumOf(profiled.take()));
    }
    return hits;
  } finally {
    await closeGraph(graph);
  }
};
