import { setImmediate as nextTurn } from 'node:timers/promises';

import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { aroundNode } from '../../src/access/around';
import { Causes } from '../../src/access/comparison/causes';
import { compareAccess } from '../../src/access/comparison/comparison';
import * as ordering from '../../src/access/comparison/ordered';
import { EffectiveAccess } from '../../src/access/effective-access';
import { emptied } from '../../src/access/comparison/emptied';
import { Humans } from '../../src/access/human';
import { gatewaysAmong } from '../../src/access/gateways';
import { everybodyIn } from '../../src/access/in-group';
import { NOW } from '../../src/access/instants';
import { ANY_ROW, pageOf as pageOfList, reachingRows } from '../../src/access/lists/lists';
import { hasEmployees, marked } from '../../src/access/lists/marked';
import { bounded } from '../../src/access/memory';
import { atOnce, type Pieces, STEPS } from '../../src/access/pieces';
import { wayMaterial } from '../../src/access/ways';
import { pathsInMemory } from '../../src/questions/access/explanation/paths-in-memory';
import { reasonsIn } from '../../src/questions/access/explanation/reasons';
import { reachingDetails, wayInto } from '../../src/questions/access/row-details';
import { changesOfNodes, onlyThis } from '../../src/questions/changes/changes-of-nodes';
import { pageOf } from '../../src/questions/changes/find-changes';
import { peopleFirst } from '../../src/questions/changes/people-first';
import { Instant } from '../../src/model/instant';
import type { AccessThen } from '../../src/questions/memory/access-memory';
import type { Asked } from '../../src/questions/memory/asked-in-memory';
import { inPieces, TooLong } from '../../src/questions/memory/in-pieces';

/** A clock that only work moves. */
let now = 0;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

function* work(pieces: number, milliseconds: number): Pieces<number> {
  for (let piece = 0; piece < pieces; piece += 1) {
    now += milliseconds;
    yield;
  }
  return pieces;
}

/** The longest time that work took between two turns of the event loop, until a promise resolves. */
const longestTurn = async (all: Promise<unknown>): Promise<number> => {
  let isDone = false;
  void all.finally(() => (isDone = true));
  let longest = now - 1_000;
  while (!isDone) {
    const before = now;
    await nextTurn();
    longest = Math.max(longest, now - before);
  }
  return longest;
};

// Before, each answer had 20 ms of a turn, so a hundred of them held the thread for two seconds.
test.each([1, 10, 100])('%d answers at once hold the thread no longer than one', async (count) => {
  const answers = Array.from({ length: count }, () => inPieces(work(30, 5), () => true, Infinity));
  expect(await longestTurn(Promise.all(answers))).toBeLessThanOrEqual(40);
  expect(await Promise.all(answers)).toEqual(answers.map(() => 30));
});

test('short answers do not wait for long ones, and long ones go on beside short ones', async () => {
  const long = Array.from({ length: 20 }, () => inPieces(work(200, 5), () => true, Infinity));
  let answered = 0;
  let isDone = false;
  void Promise.all(long).then(() => (isDone = true));
  let turns = 0;
  while (!isDone) {
    const before = turns;
    const short = inPieces(work(1, 1), () => true, Infinity).then(() => (answered += 1));
    void nextTurn().then(() => (turns += 1));
    await short;
    expect(turns - before).toBeLessThanOrEqual(2);
    await nextTurn();
  }
  expect(answered).toBeGreaterThan(100);
});

test('work ends when what it reads has changed, when it fails, and when it needs too long', async () => {
  let isValid = true;
  const changed = inPieces(work(100, 5), () => isValid, Infinity);
  isValid = false;
  expect(await changed).toBeNull();
  await expect(inPieces(work(100, 5), () => true, now + 50)).rejects.toThrow(TooLong);
  function* failing(): Pieces<number> {
    yield;
    throw new Error('it fails');
  }
  await expect(inPieces(failing(), () => true, Infinity)).rejects.toThrow('it fails');
});

const MANY = 12_000;

/** A graph, and what adds a node and a relationship to it. */
const empty = () => {
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
  const line = (type: RelationshipRow['type'], from: string, to: string, since = 2n): void =>
    graph.addRelationship({ type, from, to, since, until: null });
  return { graph, node, line };
};

/** Somebody in many groups, which may include each other in a ring; each has a grant on one resource. */
const hub = (isRing: boolean): AccessGraph => {
  const { graph, node, line } = empty();
  node('who', 'IdpUser', 'Principal');
  node('page', 'Resource');
  node('read', 'Permission');
  for (let group = 0; group < MANY; group += 1) {
    node(`g${group}`, 'IdpGroup', 'Principal');
    node(`h${group}`, 'Grant', 'Entitlement');
    const lines = [
      ['MEMBER_OF', 'who', `g${group}`],
      ...(isRing ? [['MEMBER_OF', `g${group}`, `g${(group + 1) % MANY}`] as const] : []),
      ['HOLDS', `g${group}`, `h${group}`],
      ['OF', `h${group}`, 'read'],
      ['ON', `h${group}`, 'page'],
    ] as const;
    for (const [type, from, to] of lines) line(type, from, to);
  }
  return graph;
};

const piecesOf = <A>(pieces: Pieces<A>): { readonly count: number; readonly value: A } => {
  for (let count = 1; ; count += 1) {
    const piece = pieces.next();
    if (piece.done === true) return { count, value: piece.value };
  }
};

// Before, these ran without a pause, however many groups somebody is in.
test('a check, an explanation and a comparison pause often in a hub of many groups', () => {
  const graph = hub(true);
  const access = new EffectiveAccess(graph);
  const [who, page] = [graph.find('who'), graph.find('page')];
  const check = piecesOf(access.betweenInPieces(who, page, NOW));
  expect(check.value).toMatchObject([{ name: 'read' }]);
  const ways = piecesOf(wayMaterial(access, who, page, NOW));
  expect(ways.value.found).toHaveLength(MANY);
  // Before, the search for paths had no pause.
  const paths = piecesOf(reasonsIn(ways.value));
  expect(paths.value).toMatchObject({ reasons: { length: 100 }, truncated: true });
  const other = hub(false);
  const moments = [other.instants.moment(1n), other.instants.moment(2n)] as const;
  const compared = piecesOf(
    compareAccess(new EffectiveAccess(other), moments, {
      target: null,
      isCounted: () => true,
      change: null,
    }),
  );
  expect(compared.value.counts.pairs).toBe(MANY + 1);
  // Each piece looks at some hundred nodes.
  for (const { count } of [check, ways, paths]) expect(count).toBeGreaterThan((2 * MANY) / 1_000);
  expect(compared.count).toBeGreaterThan((2 * MANY) / 1_000);
});

// Before, all that is around a hub was gathered in one piece.
test('the page of a hub pauses often while it gathers what is around it', () => {
  const graph = hub(false);
  const around = piecesOf(
    aroundNode(new EffectiveAccess(graph), graph.find('who'), graph.instants.moment(2n), 2n),
  );
  expect(around.value.memberships).toMatchObject({ total: MANY, values: { length: 100 } });
  expect(around.count).toBeGreaterThan((2 * MANY) / 1_000);
});

/** Somebody who gains many grants of one permission, each on a resource of its own, in some way. */
const GAINING: Readonly<Record<string, (at: ReturnType<typeof empty>, nth: number) => void>> = {
  'holds each': ({ line }, nth) => line('HOLDS', 'who', `h${nth}`),
  'is in a group for each': ({ node, line }, nth) => {
    node(`g${nth}`, 'IdpGroup', 'Principal');
    line('MEMBER_OF', 'who', `g${nth}`);
    line('HOLDS', `g${nth}`, `h${nth}`, 1n);
  },
};

// Before, what somebody gained or held was one piece, and what they had together took the square of it.
test.each(Object.entries(GAINING))(
  'a comparison and its page pause often, and look at each once, if somebody %s',
  (_, gain) => {
    const made = empty();
    const { graph, node, line } = made;
    node('who', 'IdpUser', 'Principal');
    node('read', 'Permission');
    for (let nth = 0; nth < MANY; nth += 1) {
      node(`h${nth}`, 'Grant', 'Entitlement');
      node(`page${nth}`, 'Resource');
      line('OF', `h${nth}`, 'read', 1n);
      line('ON', `h${nth}`, `page${nth}`, 1n);
      gain(made, nth);
    }
    const merged = jest.spyOn(ordering, 'either');
    const moments = [graph.instants.moment(1n), graph.instants.moment(2n)] as const;
    const wanted = { target: null, isCounted: () => true, change: null };
    const compared = piecesOf(compareAccess(new EffectiveAccess(graph), moments, wanted));
    expect(compared.value.counts.pairs).toBe(MANY);
    const page = piecesOf(compared.value.pairs(3, ['who', 'page5']));
    const keys = page.value.map(({ target }) => graph.key(target));
    expect(keys).toEqual(['page50', 'page500', 'page5000']);
    for (const { count } of [compared, page]) expect(count).toBeGreaterThan((2 * MANY) / 1_000);
    const looked = merged.mock.calls.reduce((sum, lists) => sum + lists.flat().length, 0);
    expect(looked).toBeLessThan(100 * MANY);
  },
);

// Before, the rows of a page were one piece, and so was all that one person gained.
test('a list of changes pauses often while it says many permissions on many resources', () => {
  const { graph, node, line } = empty();
  const [permissions, resources] = [400, 200];
  node('who', 'IdpUser', 'Principal');
  node('app', 'Application');
  node('role', 'LocalRole');
  node('assignment', 'RoleAssignment', 'Entitlement');
  line('HOLDS', 'who', 'assignment');
  line('OF', 'assignment', 'role', 1n);
  line('ON', 'assignment', 'app', 1n);
  for (let nth = 0; nth < permissions; nth += 1) {
    node(`p${nth}`, 'Permission');
    line('ALLOWS', 'role', `p${nth}`, 1n);
  }
  for (let nth = 0; nth < resources; nth += 1) {
    node(`r${nth}`, 'Resource');
    line('CONTAINS', 'app', `r${nth}`, 1n);
  }
  const rights = permissions * (resources + 1);
  const access = new EffectiveAccess(graph);
  const moments = [graph.instants.moment(1n), graph.instants.moment(2n)] as const;
  const wanted = { target: null, isCounted: () => true, change: null };
  const everybody = atOnce(compareAccess(access, moments, wanted));
  const size = resources + 1;
  const pairs = piecesOf(everybody.pairs(size + 1, null));
  // It looks at each right twice, and puts each in order.
  expect(pairs.count).toBeGreaterThan((5 * rights) / 1_000);
  const instant = new Instant('1970-01-01T00:00:00Z');
  const period = { from: instant, to: instant };
  const counts = { people: 1, people_gained: 1, people_lost: 0, others: 0, resources: size };
  const page = piecesOf(
    pageOf(
      { asked: { access } as unknown as AccessThen, graph, moments, period },
      { everybody, counts: { ...counts, gained: rights, lost: 0 }, peopleFirst: null },
      { size, after: null, details: false },
    ),
  );
  expect(page.value.rows.flatMap(({ gained }) => gained)).toHaveLength(rights);
  expect(page.count).toBeGreaterThan(pairs.count + rights / 1_000);
  const [, now] = moments;
  const reached = piecesOf(access.reachedInPieces(graph.find('who'), now));
  const one = piecesOf(
    changesOfNodes(
      { access, graph } as unknown as AccessThen,
      moments,
      onlyThis(graph.find('who')),
      false,
    ),
  );
  expect(one.value.flatMap(({ gained }) => gained)).toHaveLength(rights);
  // Each right is collected, and compared, and said.
  expect(one.count).toBeGreaterThan(reached.count + (3 * rights) / 1_000);
});

// Before, thousands of places were found in one piece, and each needs a look at whose the principal is.
test('people first of a list of changes pauses often', () => {
  const { graph, node, line } = empty();
  node('page', 'Resource');
  node('read', 'Permission');
  node('grant', 'Grant', 'Entitlement');
  node('team', 'IdpGroup', 'Principal');
  for (let at = 0; at < MANY; at += 1) {
    node(`user${at}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `user${at}`, 'team');
  }
  line('HOLDS', 'team', 'grant');
  line('OF', 'grant', 'read');
  line('ON', 'grant', 'page');
  const access = new EffectiveAccess(graph);
  const moments = [graph.instants.moment(1n), graph.instants.moment(2n)] as const;
  const wanted = { target: null, isCounted: () => true, change: null };
  const comparison = atOnce(compareAccess(access, moments, wanted));
  const times = { asked: { access, humans: new Humans(graph) }, graph, moments };
  const { count, value } = piecesOf(peopleFirst(times, comparison));
  expect(value).toHaveLength(MANY + 1);
  expect(count).toBeGreaterThan(MANY / 1_000);
});

// Before, each row of people was one step, however many accounts were joined to it.
test.each(['inactive', 'guest', 'new'] as const)(
  'the mark %s pauses often where many accounts are of many users',
  (mark) => {
    const { graph, node, line } = empty();
    const [users, accounts] = [20, 1_000];
    node('identity', 'Identity');
    node('page', 'Resource');
    node('read', 'Permission');
    node('grant', 'Grant', 'Entitlement');
    line('OF', 'grant', 'read');
    line('ON', 'grant', 'page');
    for (let at = 0; at < accounts; at += 1) {
      node(`account${at}`, 'LocalUser', 'Principal');
      line('IDENTITY_OF', 'identity', `account${at}`);
    }
    line('HOLDS', 'account0', 'grant');
    for (let at = 0; at < users; at += 1) {
      node(`user${at}`, 'IdpUser', 'Principal');
      line('KNOWN_AS', `user${at}`, 'identity');
    }
    const access = new EffectiveAccess(graph);
    const filter = { ...ANY_ROW, permissions: null, permissionTypes: null };
    const listed = { ...filter, form: 'people first', contents: false } as const;
    const rows = () => reachingRows(access, graph.find('page'), listed, NOW);
    const before = function* () {
      const { permissions } = yield* rows();
      return (theirs: readonly number[]) => theirs.some((each) => permissions.has(each));
    };
    const among = atOnce(rows());
    expect(among.humans).toBe(users);
    const employees = () => hasEmployees(access, NOW);
    const marking = { access, moment: NOW, clock: 3n, before, hasEmployees: employees };
    const { count } = piecesOf(marked(marking, among, mark));
    expect(count).toBeGreaterThanOrEqual(users);
  },
);

test('who is in a group pauses often where many are in it', () => {
  const { graph, node, line } = empty();
  node('group', 'LocalGroup', 'Principal');
  node('inner', 'IdpGroup', 'Principal');
  line('MEMBER_OF', 'inner', 'group');
  for (let at = 0; at < MANY; at += 1) {
    node(`user${at}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `user${at}`, at === 0 ? 'inner' : 'group');
  }
  const access = new EffectiveAccess(graph);
  const few = piecesOf(everybodyIn(access, graph.find('group'), NOW, 3n, 1));
  const [first] = few.value.values;
  expect([few.value.people, first?.steps.map(({ id }) => id)]).toEqual([MANY, ['user0', 'inner']]);
  // It walks to them, looks at what each is, and finds the first by name.
  expect(few.count).toBeGreaterThan(3 * Math.floor(MANY / STEPS));
});

// Before, each of the hundred ways was walked and listed to its end: a million steps, in one answer.
test('ways into a group by very many groups, each in the next one, are walked once and listed in part', () => {
  const { graph, node, line } = empty();
  const users = 100;
  for (let at = 0; at <= MANY; at += 1) {
    node(`g${at}`, 'IdpGroup', 'Principal');
    if (at > 0) line('MEMBER_OF', `g${at - 1}`, `g${at}`, at === MANY ? 2n : 1n);
  }
  for (let at = 0; at < users; at += 1) {
    node(`user${at}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `user${at}`, 'g0', 1n);
  }
  const access = new EffectiveAccess(graph);
  const looks = jest.spyOn(access.walk, 'eachNext');
  const reads = jest.spyOn(graph, 'relationship');
  const summaries = jest.spyOn(graph, 'summary');
  const { count, value } = piecesOf(everybodyIn(access, graph.find(`g${MANY}`), NOW, 3n, users));
  expect([value.people, value.values.length]).toEqual([users, users]);
  for (const { about, steps, moreSteps, since } of value.values) {
    const groups = Array.from({ length: 15 }, (_, at) => `g${at}`);
    expect(steps.map(({ id }) => id)).toEqual([about.id, ...groups]);
    // The newest step is the last one.
    expect([moreSteps, since]).toEqual([MANY - 15, 2n]);
  }
  expect(looks.mock.calls.length).toBeLessThan(2 * MANY);
  expect(reads.mock.calls.length).toBeLessThan(2 * MANY);
  expect(summaries.mock.calls.length).toBeLessThanOrEqual(17 * users);
  expect(count).toBeGreaterThan((2 * MANY) / STEPS);
});

test('the order by the largest application pauses often where there are many', () => {
  const { graph } = empty();
  for (let at = 0; at < MANY; at += 1) {
    const facts = { name: `page${at}`, application: `application${at}` };
    const key = `source|Resource|${at}`;
    graph.addNode({ key, label: 'Resource', labels: ['Resource'], since: 1n, until: null, facts });
  }
  const nodes = Array.from({ length: MANY }, (_, at) => graph.find(`source|Resource|${at}`));
  const rows = { nodes, permissions: new Map(), people: null, humans: 0 };
  const wanted = { size: 10, isDescending: false, after: null, mostHeld: Infinity };
  const [byName, byLargest] = (['application', 'largest_application'] as const).map((order) =>
    piecesOf(pageOfList(graph, rows, { ...wanted, order }, NOW)),
  );
  expect(byLargest?.value.rows).toEqual(
    byName?.value.rows.map((row) => ({ ...row, value: `999999998 ${row.value}` })),
  );
  // It counts the rows, and then makes the texts.
  expect((byLargest?.count ?? 0) - (byName?.count ?? 0)).toBeGreaterThan((1.5 * MANY) / STEPS);
});

test('what people lose without a group that reaches very much is found in many pieces', () => {
  const { graph, node, line } = empty();
  node('who', 'IdpUser', 'Principal');
  node('team', 'IdpGroup', 'Principal');
  node('read', 'Permission');
  line('MEMBER_OF', 'who', 'team');
  for (let nth = 0; nth < MANY; nth += 1) {
    node(`h${nth}`, 'Grant', 'Entitlement');
    node(`page${nth}`, 'Resource');
    line('HOLDS', 'team', `h${nth}`);
    line('OF', `h${nth}`, 'read');
    line('ON', `h${nth}`, `page${nth}`);
  }
  const access = new EffectiveAccess(graph);
  const found = piecesOf(emptied(access, graph.find('team'), NOW, () => true, MANY));
  expect(found.value).toMatchObject({ people: 1, others: 0 });
  expect(found.value?.losers.map(({ losses }) => losses.count)).toEqual([MANY]);
  expect(found.count).toBeGreaterThan((4 * MANY) / 1_000);
});

// Before, somebody with very many groups held the thread for all of them.
test('groups without people and ways to contents pause often too', () => {
  const graph = hub(false);
  const access = new EffectiveAccess(graph);
  const groups = Array.from({ length: MANY }, (_, group) => graph.find(`g${group}`));
  const among = piecesOf(gatewaysAmong(access, groups, [graph.find('page')], NOW));
  expect([among.value.groups, among.value.direct]).toEqual([[], 1]);
  const place = { access, moment: NOW, clock: 3n };
  const way = piecesOf(
    wayInto(place, graph.find('who'), new Set([graph.find('page')]), () => false),
  );
  expect(way.value).toBeNull();
  for (const { count } of [among, way]) expect(count).toBeGreaterThan((2 * MANY) / 1_000);
});

/** Of how many versions a work asks. */
const versionsAskedBy = (graph: AccessGraph, work: () => unknown): number => {
  const asked = jest.spyOn(graph, 'version');
  work();
  const { length } = asked.mock.calls;
  asked.mockRestore();
  return length;
};

// Before, each row looked at everything that the application contains.
test('the rows of a page look at what is in an application once', () => {
  const { graph, node, line } = empty();
  const [pages, users] = [2_000, 50];
  node('app', 'Application');
  node('read', 'Permission');
  for (let at = 0; at < pages; at += 1) {
    node(`page${at}`, 'Resource');
    line('CONTAINS', 'app', `page${at}`);
  }
  for (let at = 0; at < users; at += 1) {
    node(`user${at}`, 'IdpUser', 'Principal');
    node(`grant${at}`, 'Grant', 'Entitlement');
    line('HOLDS', `user${at}`, `grant${at}`);
    line('OF', `grant${at}`, 'read');
    line('ON', `grant${at}`, 'app');
  }
  const access = new EffectiveAccess(graph);
  const target = graph.find('app');
  const narrowed = { ...ANY_ROW, permissions: null, permissionTypes: null };
  const listed = { ...narrowed, form: 'people first', contents: true } as const;
  const among = atOnce(reachingRows(access, target, listed, NOW));
  expect(among.nodes).toHaveLength(users);
  const marking = {
    access,
    moment: NOW,
    clock: 3n,
    *before() {
      const { permissions } = yield* reachingRows(access, target, listed, NOW);
      return (theirs: readonly number[]) => theirs.some((each) => permissions.has(each));
    },
    hasEmployees: () => hasEmployees(access, NOW),
  };
  const then = { access, graph, moment: NOW };
  const detailsOf = (rows: readonly number[]): number =>
    versionsAskedBy(graph, () => {
      const details = atOnce(
        reachingDetails(
          { then, clock: 3n } as unknown as Asked,
          { target, listed, isPrivileged: () => false, marking, among },
          rows.map((row) => ({ node: row, permissions: [], isPerson: true, value: '' })),
        ),
      );
      expect([...details.values()].every(({ way }) => way?.on?.id === 'app')).toBe(true);
    });
  const [one, all] = [detailsOf(among.nodes.slice(0, 1)), detailsOf(among.nodes)];
  expect(one).toBeGreaterThan(pages);
  expect(all - one).toBeLessThan(pages);
});

/** Somebody gains a permission by so many groups, each in the next one. */
const chain = (groups: number) => {
  const { graph, node, line } = empty();
  node('who', 'IdpUser', 'Principal');
  node('page', 'Resource');
  node('read', 'Permission');
  node('grant', 'Grant', 'Entitlement');
  for (let group = 0; group < groups; group += 1) {
    node(`g${group}`, 'IdpGroup', 'Principal');
    line('MEMBER_OF', group === 0 ? 'who' : `g${group - 1}`, `g${group}`);
  }
  line('HOLDS', `g${groups - 1}`, 'grant', 1n);
  line('OF', 'grant', 'read', 1n);
  line('ON', 'grant', 'page', 1n);
  const access = new EffectiveAccess(graph);
  return { graph, access, who: graph.find('who'), page: graph.find('page') };
};

// Before, the search had no pause, and each step of it looks back at those before it.
test('an explanation by very many groups, each in the next one, pauses often', () => {
  const { access, who, page } = chain(MANY);
  const place = { access, moment: NOW, clock: 3n };
  const { count, value } = piecesOf(pathsInMemory(place, who, page, {}));
  expect(value).toMatchObject({ paths: [{ hops: { length: MANY + 3 } }], truncated: false });
  // A step that looks back at many others is a piece.
  expect(count).toBeGreaterThan(MANY / 2);
});

/** What brought it about that somebody gains a permission by such a chain. */
const causesOfChain = (groups: number) => {
  const { graph, access, who, page } = chain(groups);
  const momentAt = (nanos: bigint) => ({ moment: graph.instants.moment(nanos), nanos });
  const causes = new Causes(access, [momentAt(1n), momentAt(2n)]);
  return piecesOf(causes.of('gained', who, page, access.between(who, page, NOW)));
};

// Before, each thing of a way had a walk of its own, however many they were.
test('a cause has at most 100 things, and a way of more has none', () => {
  expect(causesOfChain(100).value).toMatchObject([{ things: { length: 100 } }]);
  const { count, value } = causesOfChain(20 * MANY);
  expect(value).toMatchObject([{ permissions: [{ name: 'read' }], things: null }]);
  // It walks the chain once or twice, and not for each thing.
  expect(count).toBeLessThan((5 * 20 * MANY) / STEPS);
});
