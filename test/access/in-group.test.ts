import fc from 'fast-check';

import { EffectiveAccess } from '../../src/access/effective-access';
import { TO_GROUPS } from '../../src/access/gateways';
import { everybodyIn } from '../../src/access/in-group';
import { atOnce } from '../../src/access/pieces';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const TYPES = ['MEMBER_OF', 'KNOWN_AS', 'IDENTITY_OF', 'SOURCE_IDENTITY_OF', 'HAS_ACCOUNT'];

test('everybody in a group has a way into it, and nobody who leads to it is left out', () => {
  const seen = { people: 0, others: 0, through: 0, cut: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), fc.integer({ min: 1, max: 3 }), (history, order, few) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
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
          for (const { about, steps: way } of found.values) {
            const stops = [...way.map(({ id }) => id), key];
            expect(stops[0]).toBe(about.id);
            for (const [place, from] of stops.slice(0, -1).entries()) {
              const to = stops[place + 1];
              expect(steps.some((each) => each.from.key === from && each.to.key === to)).toBe(true);
            }
            if (way.length > 1) seen.through += 1;
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
          expect(first).toEqual({ ...found, values: found.values.slice(0, few) });
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
