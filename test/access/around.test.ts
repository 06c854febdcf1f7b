import fc from 'fast-check';

import { NONE } from '../../src/access/access-graph';
import {
  aroundNode,
  directMembers,
  type Neighbours,
  type PageOfNeighbours,
} from '../../src/access/around';
import type { RowPlace } from '../../src/access/lists/lists';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess } from '../../src/access/effective-access';
import { reviewersOf } from '../../src/access/reviewers';
import type { Graph, Node } from '../mirror/graph';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const MEMBERSHIPS = ['MEMBER_OF', 'ASSIGNED_TO', 'ASSUMES_ROLE', 'ACTS_AS', 'INCLUDES'];
const GROUPS = ['IdpGroup', 'LocalGroup', 'HrisGroup', 'IdpApp', 'CloudRole', 'LocalRole'];

/** The relationships at the nodes of a graph. */
class Around {
  private readonly nodes: ReadonlyMap<string, Node>;

  constructor(private readonly graph: Graph) {
    this.nodes = new Map(graph.nodes.map((node) => [node.key, node]));
  }

  from(key: string, type: string): readonly string[] {
    return this.graph.relationships.flatMap((one) =>
      one.type === type && one.from.key === key ? one.to.key : [],
    );
  }

  to(key: string, types: readonly string[]): readonly string[] {
    return this.graph.relationships.flatMap((one) =>
      types.includes(one.type) && one.to.key === key ? one.from.key : [],
    );
  }

  members(key: string): readonly string[] {
    const assigned =
      this.nodes.get(key)?.label === 'LocalRole'
        ? this.to(key, ['OF']).filter((one) => this.nodes.get(one)?.label === 'RoleAssignment')
        : [];
    return [
      ...this.to(key, MEMBERSHIPS),
      ...assigned.flatMap((assignment) => this.to(assignment, ['HOLDS'])),
    ];
  }

  /** The keys in the order of their names, each once. */
  inOrder(keys: readonly string[]): readonly string[] {
    const name = (key: string): string => {
      const node = this.nodes.get(key);
      return typeof node?.properties.name === 'string' ? node.properties.name : '';
    };
    const compare = (a: string, b: string): number =>
      Buffer.compare(Buffer.from(a), Buffer.from(b));
    return [...new Set(keys)].sort((a, b) => compare(name(a), name(b)) || compare(a, b));
  }

  groupsAmong(keys: readonly string[]): number {
    return [...new Set(keys)].filter((key) => GROUPS.includes(this.nodes.get(key)?.label ?? ''))
      .length;
  }
}

const keysIn = ({ values }: Neighbours): readonly string[] => values.map(({ about }) => about.id);

let compared = 0;
afterAll(() => expect(compared).toBeGreaterThan(1_000));

test('what is around a node in memory is what the mirror expects, now and at instants', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const mirror = new Around(then);
        for (const { key } of then.nodes) {
          const around = atOnce(aroundNode(access, graph.find(key), moment, 0n));
          const members = mirror.members(key);
          const found = {
            memberships: keysIn(around.memberships),
            members: [keysIn(around.members), around.members.total, around.members.groups],
            contains: keysIn(around.contains),
            managers: keysIn(around.managers),
            resourceManagers: keysIn(around.resourceManagers),
            owners: [...around.owners].map(([owner, { people, peopleTotal }]) => [
              owner,
              people,
              peopleTotal,
            ]),
          };
          expect([at, key, found]).toEqual([
            at,
            key,
            {
              memberships: mirror.inOrder(mirror.from(key, 'MEMBER_OF')),
              members: [
                mirror.inOrder(members),
                new Set(members).size,
                mirror.groupsAmong(members),
              ],
              contains: mirror.inOrder(mirror.from(key, 'CONTAINS')),
              managers: mirror.inOrder(mirror.from(key, 'MANAGED_BY')),
              resourceManagers: mirror.inOrder(mirror.from(key, 'SYSTEM_resource_managers')),
              owners: mirror.inOrder(mirror.from(key, 'OWNED_BY')).map((owner) => {
                const people = mirror.to(owner, ['KNOWN_AS']).toSorted();
                return [owner, people, people.length];
              }),
            },
          ]);
          const pageAfter = (after: RowPlace | null): PageOfNeighbours =>
            atOnce(directMembers(access, graph.find(key), moment, 0n, { size: 2, after }));
          const paged: string[] = [];
          let page = pageAfter(null);
          for (; page.next !== null; page = pageAfter(page.next)) paged.push(...keysIn(page));
          expect([key, [...paged, ...keysIn(page)]]).toEqual([key, keysIn(around.members)]);
          compared += members.length;
        }
      }
    }),
    { numRuns: sized(40, 1_000) },
  );
});

test('nothing is around a node that has nothing to do with access', () => {
  const [history] = fc.sample(histories, 1);
  if (history === undefined) throw new Error('there is no history');
  const graph = filled(history, 0);
  const moment = graph.instants.moment(null);
  const around = atOnce(aroundNode(new EffectiveAccess(graph), NONE, moment, 0n));
  expect([around.members.total, around.owners.size]).toEqual([0, 0]);
});

test('questions about very many instants use no more memory', () => {
  const [history] = fc.sample(histories, 1);
  if (history === undefined) throw new Error('there is no history');
  const graph = filled(history, 0);
  const access = new EffectiveAccess(graph);
  const nodes = history.nodes.map(({ key }) => graph.find(key));
  const askAt = (nanos: bigint): void => {
    const moment = graph.instants.moment(nanos);
    const node = nodes[Number(nanos % BigInt(nodes.length))] ?? NONE;
    atOnce(aroundNode(access, node, moment, nanos));
    for (const of of ['principal', 'resource'] as const) {
      atOnce(reviewersOf(access, of, [node], moment, nanos));
    }
  };
  for (const node of nodes.keys()) askAt(BigInt(node));
  const before = graph.memory.used();
  for (let step = 0n; step < BigInt(sized(20_000, 200_000)); step += 1n) askAt(step * 300_001n);
  expect(graph.memory.used()).toBe(before);
});
