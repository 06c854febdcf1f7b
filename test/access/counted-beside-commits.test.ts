import * as TE from 'fp-ts/TaskEither';

import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { NOW } from '../../src/access/instants';
import { bounded } from '../../src/access/memory';
import { Instant, nanosOf } from '../../src/model/instant';
import type { Graph } from '../../src/neo4j/driver';
import { accessCounting, type UncountedPush } from '../../src/questions/changes/counting';
import type { AccessMemory } from '../../src/questions/memory/access-memory';

const PEOPLE = 20_000;
const FIRST = new Instant('2026-10-01T12:00:00Z');
const PUSHED = new Instant('2026-10-02T12:00:00Z');
const LATER = new Instant('2026-10-03T12:00:00Z');

// Before, the first three counts began again with each commit, so pushes that follow each other kept a
// processor busy with counts that nobody got.
test('a count goes on beside commits that lie after its push', async () => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, ...labels: string[]): void =>
    graph.addNode({
      key,
      label: labels[0] ?? '',
      labels,
      since: nanosOf(FIRST),
      until: null,
      facts: { name: key },
    });
  const line = (type: RelationshipRow['type'], from: string, to: string, at = FIRST): void =>
    graph.addRelationship({ type, from, to, since: nanosOf(at), until: null });
  node('page', 'Resource');
  node('read', 'Permission');
  node('all', 'IdpGroup', 'Principal');
  node('grant', 'Grant', 'Entitlement');
  line('OF', 'grant', 'read');
  line('ON', 'grant', 'page');
  line('HOLDS', 'all', 'grant', PUSHED);
  for (let at = 0; at < PEOPLE; at += 1) {
    node(`u${at}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `u${at}`, 'all');
  }
  void graph.adjacency;
  let looks = 0;
  const then = () => {
    looks += 1;
    return TE.right({
      graph,
      access: new EffectiveAccess(graph),
      humans: new Humans(graph),
      moment: NOW,
    });
  };
  const counting = accessCounting({} as Graph, { then } as unknown as AccessMemory);
  let isDone = false;
  let commits = 0;
  const commit = (): void => {
    if (isDone) return;
    commits += 1;
    graph.touch(nanosOf(LATER));
    line('MEMBER_OF', `new ${commits}`, 'all', LATER);
    setImmediate(commit);
  };
  setImmediate(commit);
  const counted = await counting.count({ at: PUSHED } as UncountedPush, () => false);
  isDone = true;
  expect(counted).toMatchObject({ gained: PEOPLE + 1, lost: 0, resources: 1, people: PEOPLE });
  expect(commits).toBeGreaterThan(0);
  expect(looks).toBe(1);
});
