import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { NOW } from '../../src/access/instants';
import { ANY_ROW, pageOf, reachedRows } from '../../src/access/lists/lists';
import { bounded } from '../../src/access/memory';
import { atOnce } from '../../src/access/pieces';
import { ListPages } from '../../src/questions/access/list-page';
import { reachedDetails } from '../../src/questions/access/row-details';
import type { Asked } from '../../src/questions/memory/asked-in-memory';

const GROUPS = 60;

/** A graph, and what adds a node and a relationship to it. */
const empty = () => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, ...labels: string[]): void =>
    graph.addNode({
      key,
      label: labels[0] ?? '',
      labels,
      since: 1n,
      until: null,
      facts: { name: key },
    });
  const line = (type: RelationshipRow['type'], from: string, to: string): void =>
    graph.addRelationship({ type, from, to, since: 2n, until: null });
  return { graph, node, line };
};

/** Somebody in many groups, each with a grant on a resource of its own. */
const manyGrants = (): AccessGraph => {
  const { graph, node, line } = empty();
  node('who', 'IdpUser', 'Principal');
  node('read', 'Permission');
  for (let at = 0; at < GROUPS; at += 1) {
    node(`g${at}`, 'IdpGroup', 'Principal');
    node(`h${at}`, 'Grant', 'Entitlement');
    node(`r${at}`, 'Resource');
    line('MEMBER_OF', 'who', `g${at}`);
    line('HOLDS', `g${at}`, `h${at}`);
    line('OF', `h${at}`, 'read');
    line('ON', `h${at}`, `r${at}`);
  }
  return graph;
};

// Before, each row looked at all that the principal has, so a page of 100 rows needed 0.3 s.
test('the rows of a page find their ways from one look at what the principal has', () => {
  const graph = manyGrants();
  const access = new EffectiveAccess(graph);
  const who = graph.find('who');
  const filter = { ...ANY_ROW, permissions: null, permissionTypes: null };
  const list = atOnce(reachedRows(access, who, filter, NOW));
  const wanted = { order: 'name', isDescending: false, after: null, size: GROUPS, mostHeld: 1_000 };
  const { rows } = atOnce(pageOf(graph, list, wanted as Parameters<typeof pageOf>[2], NOW));
  expect(rows).toHaveLength(GROUPS);
  const looks = jest.spyOn(access.walk, 'eachNext');
  const asked = { then: { access, graph, moment: NOW }, clock: 3n } as unknown as Asked;
  const details = atOnce(reachedDetails(asked, who, filter, () => false, rows));
  for (const { node } of rows) {
    const number = graph.key(node).slice(1);
    const { steps = [], others } = details.get(node)?.way ?? {};
    const names = steps.map(({ name }) => name);
    expect([names, others]).toEqual([['who', `g${number}`, `h${number}`, 'read'], 0]);
  }
  // One look at each node that somebody gains, and few for each row.
  expect(looks.mock.calls.length).toBeLessThan(10 * GROUPS);
});

/** Many in the first of many groups, each in the next one; the last one has grants on many resources. */
const longWays = (groups: number, many: number): AccessGraph => {
  const { graph, node, line } = empty();
  node('read', 'Permission');
  for (let at = 0; at < groups; at += 1) {
    node(`g${at}`, 'IdpGroup', 'Principal');
    if (at > 0) line('MEMBER_OF', `g${at - 1}`, `g${at}`);
  }
  for (let at = 0; at < many; at += 1) {
    node(`user${at}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `user${at}`, 'g0');
    node(`h${at}`, 'Grant', 'Entitlement');
    node(`r${at}`, 'Resource');
    line('HOLDS', `g${groups - 1}`, `h${at}`);
    line('OF', `h${at}`, 'read');
    line('ON', `h${at}`, `r${at}`);
  }
  return graph;
};

// Before, the ways of all rows were found and held, and then the page ended after some of them.
test.each([
  ['what somebody reaches', 'user0', 'entities', false],
  ['who can reach a resource', 'r0', 'people first', false],
  ['who can reach a resource or what is in it', 'r0', 'people first', true],
] as const)('a page of %s finds no more long ways than it shows', (_, about, form, contents) => {
  const many = 40;
  const graph = longWays(3_000, many);
  const access = new EffectiveAccess(graph);
  const summary = (node: number) => graph.summary(node, NOW, 3n);
  const asked = { then: { access, graph, moment: NOW }, clock: 3n, summary } as unknown as Asked;
  const filter = { ...ANY_ROW, permissions: null, permissionTypes: null };
  const listed = { ...filter, form, contents, marks: [], everyType: [], details: true };
  const wanted = { order: 'name', isDescending: false, after: null, size: many } as const;
  const said = jest.spyOn(graph, 'summary');
  const pages = new ListPages();
  const page = atOnce(
    about === 'r0'
      ? pages.reaching(asked, graph.find(about), { ...listed, counts: false }, wanted)
      : pages.reached(asked, graph.find(about), null, { ...listed, counts: false }, wanted),
  );
  const ways = page.rows.map(({ way }) => way);
  // A step has four values, and a page 100,000: also those count that a way leaves out.
  expect([page.rows.length, page.hasMore]).toEqual([9, true]);
  for (const way of ways) {
    const steps = way?.steps.map(({ name }) => name) ?? [];
    expect([steps.length, steps.slice(0, 3)]).toEqual([16, [expect.any(String), 'g0', 'g1']]);
    // The group that holds the grant is among them: before, it was left out.
    expect([steps.at(-3), steps.at(-2)?.charAt(0), steps.at(-1)]).toEqual(['g2999', 'h', 'read']);
    expect(way?.more_steps).toBe(3_003 - 16);
  }
  expect(said.mock.calls.length).toBeLessThan(10 * 3_010);
});
