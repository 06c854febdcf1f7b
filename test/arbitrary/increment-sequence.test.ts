/** @more pushes */

import fc from 'fast-check';
import { relationshipId, textOfValues, type Graph, type Values } from '../mirror/graph';
import type { Entity } from '../mirror/entity';
import { Mirror } from '../mirror/mirror';
import type { Problem } from '../mirror/pointer';
import { firstGiven } from '../mirror/reference';
import { receive, type Held } from '../mirror/reception';
import { rowsOf, type DataSource } from '../mirror/rows';
import { sized } from '../support/test-size';
import { incrementRuleFaults } from './increment-rule-fault';
import { incrementSequence } from './increment-sequence';
import { templates, type Push } from './push-sequence';
import { toldOperations } from './told-operations';
import { wholePayload } from './whole-payload';

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
    textOfValues(values);
  return [
    ...nodes.map(({ key, properties }) => key + text(properties)),
    ...relationships.map((one) => relationshipId(one) + text(one.properties)),
  ].toSorted();
}

/** The rows of what a data source holds, as sorted texts. */
function rows({ whole, source }: Held): readonly string[] {
  const made = rowsOf(whole, source);
  return contents({
    nodes: made.flatMap(({ node, shared }) => [node, ...new Set(shared)]),
    relationships: made.flatMap(({ relationships }) => relationships),
  }).filter((text, at, all) => text !== all[at - 1]);
}

test('increments equal the full push of the resulting whole (docs/rules.md: Increments)', () => {
  let increments = 0;
  let exact = 0;
  fc.assert(
    fc.property(incrementSequence, (pushes) => {
      const held = new Map<DataSource, Held>();
      for (const { source, payload } of wellShaped(pushes)) {
        const after = receive(held.get(source) ?? null, source, payload);
        if (after.problems.length > 0) continue;
        held.set(source, after.held);
        if (!('incremental_change' in payload)) continue;
        increments += 1;
        const whole = wholePayload(after.held);
        const rebuilt = receive(null, source, whole.payload);
        if (!whole.isExact || outlived(rebuilt.problems)) continue;
        exact += 1;
        expect(rebuilt.problems).toEqual([]);
        expect(rows(rebuilt.held)).toEqual(rows(after.held));
      }
    }),
    { numRuns: sized(12, 30), seed: 1 },
  );
  expect(exact / increments).toBeGreaterThan(0.9);
});

/** Values may stand that the new type of their application does not declare (docs/increments.md 3.9). */
function outlived(problems: readonly Problem[]): boolean {
  return problems.some(({ code }) => code === 'UNDECLARED_PROPERTY');
}

test('the same increment again changes nothing, as long as its operations still apply (docs/rules.md: Promises)', () => {
  let repeated = 0;
  fc.assert(
    fc.property(incrementSequence, (pushes) => {
      const mirror = new Mirror();
      for (const { source, payload } of wellShaped(pushes)) {
        const before = mirror.holds(source.id);
        const first = mirror.accept(source, payload, 'first');
        const after = mirror.holds(source.id);
        if (!first.accepted || !isClear(payload, before) || !isClear(payload, after)) continue;
        const again = mirror.accept(source, payload, 'again');
        if (!again.accepted) continue;
        repeated += 1;
        expect(again).toMatchObject({ unchanged: true });
      }
    }),
    { numRuns: sized(10, 25), seed: 2 },
  );
  expect(repeated).toBeGreaterThan(sized(10, 40));
});

/** Whether no entry has a text that means several entities, another one when the first is gone. */
function isClear(payload: object, held: Held | null): boolean {
  const entities = held?.whole.entities ?? [];
  return toldOperations(payload).every(({ kind, operation, sent }) => {
    if (operation.endsWith('add')) return true;
    const { identity, unique_id, id, name } = sent as Readonly<Record<string, string | null>>;
    const text = firstGiven(identity, unique_id, id, name);
    const texts = ({ id: own, values }: Entity) => [own, values.unique_id, values.id, values.name];
    return entities.filter((one) => one.kind === kind && texts(one).includes(text)).length < 2;
  });
}

test('a refused increment changes nothing; data sources in any order end in the same mirror (docs/rules.md: Promises)', () => {
  fc.assert(
    fc.property(incrementSequence, (pushes) => {
      const first = new Mirror();
      const accepted = wellShaped(pushes).filter(({ source, payload }, at) => {
        const before = first.graph();
        const outcome = first.accept(source, payload, String(at));
        if (!outcome.accepted) expect(first.graph()).toEqual(before);
        return outcome.accepted;
      });
      const again = new Mirror();
      for (const source of sources.toReversed()) {
        accepted
          .filter((push) => push.source === source)
          .forEach(({ payload }) => again.accept(source, payload, 'later'));
      }
      expect(contents(again.graph())).toEqual(contents(first.graph()));
    }),
    { numRuns: sized(4, 10), seed: 3 },
  );
});

test('each fault breaks the rule that it names', () => {
  const standing = fc
    .sample(incrementSequence, { numRuns: 20, seed: 5 })
    .flatMap((pushes) => wellShaped(pushes))
    .map(({ source, payload }) => receive(null, source, payload))
    .filter(({ problems }) => problems.length === 0)
    .map(({ held }) => held);
  const broken = incrementRuleFaults.map(({ code, template, apply }) => {
    const found = standing
      .filter(({ source }) => source.template === template)
      .some((held) => {
        const payload = { incremental_change: true };
        apply(payload, wholePayload(held).payload);
        return receive(held, held.source, payload).problems.some((one) => one.code === code);
      });
    return found ? code : `${code} is not broken`;
  });
  expect(broken).toEqual(incrementRuleFaults.map(({ code }) => code));
});

test('sequences are about as large as they should be, and mostly accepted', () => {
  const sequences = fc.sample(incrementSequence, { numRuns: 40, seed: 6 }).map(wellShaped);
  const pushes = sequences.flat();
  const told = pushes.flatMap(({ payload }) => toldOperations(payload));
  expect(pushes.length).toBeGreaterThan(250);
  expect(told.filter(({ operation }) => operation === 'modify').length).toBeGreaterThan(150);
  let accepted = 0;
  for (const sequence of sequences) {
    const held = new Map<DataSource, Held>();
    for (const { source, payload } of sequence) {
      const { problems, held: after } = receive(held.get(source) ?? null, source, payload);
      if (problems.length > 0) continue;
      accepted += 1;
      held.set(source, after);
    }
  }
  expect(accepted / pushes.length).toBeGreaterThan(0.75);
  expect(accepted / pushes.length).toBeLessThan(0.95);
});
