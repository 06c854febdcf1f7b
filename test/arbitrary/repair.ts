import { readApplication } from '../mirror/application';
import { readFlat } from '../mirror/flat-reading';
import { flatTemplate } from '../mirror/flat-templates';
import { below, stepsOf, type Problem } from '../mirror/pointer';
import { receive, type Held } from '../mirror/reception';
import { holdsProperties } from '../mirror/spelling';
import type { FlatPayload } from '../mirror/payload';
import type { DataSource } from '../mirror/rows';
import { json } from './optional';

/** The template of a data source (spec). */
export type Template = DataSource['template'];

/**
 * A payload without whatever the rules object to, so that what remains is accepted: the smallest element around each
 * problem goes, again until none is left.
 */
export function repaired(payload: object, template: Template): object {
  let whole = payload;
  for (;;) {
    const problems = problemsOf(whole, template);
    if (problems.length === 0) return whole;
    const before = whole;
    whole = without(whole, new Set(problems.map(({ pointer }) => target(pointer)))) as object;
    if (problems.some(({ code }) => code === 'NO_IDENTITY')) whole = withSomeone(whole);
    if (JSON.stringify(whole) === JSON.stringify(before)) {
      throw new Error(`Cannot repair ${JSON.stringify(problems)}.`);
    }
  }
}

/** An increment of what a data source holds, without what the rules object to. */
export function repairedIncrement(payload: object, held: Held): object {
  let whole = payload;
  for (;;) {
    const { problems } = receive(held, held.source, whole);
    if (problems.length === 0) return whole;
    const before = whole;
    whole = without(whole, new Set(problems.map(({ pointer }) => target(pointer)))) as object;
    if (JSON.stringify(whole) === JSON.stringify(before)) {
      throw new Error(`Cannot repair ${JSON.stringify(problems)}.`);
    }
  }
}

/** What the rules object to in a payload to a data source that has seen none before. */
export function problemsOf(payload: object, template: Template): readonly Problem[] {
  const flat = flatTemplate(template);
  return flat === null
    ? readApplication(payload, '', []).problems
    : readFlat(flat, payload as FlatPayload, '', []).problems;
}

/** Fields that hold one reference: without them the entity around it is good. */
const single = ['cost_center', 'department'];

/** The property, reference or innermost list element that a problem is about; or what stands at the top without a list. */
function target(pointer: string): string {
  const steps = stepsOf(pointer);
  const inProperties = steps.findIndex(holdsProperties) + 1;
  const isProperty = inProperties > 0 && inProperties === steps.length - 1;
  const innermost = steps.findLastIndex((step) => /^\d+$/.test(step) || single.includes(step));
  const end = isProperty ? steps.length : Math.max(innermost, 0) + 1;
  return below('', ...steps.slice(0, end));
}

function without(value: unknown, gone: ReadonlySet<string>, pointer = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const stay = Object.entries(value)
    .map(([step, inside]) => [step, inside, below(pointer, step)] as const)
    .filter(([, , at]) => !gone.has(at))
    .map(([step, inside, at]) => [step, without(inside, gone, at)] as const);
  return Array.isArray(value) ? stay.map(([, inside]) => inside) : Object.fromEntries(stay);
}

/** At least one identity is needed in an application payload (spec). */
function withSomeone(payload: object): object {
  const whole = json(payload) as { applications: Record<string, unknown>[] };
  const [first, ...others] = whole.applications;
  return { ...whole, applications: [{ ...first, local_users: [{ name: 'ann' }] }, ...others] };
}
