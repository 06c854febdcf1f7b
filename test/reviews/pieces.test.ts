import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { bounded } from '../../src/access/memory';
import type { Pieces } from '../../src/access/pieces';
import { heldInWords, type View } from '../../src/features/reviews/rules/facts';
import { TooManyItems } from '../../src/features/reviews/rules/given';
import { leftThrough } from '../../src/features/reviews/rules/left-access';
import { lossOf } from '../../src/features/reviews/rules/loss';
import { populationOf } from '../../src/features/reviews/rules/population';

/* What a plan or a page computes about very much pauses often, so that others are answered meanwhile. */

const ALL = { applications: [], resources: [], roles: [], groups: [], people: [], marks: [] };
const KNOWN = {
  privilegedTypes: [],
  tagged: new Set<string>(),
  before: null,
  others: [],
  hasMoreOthers: false,
};

/** Somebody with a role of some permissions on an application with some resources, and how it is made. */
const withRole = (permissions: number, resources: number) => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, label: string, ...also: string[]): void =>
    graph.addNode({
      key,
      label,
      labels: [label, ...also],
      since: 1n,
      until: null,
      facts: { name: key },
    });
  const line = (type: RelationshipRow['type'], from: string, to: string): void =>
    graph.addRelationship({ type, from, to, since: 1n, until: null });
  node('who', 'IdpUser', 'Principal');
  node('app', 'Application');
  node('role', 'LocalRole');
  node('assignment', 'RoleAssignment', 'Entitlement');
  line('HOLDS', 'who', 'assignment');
  line('OF', 'assignment', 'role');
  line('ON', 'assignment', 'app');
  for (let nth = 0; nth < permissions; nth += 1) {
    node(`p${nth}`, 'Permission');
    line('ALLOWS', 'role', `p${nth}`);
  }
  for (let nth = 0; nth < resources; nth += 1) {
    node(`r${nth}`, 'Resource');
    line('CONTAINS', 'app', `r${nth}`);
  }
  const view: View = {
    graph,
    access: new EffectiveAccess(graph),
    humans: new Humans(graph),
    clock: 1n,
    moment: graph.instants.moment(1n),
  };
  return { view, node, line };
};

const piecesOf = <A>(pieces: Pieces<A>): { readonly count: number; readonly value: A } => {
  for (let count = 1; ; count += 1) {
    const piece = pieces.next();
    if (piece.done === true) return { count, value: piece.value };
  }
};

const FACT = ['HOLDS', 'who', 'assignment'] as const;

// Before, the permissions of some hundred resources were one piece, and so was their digest.
test('a plan and a loss pause often in a role of many permissions on many resources', () => {
  const [permissions, resources] = [400, 200];
  const { view } = withRole(permissions, resources);
  const rights = permissions * (resources + 1);
  const plan = piecesOf(populationOf(view, ALL, KNOWN));
  expect(plan.value.items).toMatchObject([{ effect: { resources: resources + 1 } }]);
  expect(plan.value.items[0]?.effect.permissions).toHaveLength(permissions);
  const loss = piecesOf(lossOf(view, FACT));
  expect(loss.value.losers).toMatchObject([{ places: resources + 1 }]);
  const left = piecesOf(leftThrough(view, view, FACT));
  expect(left.value).toHaveLength(1);
  // Each right is collected, put in order and hashed.
  expect(plan.count).toBeGreaterThan((2 * rights) / 1_000);
  for (const { count } of [loss, left]) expect(count).toBeGreaterThan(rights / 1_000);
});

// Before, the names of all places of a grant were one piece.
test('the words of a grant on very many resources are made in many pieces', () => {
  const many = 20_000;
  const { view, node, line } = withRole(1, 0);
  node('grant', 'Grant', 'Entitlement');
  line('HOLDS', 'who', 'grant');
  line('OF', 'grant', 'p0');
  for (let nth = 0; nth < many; nth += 1) {
    node(`page${nth}`, 'Resource');
    line('ON', 'grant', `page${nth}`);
  }
  const words = piecesOf(heldInWords(view, view.graph.find('grant')));
  expect(words.value.holds).toContain(` and ${many - 5} more`);
  expect(words.count).toBeGreaterThan((2 * many) / 1_000);
});

test('more permissions on resources than a plan may have are not made first', () => {
  const { view } = withRole(5_000, 2_100);
  const lines = jest.spyOn(view.graph, 'key');
  expect(() => piecesOf(populationOf(view, ALL, KNOWN))).toThrow(TooManyItems);
  expect(lines.mock.calls.length).toBeLessThan(10_000);
});
