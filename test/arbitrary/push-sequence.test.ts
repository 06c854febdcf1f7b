import fc from 'fast-check';
import type { Graph, Values } from '../mirror/graph';
import { Mirror } from '../mirror/mirror';
import type { DataSource } from '../mirror/rows';
import { sized } from '../support/test-size';
import { pushSequence, templates, type Push } from './push-sequence';
import { reordered } from './respelling';

const sources = templates.map((template, at): DataSource => ({
  id: `D${at}`,
  provider: `provider ${at}`,
  template,
}));

/** The pushes whose shape is right, with their data source. */
function wellShaped(pushes: readonly Push[]) {
  return pushes.flatMap(({ source, payload }) => {
    const to = sources[source];
    return payload === null || to === undefined ? [] : [{ source: to, payload }];
  });
}

/** A graph as sorted texts, without what depends on when it came. */
function contents({ nodes, relationships }: Graph): readonly string[] {
  const text = ({ since: _since, changed: _changed, ...values }: Values): string =>
    JSON.stringify(Object.entries(values).sort());
  return [
    ...nodes.map(({ key, properties }) => key + text(properties)),
    ...relationships.map(
      ({ type, from, to, properties }) => `${from.key} ${type} ${to.key} ${text(properties)}`,
    ),
  ].toSorted();
}

test('data sources in any order end in the same mirror (docs/rules.md: Promises)', () => {
  fc.assert(
    fc.property(pushSequence, (pushes) => {
      const first = new Mirror();
      const accepted = wellShaped(pushes).filter(
        ({ source, payload }, at) => first.accept(source, payload, String(at)).accepted,
      );
      const again = new Mirror();
      for (const source of sources.toReversed()) {
        accepted
          .filter((push) => push.source === source)
          .forEach(({ payload }) => again.accept(source, payload, 'later'));
      }
      expect(contents(again.graph())).toEqual(contents(first.graph()));
    }),
    { numRuns: sized(4, 8) },
  );
});

test('the same payload with its lists in another order changes nothing (docs/rules.md: Full pushes)', () => {
  fc.assert(
    fc.property(pushSequence, fc.nat(), (pushes, seed) => {
      const mirror = new Mirror();
      for (const { source, payload } of wellShaped(pushes)) {
        if (!mirror.accept(source, payload, 'first').accepted) continue;
        const again = mirror.accept(source, reordered(payload, seed), 'again');
        expect(again).toMatchObject({ accepted: true, unchanged: true });
      }
    }),
    { numRuns: sized(3, 6) },
  );
});

test('payloads are about as large as they should be, and mostly accepted', () => {
  const pushes = fc.sample(pushSequence, { numRuns: 20, seed: 4 }).map(wellShaped);
  let accepted = 0;
  let entities = 0;
  for (const sequence of pushes) {
    const mirror = new Mirror();
    for (const { source, payload } of sequence) {
      if (!mirror.accept(source, payload, '').accepted) continue;
      accepted += 1;
      entities += mirror
        .graph()
        .nodes.filter(({ properties }) => properties.data_source === source.id).length;
    }
  }
  expect(accepted / 120).toBeGreaterThan(0.75);
  expect(accepted / 120).toBeLessThan(0.95);
  expect(entities / accepted).toBeGreaterThan(32);
  expect(entities / accepted).toBeLessThan(55);
});
