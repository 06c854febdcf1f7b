import { AccessGraph, NONE } from '../../src/access/access-graph';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { bounded } from '../../src/access/memory';
import type { View } from '../../src/features/reviews/rules/facts';
import { populationOf } from '../../src/features/reviews/rules/population';
import { isOwnFact, Reviewers, type Suggested } from '../../src/features/reviews/rules/reviewer';
import { humanBy } from '../../src/features/reviews/stored/people';

const LABELS: Readonly<Record<string, readonly string[]>> = {
  IdpUser: ['Principal'],
  IdpGroup: ['Principal'],
  LocalUser: ['Principal'],
  LocalAgent: ['Principal'],
  Identity: ['Principal'],
  Grant: ['Entitlement'],
};

const keyOf = (name: string): string => name;

/** A safe in a vault, which Ann, a robot and a team may read. Lee has left. Only the vault says who a vendor is. */
const vault = (): View => {
  const graph = new AccessGraph(bounded(2 ** 24));
  const add = (label: string, name: string, facts: object = {}): void =>
    graph.addNode({
      key: keyOf(name),
      label,
      labels: ['Entity', label, ...(LABELS[label] ?? [])],
      since: null,
      until: null,
      facts: { name, ...facts },
    });
  const link = (
    type: 'CONTAINS' | 'HOLDS' | 'OF' | 'ON' | 'MEMBER_OF' | 'KNOWN_AS' | 'IDENTITY_OF',
    from: string,
    to: string,
  ): void => graph.addRelationship({ type, from, to, since: null, until: null });
  add('IdpUser', 'ann', { is_guest: true });
  for (const name of ['mia', 'olga', 'fay']) add('IdpUser', name);
  add('IdpUser', 'lee', { is_active: false });
  add('IdpGroup', 'owners');
  add('IdpGroup', 'team');
  add('Identity', 'ann@x.example');
  add('Identity', 'vendor@y.example');
  add('LocalUser', 'ann’s account');
  add('LocalUser', 'vendor’s account');
  add('LocalAgent', 'robot');
  add('Application', 'vault');
  add('Resource', 'safe');
  add('Permission', 'read', { permission_type: ['DataRead'] });
  link('CONTAINS', 'vault', 'safe');
  link('KNOWN_AS', 'ann', 'ann@x.example');
  link('IDENTITY_OF', 'ann@x.example', 'ann’s account');
  link('IDENTITY_OF', 'vendor@y.example', 'vendor’s account');
  for (const [member, group] of [
    ['mia', 'owners'],
    ['ann', 'owners'],
    ['mia', 'team'],
  ] as const) {
    link('MEMBER_OF', member, group);
  }
  for (const holder of ['ann’s account', 'robot', 'team']) {
    add('Grant', `grant of ${holder}`);
    link('HOLDS', holder, `grant of ${holder}`);
    link('OF', `grant of ${holder}`, 'read');
    link('ON', `grant of ${holder}`, 'safe');
  }
  const view = { graph, access: new EffectiveAccess(graph), humans: new Humans(graph) };
  return { ...view, moment: graph.instants.moment(1n), clock: 1n };
};

test('what the credential of an account holds is the own of whose account it is', () => {
  const view = vault();
  const { graph } = view;
  const always = { since: null, until: null };
  const labels = ['Entity', 'AccessCredential', 'Principal'];
  graph.addNode({
    key: 'key',
    label: 'AccessCredential',
    labels,
    facts: { name: 'key' },
    ...always,
  });
  const link = { type: 'HAS_CREDENTIAL' as const, from: 'ann’s account', to: 'key' };
  graph.addRelationship({ ...link, ...always });
  const isOwn = (person: string, holder: string): boolean =>
    isOwnFact(view, graph.find(person), holder);
  expect(isOwn('ann', 'key')).toBe(true);
  expect(isOwn('mia', 'key')).toBe(false);
  // A group is nobody's own: its members may review what it holds.
  expect(isOwn('mia', 'team')).toBe(false);
});

// Found by random reviews: memory has each identity at all moments, and it acted after its account was gone.
test('an identity to which nothing leads is nobody any more', () => {
  const view = vault();
  const { graph } = view;
  const labels = ['Entity', 'Identity', 'Principal'];
  const always = { since: null, until: null };
  graph.addNode({ key: 'gone', label: 'Identity', labels, facts: { name: 'gone' }, ...always });
  expect(view.humans.humanOf(graph.find('gone'), view.moment)).toBe(graph.find('gone'));
  expect(humanBy(view, 'gone')).toBe(NONE);
  expect(humanBy(view, 'ann@x.example')).toBe(graph.find('ann'));
});

// Found by random reviews: each assignment of an app has an id of its own.
test('an app that is assigned to somebody twice is one item, since the first assignment', () => {
  const view = vault();
  const { graph } = view;
  const always = { since: null, until: null };
  const labels = ['Entity', 'IdpApp'];
  graph.addNode({ key: 'app', label: 'IdpApp', labels, facts: { name: 'app' }, ...always });
  graph.addRelationship({ type: 'HOLDS', from: 'app', to: 'grant of team', ...always });
  for (const since of [3n, 2n]) {
    const assigned = { type: 'ASSIGNED_TO' as const, from: 'ann', to: 'app' };
    graph.addRelationship({ ...assigned, since, until: null });
  }
  const later = { ...view, moment: graph.instants.moment(4n) };
  const { items } = atOnce(populationOf(later, ALL, KNOWN));
  const assigned = items.filter(({ fact }) => fact.type === 'ASSIGNED_TO');
  expect(assigned.map(({ since }) => since)).toEqual([2n]);
});

type Named = Readonly<Record<string, readonly string[]>>;

const suggested = (named: Named, why: string): ReadonlyMap<string, readonly Suggested[]> =>
  new Map(
    Object.entries(named).map(([key, all]) => [key, all.map((reviewer) => ({ reviewer, why }))]),
  );

const ALL = { applications: [], resources: [], roles: [], groups: [], people: [], marks: [] };
const KNOWN = {
  privilegedTypes: [],
  tagged: new Set<string>(),
  others: [],
  hasMoreOthers: false,
  before: null,
};

test.each<
  [string, string, { places?: Named; holders?: Named; people?: Named }, string | null, string]
>([
  [
    'the owner of the resource',
    'ann’s account',
    { places: { safe: ['olga'], vault: ['fay'] } },
    'olga',
    'owns "safe"',
  ],
  [
    'the owner of what contains it',
    'ann’s account',
    { places: { vault: ['olga'] } },
    'olga',
    'owns "vault"',
  ],
  [
    'nobody who has left',
    'ann’s account',
    { places: { safe: ['lee'], vault: ['olga'] } },
    'olga',
    'owns "vault"',
  ],
  [
    'nobody whom only an application knows',
    'robot',
    { places: { safe: ['olga'] }, holders: { robot: ['vendor@y.example', 'vendor’s account'] } },
    'olga',
    'owns "safe"',
  ],
  [
    'nobody about their own account',
    'ann’s account',
    { places: { safe: ['ann'], vault: ['olga'] } },
    'olga',
    'owns "vault"',
  ],
  [
    'nobody by the identity of their account',
    'ann’s account',
    { places: { safe: ['ann@x.example'] }, people: { ann: ['mia'] } },
    'mia',
    'is the manager of "ann"',
  ],
  [
    'a member of a group that owns it',
    'ann’s account',
    { places: { safe: ['owners'] } },
    'mia',
    'owns "safe"',
  ],
  [
    'the manager of the person',
    'ann’s account',
    { people: { ann: ['mia'] } },
    'mia',
    'is the manager of "ann"',
  ],
  ['the fallback', 'ann’s account', {}, 'fay', 'is the fallback of the review'],
  [
    'the owner of what is not a person',
    'robot',
    { places: { safe: ['olga'] }, holders: { robot: ['mia'] } },
    'mia',
    'owns "robot"',
  ],
  [
    'somebody who gains nothing by it',
    'team',
    { places: { safe: ['mia', 'olga'] } },
    'olga',
    'owns "safe"',
  ],
])('the reviewer is %s', (_, holder, { places = {}, holders = {}, people = {} }, expected, why) => {
  const view = vault();
  const { graph } = view;
  const responsible = {
    ofPlace: suggested(places, 'owns'),
    ofHolder: suggested(holders, 'owns'),
    ofPerson: suggested(people, 'is the manager of'),
  };
  const { items } = atOnce(populationOf(view, ALL, KNOWN));
  const item = items.find(({ fact }) => fact.type === 'HOLDS' && fact.from === holder);
  if (item === undefined) throw new Error('no item');
  const chosen = new Reviewers(view, responsible, graph.find('fay')).choose(item);
  expect(chosen === null ? null : [graph.key(chosen.human), chosen.why]).toEqual([expected, why]);
});

test('what the account of a guest holds has the mark, and nothing else', () => {
  const { items } = atOnce(populationOf(vault(), ALL, KNOWN));
  const marked = items.filter(({ marks }) => marks.includes('guest'));
  expect(marked.map(({ fact }) => [fact.type, fact.from, fact.to])).toEqual([
    ['HOLDS', 'ann’s account', 'grant of ann’s account'],
  ]);
});

test('without anybody else there is no reviewer', () => {
  const view = vault();
  const none = { ofPlace: new Map(), ofHolder: new Map(), ofPerson: new Map() };
  const item = atOnce(populationOf(view, ALL, KNOWN)).items.find(
    ({ fact }) => fact.from === 'ann’s account',
  );
  if (item === undefined) throw new Error('no item');
  for (const fallback of ['', 'ann', 'lee', 'vendor@y.example', 'vendor’s account']) {
    expect(new Reviewers(view, none, view.graph.find(fallback)).choose(item)).toBe(null);
  }
});
