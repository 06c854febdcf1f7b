import fc, { type Arbitrary } from 'fast-check';
import { distinctProblems, type Problem } from '../mirror/pointer';
import type { DataSource } from '../mirror/rows';
import { applicationDraft } from './application-payload';
import { edited, edits, type Edit } from './edit';
import { hrisDraft } from './hris-payload';
import { identityProviderDraft } from './identity-provider-payload';
import { json, pick } from './optional';
import { written as writtenDraft } from './references';
import { repaired } from './repair';
import { decomposed, recased, reordered } from './respelling';
import { increment, ruleFaults } from './rule-fault';
import { shapeFaults } from './shape-fault';

/** One push of a sequence. */
export interface Push {
  /** Which of the five data sources. */
  readonly source: number;
  readonly text: string;
  /** The payload; null when its shape is wrong. */
  readonly payload: object | null;
  /** What is wrong with its shape. */
  readonly shapeProblems: readonly Problem[];
}

/** The data sources of every sequence: two identity providers, two applications and an HR system. */
export const templates: readonly DataSource['template'][] = [
  'identity_provider',
  'identity_provider',
  'application',
  'application',
  'hris',
];

/** What each of them pushes, references still to be written. */
export const drafts: readonly Arbitrary<object>[] = [
  identityProviderDraft(['okta', 'Okta', 'One-Login', 'azure_ad', null]),
  identityProviderDraft(['Active Directory', 'google workspace', 'AZURE-AD', 'custom']),
  applicationDraft,
  applicationDraft,
  hrisDraft,
];

/** How a push comes about: anew, by changing what was pushed before, or the same again; and what is wrong with it. */
interface Step {
  readonly source: number;
  readonly draft: object;
  readonly way: 'new' | 'edit' | 'again';
  readonly edits: readonly Edit[];
  readonly order: number;
  readonly recased: boolean;
  readonly wrong: 'nothing' | 'rules' | 'draft' | 'shape' | 'increment';
  readonly faults: readonly number[];
}

function step(source: number): Arbitrary<Step> {
  return fc.record({
    source: fc.constant(source),
    draft: drafts[source] ?? fc.constant({}),
    way: weighted({ edit: 5, new: 3, again: 2 }),
    edits,
    order: pick,
    recased: fc.nat({ max: 9 }).map((n) => n === 9),
    wrong: weighted({ nothing: 85, rules: 7, shape: 6, draft: 1, increment: 1 }),
    faults: fc.array(pick, { minLength: 1, maxLength: 10, size: 'max' }),
  });
}

/** One of some texts, each as often as its weight says. */
export function weighted<T extends string>(weights: Readonly<Record<T, number>>): Arbitrary<T> {
  const options = Object.entries<number>(weights).map(([value, weight]) => ({
    weight,
    arbitrary: fc.constant(value as T),
  }));
  return fc.oneof({ withCrossShrink: true }, ...options);
}

/** Every data source once in any order, then one again; or any at random, so that some come late or never. */
const order: Arbitrary<readonly number[]> = fc.oneof(
  fc
    .tuple(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), fc.nat({ max: 4 }))
    .map(([first, then]) => [...first, then]),
  fc.array(fc.nat({ max: 4 }), { minLength: 6, maxLength: 6 }),
);

/** Sequences of six full pushes to two identity providers, two applications and an HR system that mention each other. */
export const pushSequence: Arbitrary<readonly Push[]> = order
  .chain((sources) => fc.tuple(...sources.map((source) => droppable(step(source)))))
  .map((steps) => pushesOf(steps.filter((one) => one !== null)));

/** Practically always what is given, and none when that suffices for a counterexample. */
function droppable<T>(value: Arbitrary<T>): Arbitrary<T | null> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1_000_000, arbitrary: value },
  );
}

function pushesOf(steps: readonly Step[]): readonly Push[] {
  const last = new Map<number, object>();
  return steps.map((one) => {
    const template = templates[one.source] ?? 'application';
    const before = last.get(one.source);
    const { good, unrepaired } = payloadsOf(one, before, template);
    if (one.wrong === 'nothing') last.set(one.source, good);
    return pushOf(one, good, unrepaired, template);
  });
}

/** A step's payload, and what it was before it was repaired. */
function payloadsOf(
  one: Step,
  before: object | undefined,
  template: DataSource['template'],
): { readonly good: object; readonly unrepaired: object } {
  if (before !== undefined && one.way === 'again' && one.wrong !== 'draft') {
    const spelled = one.order % 3 === 2 ? decomposed(before) : before;
    const again = reordered(spelled, one.order) as object;
    return { good: again, unrepaired: again };
  }
  const written = writtenDraft(template, one.draft);
  if (one.wrong === 'draft') return { good: written, unrepaired: written };
  const changed =
    before === undefined || one.way === 'new' ? written : edited(before, one.edits, written);
  return { good: repaired(changed, template), unrepaired: written };
}

function pushOf(
  { source, wrong, faults, recased: isRecased, order: seed }: Step,
  good: object,
  unrepaired: object,
  template: DataSource['template'],
): Push {
  const payload = json(wrong === 'draft' ? unrepaired : good) as Record<string, unknown>;
  const chosen = <T extends { readonly template: string }>(among: readonly T[]): readonly T[] => {
    const fitting = among.filter((fault) => fault.template === template);
    const numbers = new Set(faults.map((n) => n % fitting.length));
    return fitting.filter((_fault, at) => numbers.has(at));
  };
  if (wrong === 'shape') {
    const broken = chosen(shapeFaults).map((fault) => fault.apply(payload));
    // Text that is no JSON has no other problems.
    const first = broken.find(({ code }) => code === 'NOT_JSON');
    const text = broken.reduce((json, one) => one.text?.(json) ?? json, JSON.stringify(payload));
    const problems = (first === undefined ? broken : [first]).map(({ pointer, code }) => ({
      pointer,
      code,
    }));
    return { source, text, payload: null, shapeProblems: distinctProblems(problems) };
  }
  if (wrong === 'rules') {
    for (const fault of chosen(ruleFaults)) fault.apply(payload, faults[0] ?? 0);
  }
  if (wrong === 'increment') chosen(increment)[0]?.apply(payload, 0);
  const sent = (isRecased ? recased(payload, seed) : payload) as object;
  const text = JSON.stringify(sent);
  return { source, text, payload: JSON.parse(text) as object, shapeProblems: [] };
}
