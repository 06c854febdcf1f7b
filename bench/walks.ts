import { AccessGraph } from '../src/access/access-graph';
import { inOneGo } from '../src/access/columns/relationships';
import { EffectiveAccess } from '../src/access/effective-access';
import { type Moment, NOW } from '../src/access/instants';
import { bounded } from '../src/access/memory';
import { atOnce } from '../src/access/pieces';
import { wayMaterial } from '../src/access/ways';
import type { Options } from './options';
import { Random } from './random';
import { median } from './report';

const GROUPS_OF_A_PERSON = 4;
/** One in so many people was in other groups before. */
const MOVED = 20;
const PEOPLE_OF_A_GROUP = 100;
const RESOURCES_OF_A_GROUP = 6;
/** About how many relationships one person brings, with a share of the groups. */
const OF_A_PERSON = 5.4;
/** Groups that include each other, and people of the largest group. */
const OUTER_GROUPS = 30;
const LARGEST = 110_000;
const ASKED = 200;

/** More than any machine has. */
const MOST_BYTES = 2 ** 50;

const BEFORE = 1_000n;
const LATER = 2_000n;

/** Makes up a graph of about so many relationships; a part of the people has moved. */
const madeUp = (elements: number, seed: number): AccessGraph => {
  const graph = new AccessGraph(bounded(MOST_BYTES));
  const random = new Random(seed);
  const node = (key: string, label: string, also: readonly string[], name: string): void =>
    graph.addNode({
      key,
      label,
      labels: [label, ...also],
      since: BEFORE,
      until: null,
      facts: { name, provider: 'd' },
    });
  const line = (
    type: 'MEMBER_OF' | 'HOLDS' | 'OF' | 'ON',
    from: string,
    to: string,
    since = BEFORE,
    until: bigint | null = null,
  ): void => graph.addRelationship({ type, from, to, since, until });
  const people = Math.ceil(elements / OF_A_PERSON);
  const groups = Math.max(OUTER_GROUPS, Math.ceil(people / PEOPLE_OF_A_GROUP));
  node('p', 'Permission', [], 'read');
  node('all', 'IdpGroup', ['Principal'], 'all');
  for (let at = 0; at < groups; at += 1) {
    node(`g${at}`, 'IdpGroup', ['Principal'], `g${at}`);
    node(`r${at}`, 'Resource', [], `r${at}`);
    node(`h${at}`, 'Grant', ['Entitlement'], `h${at}`);
  }
  for (let at = 0; at < groups; at += 1) {
    if (at >= groups / 10) line('MEMBER_OF', `g${at}`, `g${at % OUTER_GROUPS}`);
    line('HOLDS', `g${at}`, `h${at}`);
    line('OF', `h${at}`, 'p');
    for (let nth = 0; nth < RESOURCES_OF_A_GROUP; nth += 1) {
      line('ON', `h${at}`, `r${OUTER_GROUPS + random.below(groups - OUTER_GROUPS || 1)}`);
    }
  }
  node('ha', 'Grant', ['Entitlement'], 'ha');
  line('HOLDS', 'all', 'ha');
  line('OF', 'ha', 'p');
  line('ON', 'ha', 'r0');
  for (let at = 0; at < people; at += 1) {
    const key = `u${at}`;
    node(key, 'IdpUser', ['Principal'], key);
    if (at < LARGEST) line('MEMBER_OF', key, 'all');
    for (let nth = 0; nth < GROUPS_OF_A_PERSON; nth += 1) {
      // Few are in the outer groups themselves, or everybody would be in those.
      const group = (): string => `g${OUTER_GROUPS + random.below(groups - OUTER_GROUPS || 1)}`;
      if (at % MOVED !== 0) {
        line('MEMBER_OF', key, group());
      } else {
        line('MEMBER_OF', key, group(), BEFORE, LATER);
        line('MEMBER_OF', key, group(), LATER);
      }
    }
  }
  return graph;
};

/** How long some calls took, in milliseconds. */
const timed = (times: number, call: (at: number) => void): string => {
  const all = Array.from({ length: times }, (_, at) => {
    const start = performance.now();
    call(at);
    return performance.now() - start;
  });
  const ordered = all.toSorted((a, b) => a - b);
  const p95 = ordered[Math.floor(ordered.length * 0.95)] ?? ordered.at(-1) ?? 0;
  return `${median(all).toFixed(3)} | ${p95.toFixed(3)}`;
};

const secondsOf = (call: () => void): string => {
  const start = performance.now();
  call();
  return ((performance.now() - start) / 1_000).toFixed(1);
};

/**
 * Makes up a graph of access in memory, without Neo4j, and measures walks along it
 * (docs/performance.md: Many relationships in memory).
 */
export const measureWalks = ({ elements, seed }: Options, say: (text: string) => void): void => {
  let graph = new AccessGraph(bounded(MOST_BYTES));
  const made = secondsOf(() => (graph = madeUp(elements, seed)));
  const ordering = secondsOf(() => inOneGo(graph.order()));
  const bytes = graph.memory.used();
  const { outPlaces, inPlaces, from, to, type, since, until } = graph.adjacency;
  const columns = [outPlaces, inPlaces, from, to, type, since, until].reduce(
    (sum, column) => sum + column.BYTES_PER_ELEMENT,
    0,
  );
  say(
    `${graph.relationshipCount} relationships and ${graph.nodeCount} nodes, made in ${made} s and ordered in ${ordering} s; ` +
      `${(bytes / 1024 ** 2).toFixed(0)} MiB: ${columns} bytes a relationship, ${(bytes / graph.relationshipCount).toFixed(0)} with its share of the nodes`,
  );
  const access = new EffectiveAccess(graph);
  const people = Math.ceil(elements / OF_A_PERSON);
  const random = new Random(seed + 1);
  const person = (): number => graph.find(`u${random.below(people)}`);
  const groups = Math.max(OUTER_GROUPS, Math.ceil(people / PEOPLE_OF_A_GROUP));
  const resource = (): number =>
    graph.find(`r${OUTER_GROUPS + random.below(groups - OUTER_GROUPS || 1)}`);
  say('| question | now: median (ms) | 95 of 100 | before: median (ms) | 95 of 100 |');
  say('| --- | --- | --- | --- | --- |');
  const row = (name: string, times: number, call: (moment: Moment) => void): void => {
    const moments = [NOW, graph.instants.moment(BEFORE)];
    say(`| ${name} | ${moments.map((moment) => timed(times, () => call(moment))).join(' | ')} |`);
  };
  row('what a person reaches', ASKED, (moment) => void access.reachedBy(person(), moment));
  row('who reaches a resource', ASKED, (moment) => {
    atOnce(access.reaching(resource(), false, moment));
  });
  row('whether a person reaches a resource', ASKED, (moment) => {
    access.between(person(), resource(), moment);
  });
  row('by which ways', ASKED, (moment) => {
    atOnce(wayMaterial(access, person(), resource(), moment));
  });
  row(`who reaches what ${Math.min(LARGEST, people)} people reach`, 5, (moment) => {
    atOnce(access.reaching(graph.find('r0'), false, moment));
  });
  row('a copy of all of it', 3, () => void atOnce(graph.copy(bounded(MOST_BYTES))));
};
