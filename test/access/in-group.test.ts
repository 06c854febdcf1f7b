import fc from 'fast-check';

import { AccessGraph } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { TO_GROUPS } from '../../src/access/gateways';
import { everybodyIn } from '../../src/access/in-group';
import { bounded } from '../../src/access/memory';
import { atOnce } from '../../src/access/pieces';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const TYPES = ['MEMBER_OF', 'KNOWN_AS', 'IDENTITY_OF', 'SOURCE_IDENTITY_OF', 'HAS_ACCOUNT'];

test('everybody in a group has a way into it, and nobody who leads to it is left out', () => {
  const seen = { people: 0, others: 0, through: 0, several: 0, cut: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), fc.integer({ min: 1, max: 3 }), (history, order, few) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      const began = new Map(
        history.relationships
          .filter(({ type }) => TYPES.includes(type))
          .map(({ from, to, since }) => [`${from} ${to}`, since]),
      );
      for (const [at, { nodes, relationships }] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const clock = instantOf(at) ?? 1_000_000_000_000n;
        const steps = relationships.filter(({ type }) => TYPES.includes(type));
        for (const { key } of nodes.filter(({ label }) => /^(?:Idp|Local)Group$/.test(label))) {
          const group = graph.find(key);
          const found = atOnce(everybodyIn(access, group, moment, clock, 1_000));
          const ids = found.values.map(({ about }) => about.id);
          expect([new Set(ids).size, ids.length]).toEqual([found.total, found.total]);
          expect(found.values.filter(({ isPerson }) => isPerson)).toHaveLength(found.people);
          for (const { about, steps: way, since } of found.values) {
            const stops = [...way.map(({ id }) => id), key];
            expect(stops[0]).toBe(about.id);
            for (const [place, from] of stops.slice(0, -1).entries()) {
              const to = stops[place + 1];
              expect(steps.some((each) => each.from.key === from && each.to.key === to)).toBe(true);
            }
            if (way.length > 1) seen.through += 1;
            // A way is as old as its newest step.
            const times = stops.slice(1).map((to, at) => began.get(`${stops[at]} ${to}`) ?? 0n);
            expect(since).toBe(times.reduce((newest, time) => (time > newest ? time : newest)));
            if (new Set(times).size > 1) seen.several += 1;
          }
          // Users and employees who lead to it are in the list, or belong to somebody who is.
          const theirs = new Set(
            access.walk
              .from(
                ids.map((id) => graph.find(id)),
                TO_GROUPS,
                moment,
              )
              .map((node) => graph.key(node)),
          );
          const leading = access.walk.to([group], TO_GROUPS, moment);
          for (const node of leading) {
            const isUser = ['IdpUser', 'Employee'].includes(graph.kind(node)?.label ?? '');
            if (isUser) expect(theirs).toContain(graph.key(node));
          }
          const first = atOnce(everybodyIn(access, group, moment, clock, few));
          const { next: second } = first;
          expect(first).toEqual({ ...found, values: found.values.slice(0, few), next: second });
          expect(second === null).toBe(found.total <= few);
          // All pages together are the list.
          const paged = [...first.values];
          for (let { next } = first; next !== null;) {
            const page = atOnce(everybodyIn(access, group, moment, clock, few, next));
            expect(page.values.length).toBeGreaterThan(0);
            paged.push(...page.values);
            next = page.next;
          }
          expect(paged).toEqual(found.values);
          seen.people += found.people;
          seen.others += found.total - found.people;
          if (found.total > few) seen.cut += 1;
        }
      }
    }),
    { numRuns: sized(60, 1_000), endOnFailure: true },
  );
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
});

test('since when somebody is in a group is when the newest step began, at each instant; `null` is always', () => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, label: string): void =>
    graph.addNode({ key, label, labels: [label], since: null, until: null, facts: { name: key } });
  const line = (from: string, to: string, since: bigint | null, until: bigint | null): void =>
    graph.addRelationship({ type: 'MEMBER_OF', from, to, since, until });
  for (const key of ['ann', 'ben', 'eve']) node(key, 'IdpUser');
  for (const key of ['inner', 'outer']) node(key, 'IdpGroup');
  line('ann', 'outer', null, null);
  line('inner', 'outer', 5n, null);
  line('ben', 'inner', 3n, null);
  // Eve was a member herself before she was one through a group.
  line('eve', 'outer', 2n, 7n);
  line('eve', 'inner', 8n, null);
  const access = new EffectiveAccess(graph);
  const sinceAt = (instant: bigint | null): readonly unknown[] =>
    atOnce(
      everybodyIn(access, graph.find('outer'), graph.instants.moment(instant), 9n, 10),
    ).values.map(({ about, since }) => [about.id, since]);
  expect(sinceAt(null)).toEqual([
    ['ann', null],
    ['ben', 5n],
    ['eve', 8n],
  ]);
  expect(sinceAt(6n)).toEqual([
    ['ann', null],
    ['ben', 5n],
    ['eve', 2n],
  ]);
  expect(sinceAt(4n)).toEqual([
    ['ann', null],
    ['eve', 2n],
  ]);
});
