/** @more pushes */
import { type Hits, type ProfiledGraph, profiledGraph, sumOf } from '../../bench/profiled-graph';
import { scopeIncrements, scopePayload, type Scopes } from '../../bench/scope-payload';
import type { Graph } from '../../src/neo4j/driver';
import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
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
beforeEach(() => filled.clear());

/** The store hits of an increment that gives and takes resources of scopes, by statement. */
const hitsOf = async (scopes: Scopes): Promise<Hits> => {
  await filled.clear();
  const source = await filled.register('scopes', 'application');
  await filled.accept(source, scopePayload(scopes));
  await filled.ask('CALL db.clearQueryCaches()');
  const [increment, back] = scopeIncrements(scopes);
  profiled.take();
  const { put, removed } = await filled.accept(source, increment);
  const hits = profiled.take();
  const pairs = scopes.grants * scopes.moved;
  expect([put, removed]).toEqual([
    { nodes: scopes.grants, relationships: pairs },
    { nodes: 0, relationships: pairs },
  ]);
  await filled.accept(source, back);
  expect((await filled.accept(source, scopePayload(scopes))).outcome).toBe('unchanged');
  return hits;
};

test('what an increment gives and takes costs the same, however large the scopes are', async () => {
  const small = await hitsOf({ grants: 20, scope: 10, moved: 5 });
  const large = await hitsOf({ grants: 20, scope: 1_000, moved: 5 });
  // A node of few relationships is walked along as a whole, one of many only by the type asked for.
  const grown = [...large].filter(([text, hits]) => hits > (small.get(text) ?? 0) * 1.2);
  expect(grown.map(([text, hits]) => [text, small.get(text), hits])).toEqual([]);
  expect(sumOf(large)).toBeLessThan(sumOf(small) * 1.2);
});

const ANN = { identity: 'ann', identity_type: 'local_user' };
const VIEW = { application: 'crm', permission: 'view' };

const payload = (names: readonly string[], statements: readonly object[]): object => ({
  permissions: [{ name: 'view', permission_type: ['DataRead'] }],
  applications: [
    {
      name: 'crm',
      application_type: 'CRM',
      local_users: [{ name: 'ann' }],
      local_roles: [{ name: 'reader', permissions: ['view'] }],
      resources: names.map((name) => ({ name, resource_type: 'r' })),
    },
  ],
  identity_to_permissions: statements,
});
const held = (...elements: readonly object[]): object => ({
  ...ANN,
  application_permissions: elements.map((element) => ({ ...VIEW, ...element })),
});
const [ABC, ABCD] = [
  ['a', 'b', 'c'],
  ['a', 'b', 'c', 'd'],
];
const READER = { ...ANN, role_assignments: [{ application: 'crm', role: 'reader' }] };

/** What stands before, the increment, and the whole that must then stand. */
const cases: readonly (readonly [string, object, object, object])[] = [
  [
    'resources that are given and taken, some of them in vain',
    held({ resources: ABC }),
    held(
      { operation: 'add_resource', resources: ['c', 'd'] },
      { operation: 'delete_resource', resources: ['a', 'd', 'nowhere'] },
      { operation: 'add_resource', resources: ['a'] },
    ),
    held({ resources: ABC }),
  ],
  [
    'a scope that is replaced',
    held({ resources: ABC }),
    held(
      { operation: 'delete_resource', resources: ['a'] },
      { operation: 'modify', resources: ['a', 'd'] },
    ),
    held({ resources: ['a', 'd'] }),
  ],
  [
    'the application that enters a scope',
    held({ resources: ABC }),
    held({ operation: 'modify', apply_to_application: true }),
    held({ resources: ABC, apply_to_application: true }),
  ],
  [
    'the application that leaves a scope',
    held({ resources: ABC, apply_to_application: true }),
    held({ operation: 'modify', apply_to_application: false }),
    held({ resources: ABC }),
  ],
  [
    'scopes that unite',
    held({ resources: ABC, apply_to_application: true }),
    held({ operation: 'add', resources: ['c', 'd'], apply_to_application: true }),
    held({ resources: ABCD, apply_to_application: true }),
  ],
  ['a statement that goes', held({ resources: ABC }), held({ operation: 'delete' }), READER],
  [
    'a statement that goes and comes',
    held({ resources: ABC }),
    held({ operation: 'delete' }, { operation: 'add', resources: ['b', 'd'] }),
    held({ resources: ['b', 'd'] }),
  ],
  [
    'a list that is restated',
    held({ resources: ABC }),
    { ...held({ resources: ['d'] }), operation: 'modify' },
    held({ resources: ['d'] }),
  ],
];

test.each(cases)('%s: as the full push of the whole', async (_what, before, change, after) => {
  const source: DataSourceOfProvider = await filled.register('crm', 'application');
  await filled.accept(source, payload(ABCD, [READER, before]));
  await filled.accept(source, {
    incremental_change: true,
    identity_to_permissions: [change],
  });
  const whole = payload(ABCD, after === READER ? [READER] : [READER, after]);
  expect((await filled.accept(source, whole)).outcome).toBe('unchanged');
});

test('a resource that goes leaves the scopes, and nothing else of them is read', async () => {
  const source = await filled.register('crm', 'application');
  await filled.accept(source, payload(ABCD, [held({ resources: ABC })]));
  profiled.take();
  const gone = await filled.accept(source, {
    incremental_change: true,
    applications: [
      { name: 'crm', resources: [{ name: 'a', resource_type: 'r', operation: 'delete' }] },
    ],
  });
  expect([gone.put, gone.removed]).toEqual([
    { nodes: 1, relationships: 0 },
    { nodes: 1, relationships: 2 },
  ]);
  const lists = [...profiled.take().keys()].filter((text) =>
    /^CYPHER.*\n.*\nMATCH \(row:Grant/.test(text),
  );
  expect(lists).toEqual([]);
  const whole = payload(['b', 'c', 'd'], [held({ resources: ['b', 'c'] })]);
  expect((await filled.accept(source, whole)).outcome).toBe('unchanged');
});
