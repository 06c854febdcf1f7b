import type { Link, Reference } from './entity';
import type { Label } from './graph';
import type { Problem } from './pointer';
import { fold, given, nfc } from './text';

/** What a reference may lead to, with every text that names it (docs/rules.md: References). */
export interface Referable {
  readonly key: string;
  /** The text of its own id; none for a resource without `id`. */
  readonly ids: readonly string[];
  /** Any other id that it carries (`unique_id`, `id`). */
  readonly otherIds: readonly string[];
  /** A resource's paths, by names and by ids. */
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

/** An entity with what tells it from others. */
export interface Known extends Referable {
  readonly kind: Label;
  readonly id: string;
}

/** What a reference leads to: exactly, and when nothing fits so, without regard to case (docs/rules.md: References). */
export function lookUp<T extends Referable>(reference: string, among: readonly T[]): readonly T[] {
  const exact = lookUpSpelled(reference, among, nfc);
  return exact.length > 0 ? exact : lookUpSpelled(reference, among, fold);
}

/** What an entry of an increment is about: as a reference, but only exactly (docs/rules.md: Increments). */
export function lookUpExactly<T extends Referable>(
  reference: string,
  among: readonly T[],
): readonly T[] {
  return lookUpSpelled(reference, among, nfc);
}

/** The fits of the first step that fits anything. */
function lookUpSpelled<T extends Referable>(
  reference: string,
  among: readonly T[],
  spelling: (text: string) => string,
): readonly T[] {
  const steps: readonly ((one: T) => readonly string[])[] = [
    (one) => one.ids,
    (one) => one.otherIds,
    (one) => one.paths,
    (one) => one.names,
  ];
  for (const step of steps) {
    const fits = among.filter((one) =>
      step(one).some((text) => spelling(text) === spelling(reference)),
    );
    if (fits.length > 0) return fits;
  }
  return [];
}

/** The one entity that a reference means, or the problem that it does not (docs/rules.md: Problems). */
export function bind<T extends Referable>(
  reference: string,
  among: readonly T[],
  pointer: string,
  problems: Problem[],
): T | null {
  const [fit, second] = lookUp(reference, among);
  if (fit !== undefined && second === undefined) return fit;
  problems.push({ pointer, code: fit === undefined ? 'UNKNOWN_REFERENCE' : 'AMBIGUOUS_REFERENCE' });
  return null;
}

/**
 * An entity's references as links to what they mean; a list that names its own entity is an error (docs/rules.md: Problems). Who is
 * named as their own manager has none.
 */
export function boundLinks<T extends Known>(
  references: readonly Reference[],
  among: (kind: Label) => readonly T[],
  own: string,
  problems: Problem[],
): readonly Link[] {
  return references.flatMap(({ type, to, text, properties, pointer }) => {
    const target = bind(text, among(to), pointer, problems);
    if (target === null) return [];
    if (target.key === own && type === 'MANAGED_BY') return [];
    // By its id, of which there may be a second one by mistake.
    if (target.key === own) problems.push({ pointer, code: 'SELF_REFERENCE' });
    return [{ type, target: { label: target.kind, key: target.key }, properties }];
  });
}

/** The first of several id fields that is set: an entity's own id (docs/rules.md: Keys). */
export function firstGiven(...texts: readonly (string | null | undefined)[]): string {
  return texts.map(given).find((text) => text !== null) ?? '';
}

/** All texts that are set, in their stored form. */
export function allGiven(...texts: readonly (string | null | undefined)[]): readonly string[] {
  return texts.map(given).filter((text) => text !== null);
}
