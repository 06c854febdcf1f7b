import fc, { type Arbitrary } from 'fast-check';
import { receive, type Held } from '../mirror/reception';
import type { DataSource } from '../mirror/rows';
import { changes, incrementOf, type Change } from './increment-draft';
import { incrementRuleFaults } from './increment-rule-fault';
import { json, pick } from './optional';
import { drafts, templates, weighted, type Push } from './push-sequence';
import { writtenApplication, writtenIdentityProvider } from './references';
import { repaired, repairedIncrement } from './repair';
import { decomposed, recased, reordered } from './respelling';
import { incrementShapeFaults } from './increment-shape-fault';
import { mixed } from './standing';
import { wholePayload } from './whole-payload';

/** How a push comes about. */
interface Step {
  readonly source: number;
  readonly draft: object;
  readonly way: 'full' | 'increment' | 'again';
  readonly changes: readonly Change[];
  readonly seed: number;
  readonly wrong: 'nothing' | 'rules' | 'shape';
}

function step(source: number, way: Arbitrary<Step['way']>): Arbitrary<Step> {
  return fc.record({
    source: fc.constant(source),
    draft: drafts[source] ?? fc.constant({}),
    way,
    changes,
    seed: pick,
    wrong: weighted({ nothing: 78, rules: 18, shape: 4 }),
  });
}

/** Sequences of full and incremental pushes to an identity provider and an application, sometimes two of each. */
export const incrementSequence: Arbitrary<readonly Push[]> = fc
  .tuple(
    fc.shuffledSubarray([0, 2, 3], { minLength: 2 }),
    fc.array(fc.nat({ max: 2 }), { minLength: 5, maxLength: 5 }),
  )
  .chain(([sources, later]) => {
    const first = sources.map((source) => step(source, weighted({ full: 29, increment: 1 })));
    const then = later.map((at) =>
      step(sources[at % sources.length] ?? 0, weighted({ increment: 16, full: 1, again: 3 })),
    );
    return fc.tuple(...first, ...then);
  })
  .map(pushesOf);

/** The data source of a number, as the generator knows it. */
function sourceOf(at: number): DataSource {
  return { id: `D${at}`, provider: '', template: templates[at] ?? 'application' };
}

function pushesOf(steps: readonly Step[]): readonly Push[] {
  const held = new Map<number, Held>();
  const last = new Map<number, object>();
  return steps.map((one) => {
    const { source, seed } = one;
    const before = held.get(source) ?? null;
    const payload = json(payloadOf(one, before, last.get(source)));
    if (one.wrong === 'shape' && before !== null) {
      const fault = incrementShapeFaults.filter(({ template }) => template === templates[source]);
      const broken = fault[seed % fault.length];
      const problems =
        broken === undefined ? [] : [broken.apply(payload as Record<string, unknown>)];
      return { source, text: JSON.stringify(payload), payload: null, shapeProblems: problems };
    }
    const sent = (seed % 8 === 0 ? recased(payload, seed) : payload) as object;
    const { problems, held: after } = receive(before, sourceOf(source), sent);
    if (problems.length === 0) {
      held.set(source, after);
      last.set(source, sent);
    }
    return { source, text: JSON.stringify(sent), payload: sent, shapeProblems: [] };
  });
}

function payloadOf(one: Step, before: Held | null, last: object | undefined): object {
  const { source, way, seed, wrong } = one;
  if (way === 'again' && last !== undefined && wrong === 'nothing') return last;
  const template = templates[source] ?? 'application';
  const written = json(
    template === 'application' ? writtenApplication(one.draft) : writtenIdentityProvider(one.draft),
  );
  const full = repaired(written, template) as Record<string, unknown>;
  if (before === null) return way === 'increment' ? { ...full, incremental_change: true } : full;
  if (way === 'full' && wrong !== 'shape') {
    // What stands, in another order or spelling, with something of the new payload now and then.
    const whole = repaired(wholePayload(before).payload, template);
    return (
      seed % 3 === 0 ? full : seed % 3 === 1 ? reordered(whole, seed) : decomposed(whole)
    ) as object;
  }
  const standing = wholePayload(before).payload;
  const draft = incrementOf(standing, full, one.changes);
  if (wrong !== 'rules') return repairedIncrement(draft, before);
  // Half of the wrong ones are wrong as they come; the others break one rule.
  if (seed % 2 === 0) return draft;
  const broken = json(repairedIncrement(draft, before)) as Record<string, unknown>;
  const faults = incrementRuleFaults.filter((fault) => fault.template === template);
  faults[mixed(seed, 1) % faults.length]?.apply(broken, standing);
  return broken;
}
