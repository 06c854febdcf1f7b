import fc, { type Arbitrary } from 'fast-check';
import { receive, type Held } from '../mirror/reception';
import type { DataSource } from '../mirror/rows';
import { changes, incrementOf, type Change } from './increment-draft';
import { incrementRuleFaults } from './increment-rule-fault';
import { json, pick } from './optional';
import { drafts, templates, weighted, type Push } from './push-sequence';
import { written as writtenDraft } from './references';
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
    wrong: weighted({ nothing: 74, rules: 20, shape: 6 }),
  });
}

/** Sequences of full and incremental pushes to two or three data sources that mention each other. */
export const incrementSequence: Arbitrary<readonly Push[]> = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 2, maxLength: 3 }),
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
  const draft = seed % 5 === 0 ? one.draft : thinned(json(one.draft));
  const written = writtenDraft(template, draft) as Record<string, unknown>;
  if (before === null) {
    const full = repaired(written, template);
    return way === 'increment' && seed % 3 === 0 ? { ...full, incremental_change: true } : full;
  }
  const standing = wholePayload(before).payload;
  if (way === 'full' && wrong !== 'shape') {
    // Something new, or what stands in another order or spelling.
    if (seed % 3 === 0) return repaired(written, template);
    const whole = repaired(standing, template);
    return (seed % 3 === 1 ? reordered(whole, seed) : decomposed(whole)) as object;
  }
  const increment = incrementOf(standing, written, one.changes);
  if (wrong !== 'rules') return repairedIncrement(increment, before);
  // Half of the wrong ones are wrong as they come; the others break one rule.
  if (seed % 2 === 0) return increment;
  const broken = json(repairedIncrement(increment, before)) as Record<string, unknown>;
  const faults = incrementRuleFaults.filter((fault) => fault.template === template);
  faults[mixed(seed, 1) % faults.length]?.apply(broken, standing);
  return broken;
}

/** A draft with no more than a few items in each list, so that a service takes it in quickly. */
function thinned(draft: object): object {
  const most: Readonly<Record<string, number>> = {
    users: 12,
    employees: 12,
    identity_to_permissions: 10,
  };
  return Object.fromEntries(
    Object.entries(draft).map(([field, value]) => {
      if (!Array.isArray(value)) return [field, value as unknown];
      const some = value.slice(0, most[field] ?? 6) as unknown[];
      return [field, field === 'applications' ? some.map((one) => thinned(one as object)) : some];
    }),
  );
}
