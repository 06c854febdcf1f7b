import { AccessGraph } from '../../src/access/access-graph';
import { Humans } from '../../src/access/human';
import { NOW } from '../../src/access/instants';
import { bounded } from '../../src/access/memory';
import { PeopleOfList } from '../../src/access/lists/people';
import { EffectiveAccess } from '../../src/access/effective-access';
import { atOnce } from '../../src/access/pieces';
import { Walk } from '../../src/access/walk';
import { ChangedPeople } from '../../src/questions/changes/changed-people';

type Joins = readonly (readonly [from: number, to: number])[];

/** Users, of whom some are the source identities of others. */
const users = (count: number, joins: Joins): AccessGraph => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const key = (at: number): string => `source|IdpUser|${String(at).padStart(6, '0')}`;
  for (let at = 0; at < count; at += 1) {
    graph.addNode({
      key: key(at),
      label: 'IdpUser',
      labels: ['Entity', 'IdpUser', 'Principal'],
      since: null,
      until: null,
      facts: { name: String(at) },
    });
  }
  for (const [from, to] of joins) {
    const ends = { from: key(from), to: key(to) };
    graph.addRelationship({ type: 'SOURCE_IDENTITY_OF', ...ends, since: null, until: null });
  }
  return graph;
};

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const chain = (count: number): Joins => upTo(count - 1).map((at) => [at, at + 1]);
const circle = (count: number): Joins => [...chain(count), [count - 1, 0]];
/** Half of the users lead to one, who leads to the other half. */
const star = (count: number): Joins =>
  upTo(count)
    .slice(1)
    .map((at) => (at % 2 === 0 ? [at, 0] : [0, at]));

const shapes = [
  ['a chain', chain, (at: number) => at >= 0],
  ['a circle', circle, (at: number) => at >= 0],
  ['a star', star, (at: number) => at % 2 === 0 && at > 0],
] as const;

/** How often a walk looks at what leads to a node while `work` is done. */
const looksOf = (work: () => void): number => {
  const looks = jest.spyOn(Walk.prototype, 'eachPrevious');
  work();
  const { length } = looks.mock.calls;
  looks.mockRestore();
  return length;
};

// A directory can name sources of sources. A human of 600 nodes held the thread that answers for 2 s.
test.each(shapes)(
  'users who name each other in %s are each looked at once',
  (_, joinsOf, isOnes) => {
    for (const count of [100, 3_000]) {
      const graph = users(count, joinsOf(count));
      const humans = new Humans(graph);
      const found: number[] = [];
      const looks = looksOf(() => {
        for (let node = 0; node < count; node += 1) found.push(humans.humanOf(node, NOW));
      });
      expect(looks).toBeLessThanOrEqual(count);
      const isOne = found.map((human) => human >= 0);
      const expected = upTo(count).map(isOnes);
      expect(isOne).toEqual(expected);
    }
  },
);

// Before, each question about one of the moments forgot what was known of the other one.
test.each(shapes)('users in %s are each looked at once at each of two moments', (_, joinsOf) => {
  for (const count of [100, 1_000]) {
    const graph = users(count, joinsOf(count));
    const humans = new Humans(graph);
    const moments = [graph.instants.moment(1n), NOW];
    const looks = looksOf(() => {
      for (let node = 0; node < count; node += 1) {
        for (const moment of moments) humans.humanOf(node, moment);
      }
    });
    expect(looks).toBeLessThanOrEqual(2 * count);
  }
});

test.each(shapes)('a list of users who name each other in %s looks at each once', (_, joinsOf) => {
  for (const count of [100, 3_000]) {
    const graph = users(count, joinsOf(count));
    const access = new EffectiveAccess(graph);
    const holders = new Map(upTo(count).map((node) => [node, []]));
    const looks = looksOf(() => {
      atOnce(PeopleOfList.of(access, holders, NOW));
    });
    expect(looks).toBeLessThanOrEqual(count);
  }
});

test.each([
  ['what they lost first', [3, 0, 0, 2]],
  ['what they lost last', [0, 2, 3, 0]],
  ['what one account lost', [3, 2, 0, 0]],
] as const)('two accounts of one human are one who gained and lost: %s', (_, [a, b, c, d]) => {
  const graph = users(3, chain(2));
  const asked = { access: new EffectiveAccess(graph), humans: new Humans(graph) };
  const people = new ChangedPeople({ graph, moments: [NOW, NOW], asked });
  people.add(0, a, b);
  people.add(1, c, d);
  const one = { people: 1, people_gained: 1, people_lost: 1, others: 0, gained: 3, lost: 2 };
  expect(people.counts(1)).toEqual({ ...one, resources: 1 });
  people.add(2, 0, 4);
  expect(people.counts(1)).toMatchObject({ people: 2, people_gained: 1, people_lost: 2 });
});
