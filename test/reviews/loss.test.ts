import fc from 'fast-check';

import { EffectiveAccess } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { atOnce } from '../../src/access/pieces';
import { lossOf } from '../../src/features/reviews/rules/loss';
import { FACT_TYPES, type View } from '../../src/features/reviews/rules/facts';
import { filled, histories, instantOf } from '../access/random-history';
import { type Access, effectiveAccess } from '../mirror/access';
import { sized } from '../support/test-size';

/** The names of permissions that somebody has, by what they reach. */
const namesOf = (access: Access, who: string): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...(access.get(who) ?? [])].map(([what, permissions]) => [
      what,
      new Set([...permissions].map((each) => (JSON.parse(each) as [string])[0])),
    ]),
  );

test('who loses what by a revoke is the difference to the mirror without the fact', () => {
  const seen = { losers: 0, unharmed: 0, several: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const then = history.graphs.at(-1);
      if (then === undefined) return;
      const view: View = {
        graph,
        access: new EffectiveAccess(graph),
        humans: new Humans(graph),
        clock: 0n,
        moment: graph.instants.moment(instantOf(history.graphs.length - 1)),
      };
      const before = effectiveAccess(then);
      for (const fact of then.relationships) {
        if (!FACT_TYPES.some((type) => type === fact.type)) continue;
        const { holds, losers, people } = atOnce(
          lossOf(view, [fact.type, fact.from.key, fact.to.key]),
        );
        expect(holds).toBe(true);
        if (people > 1) seen.several += 1;
        const others = then.relationships.filter(
          ({ type, from, to }) =>
            type !== fact.type || from.key !== fact.from.key || to.key !== fact.to.key,
        );
        const left = effectiveAccess({ ...then, relationships: others });
        for (const { who, places, permissions } of losers) {
          if (graph.kind(graph.find(who.id))?.isPrincipal !== true) continue;
          const [had, has] = [namesOf(before, who.id), namesOf(left, who.id)];
          const lost = [...had].flatMap(([what, names]) => {
            const gone = [...names].filter((name) => has.get(what)?.has(name) !== true);
            return gone.length === 0 ? [] : [gone];
          });
          expect([fact, who.id, places]).toEqual([fact, who.id, lost.length]);
          const names = [...new Set(lost.flat())].sort();
          expect(permissions).toEqual(names.slice(0, permissions.length));
          if (places > 0) seen.losers += 1;
          else seen.unharmed += 1;
        }
      }
    }),
    { numRuns: sized(100, 600) },
  );
  expect(seen.losers).toBeGreaterThan(40);
  expect(seen.unharmed).toBeGreaterThan(20);
  expect(seen.several).toBeGreaterThan(5);
});
