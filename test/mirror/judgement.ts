import type { Entity, Whole } from './entity';
import type { Label } from './graph';
import type { Problem } from './pointer';
import type { FlatTemplate } from './flat-templates';
import { fold } from './text';

/** How deep resources may be nested (docs/rules.md: Limits). */
const deepest = 100;

/** What the entries of an increment did, as far as its end is judged by it (docs/increments.md 6). */
export interface Traces {
  /** Entries that made the domain of an identity provider, or the system of an HR system, come or go. */
  readonly roots: string[];
  /** Entries that deleted an application. */
  readonly applications: string[];
  /** Entries and elements that removed somebody who can hold something. */
  readonly people: string[];
  /** The entry that added each resource, and the one that placed it. */
  readonly added: Map<string, string>;
  readonly placed: Map<string, string>;
  /** The `dynamic_properties` of the last entry that stated some of an entity. */
  readonly dynamic: Map<string, string>;
}

const somebody: readonly Label[] = [
  'LocalUser',
  'LocalGroup',
  'LocalRole',
  'LocalAgent',
  'AccessCredential',
];

/** Whether a kind counts as an identity of an application payload (docs/rules.md: Problems). */
export function isSomebody(kind: Label): boolean {
  return somebody.includes(kind);
}

/** What an increment ends in is judged as a full push would be (docs/rules.md: Increments). */
export function endProblems(
  whole: Whole,
  flat: FlatTemplate | null,
  traces: Traces,
): readonly Problem[] {
  return flat === null
    ? applicationProblems(whole, traces)
    : [...rootProblems(flat, whole, traces), ...propertyCountProblems(whole, traces)];
}

/** Other than one domain or system: at each entry that made one come or go (docs/rules.md: Problems). */
function rootProblems(
  { root, rootCount }: FlatTemplate,
  { entities }: Whole,
  { roots }: Traces,
): readonly Problem[] {
  if (entities.filter(({ kind }) => kind === root).length === 1) return [];
  return roots.map((pointer) => ({ pointer, code: rootCount }));
}

function applicationProblems(whole: Whole, traces: Traces): readonly Problem[] {
  const { entities, statements } = whole;
  const isThere = entities.some(({ kind }) => kind === 'Application');
  const someone =
    entities.some(({ kind }) => isSomebody(kind)) ||
    statements.some(({ holder }) => holder.label === 'Identity');
  return [
    ...(isThere ? [] : traces.applications).map((pointer) => ({ pointer, code: 'NO_APPLICATION' })),
    ...(someone ? [] : traces.people).map((pointer) => ({ pointer, code: 'NO_IDENTITY' })),
    ...mixedIdProblems(whole, traces),
    ...depthProblems(whole, traces),
  ];
}

/** A type with and without ids: at what this payload added without one, else with one (docs/increments.md 6). */
function mixedIdProblems({ entities }: Whole, { added }: Traces): readonly Problem[] {
  const resources = entities.filter(({ kind }) => kind === 'Resource');
  const hasId = ({ values }: Entity): boolean => Object.hasOwn(values, 'id');
  const typeOf = ({ application, values }: Entity): string =>
    JSON.stringify([application, fold(values.resource_type as string)]);
  return [...new Set(resources.map(typeOf))].flatMap((type) => {
    const ofType = resources.filter((one) => typeOf(one) === type);
    if (ofType.every(hasId) || !ofType.some(hasId)) return [];
    const ours = ofType.filter(({ key }) => added.has(key));
    const without = ours.filter((one) => !hasId(one));
    return (without.length > 0 ? without : ours).map(({ key }) => {
      return { pointer: added.get(key) ?? '', code: 'MIXED_IDS' };
    });
  });
}

/** Resources too deep: at the nearest entry that placed one of those above (docs/increments.md 6). */
function depthProblems({ entities }: Whole, { placed }: Traces): readonly Problem[] {
  const byKey = new Map(entities.map((one) => [one.key, one]));
  const lineOf = (one: Entity): readonly Entity[] => {
    const parent = one.parent === null ? undefined : byKey.get(one.parent);
    return parent === undefined ? [one] : [one, ...lineOf(parent)];
  };
  return entities
    .filter(({ kind }) => kind === 'Resource')
    .map(lineOf)
    .filter((line) => line.length === deepest + 1)
    .flatMap((line) => {
      const pointers = line.map(({ key }) => placed.get(key));
      const pointer = pointers.find((one) => one !== undefined);
      return pointer === undefined ? [] : [{ pointer, code: 'TOO_DEEP' }];
    });
}

/** More dynamic properties than five in the end (docs/rules.md: Increments). */
function propertyCountProblems({ entities }: Whole, { dynamic }: Traces): readonly Problem[] {
  return entities.flatMap(({ key, values }) => {
    const count = Object.keys(values).filter((name) => name.startsWith('dynprop_')).length;
    const pointer = dynamic.get(key);
    return count <= 5 || pointer === undefined
      ? []
      : [{ pointer, code: 'TOO_MANY_DYNAMIC_PROPERTIES' }];
  });
}
