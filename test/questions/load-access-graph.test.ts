import type { Result } from 'neo4j-driver';

import { EffectiveAccess } from '../../src/access/effective-access';
import { ACCESS_TYPES } from '../../src/access/relationship-types';
import type { Loading } from '../../src/questions/memory/load-access-graph';
import {
  loadAccessGraph,
  type LoadedAccess,
  loadOnce,
  TOO_LARGE_LOAD,
} from '../../src/questions/memory/load-access-graph';
import {
  ALL_NODES,
  allRelationships,
  NODES_NEEDED,
} from '../../src/questions/statements/access-graph-statements';
import { exportedPieces } from '../../src/questions/export/exported-rows';
import { runTransaction, type Runner } from '../../src/neo4j/transaction';
import { pushCompany } from '../http/company';
import {
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../http/service-under-test';
import { wikiOf } from './wiki';

let service: ServiceUnderTest;
let wiki: RegisteredIds;

const LOADING: Loading = {
  only: null,
  memoryBytes: 64 * 1024 * 1024,
  timeoutSeconds: 60,
};

/** Pushes the wiki of some users, and returns the id of the push. */
const push = async (users: readonly string[]): Promise<string> => {
  const { path, ...ids } = wiki;
  const answer = await service.post(path, { ...ids, json_data: wikiOf(users) });
  expect([answer.status, answer.text]).toMatchObject([200, expect.any(String)]);
  return (answer.body as { push_id: string }).push_id;
};

beforeAll(async () => {
  service = await serviceUnderTest();
  wiki = await service.register('application');
  await pushCompany(service);
}, 180_000);
afterAll(() => service.close());

/** What everybody can do on the page, by the key of the user. */
const onPage = ({ graph, moment }: LoadedAccess): readonly string[] => {
  const access = new EffectiveAccess(graph);
  return Array.from({ length: graph.nodeCount }, (_, node) => node)
    .filter((node) => /\|LocalUser\|wiki\|/.test(graph.key(node)) && graph.exists(node, moment))
    .flatMap((node) =>
      [...access.reachedBy(node, moment).values()].flatMap((held) =>
        held.map(({ name }) => `${graph.key(node).split('|').at(-1)}: ${name}`),
      ),
    )
    .sort();
};

/** Loads, and does something before a statement is read. */
const loadBeside = (
  before: string,
  happens: () => Promise<unknown>,
  loading: Loading = LOADING,
): Promise<LoadedAccess | null> =>
  runTransaction(service.graph, { mode: 'read' }, (tx: Runner) =>
    loadOnce(
      {
        ...tx,
        stream: (statement, parameters) => {
          if (statement !== before) return tx.stream(statement, parameters);
          return {
            subscribe: (observer: Parameters<Result['subscribe']>[0]) =>
              void happens().then(() => tx.stream(statement, parameters).subscribe(observer)),
          } as unknown as Result;
        },
      },
      loading,
    ),
  );

test.each([
  ['nodes', ALL_NODES],
  ['relationships', allRelationships(ACCESS_TYPES)],
])(
  'what a push changes while the graph is loaded does not count (before %s)',
  async (_, statement) => {
    const first = await push(['ann', 'bob']);
    const loaded = await loadBeside(statement, () => push(['bob', 'cleo']));
    if (loaded === null) throw new Error('the history shows what the push changed');
    expect(loaded.asOf?.push).toBe(first);
    expect(onPage(loaded)).toEqual(['ann: ann reads', 'bob: bob reads']);
    const again = await loadAccessGraph(service.graph, LOADING);
    if (typeof again === 'string') throw new Error(again);
    expect(onPage(again)).toEqual(['bob: bob reads', 'cleo: cleo reads']);
  },
);

test('a load that cannot know what a push changed begins again', async () => {
  await push(['ann']);
  const only = { ...LOADING, only: ['x'] };
  expect(await loadBeside(NODES_NEEDED, () => push(['bob']), only)).toBeNull();
});

test('a graph that needs more memory than it may use is not loaded', async () => {
  expect(await loadAccessGraph(service.graph, { ...LOADING, memoryBytes: 100_000 })).toBe(
    TOO_LARGE_LOAD,
  );
});

test('an export that needs more memory than it may use says what to set', async () => {
  const pieces = exportedPieces(service.graph, {
    ...{ after: { label: '', principal: '', resource: null }, only: null, secret: 'x' },
    ...{ isExplained: false, isCsv: false, cursorEvery: 1, memoryBytes: 100_000, loadSeconds: 60 },
  });
  expect((await pieces.next()).value).toMatchObject({
    left: { _tag: 'Unavailable', message: expect.stringContaining('(MEMORY)') as string },
  });
});

test('a relationship needs less than 64 bytes, with all columns', async () => {
  const loaded = await loadAccessGraph(service.graph, LOADING);
  if (typeof loaded === 'string') throw new Error(loaded);
  const { outStarts, inStarts, outFirst, inFirst, ...columns } = loaded.graph.adjacency;
  expect([outStarts.length, outFirst.length]).toEqual([inStarts.length, inFirst.length]);
  const bytes = Object.values(columns)
    .filter((column) => column instanceof Int32Array)
    .reduce((sum, column) => sum + column.byteLength, 0);
  expect(bytes / loaded.graph.relationshipCount).toBeLessThan(64);
});
