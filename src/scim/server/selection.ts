import { isJsonObject } from '../client/json';
import { type ResourceKind, same, splitSchema } from './attributes';
import type { Representation } from './representation';

/** Which attributes an answer must have; both null: all. */
export interface Selection {
  readonly attributes: readonly string[] | null;
  readonly excluded: readonly string[] | null;
}

/** Names of attributes in lower case, and what is named below each. */
interface Named {
  /** Whether the attribute itself is named, and so all of it. */
  isAll: boolean;
  readonly below: Map<string, Named>;
}

/** Attributes that every answer has (RFC 7643, 7). */
const ALWAYS = ['schemas', 'id'];

/** The steps of a path in a representation: an extension is one step. */
const stepsOf = (kind: ResourceKind, path: string): readonly string[] => {
  const { schema, rest } = splitSchema(kind, path);
  const steps = rest === '' && schema !== null ? [] : rest.split('.');
  return schema === null || schema === kind.schema ? steps : [schema, ...steps];
};

const nothing = (): Named => ({ isAll: false, below: new Map() });

/** The tree of the paths. A value is looked up in it once, however many paths there are. */
const namedBy = (kind: ResourceKind, paths: readonly string[]): Named => {
  const root = nothing();
  for (const path of paths) {
    let at = root;
    for (const step of stepsOf(kind, path)) {
      const name = step.toLowerCase();
      const next = at.below.get(name) ?? nothing();
      at.below.set(name, next);
      at = next;
    }
    at.isAll = true;
  }
  return root;
};

/** The named attributes of a value. */
const only = (value: unknown, named: Named): unknown => {
  if (named.isAll) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => only(one, named));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const below = named.below.get(name.toLowerCase());
      return below === undefined ? [] : [[name, only(held, below)]];
    }),
  );
};

/** What a value has but the named attributes. */
const without = (value: unknown, named: Named): unknown => {
  if (named.below.size === 0) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => without(one, named));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const below = named.below.get(name.toLowerCase());
      if (below === undefined) return [[name, held]];
      return below.isAll ? [] : [[name, without(held, below)]];
    }),
  );
};

/**
 * Makes a function that returns the part of a representation that a client requests (RFC 7644,
 * 3.9).
 */
export const selecting = (
  kind: ResourceKind,
  { attributes, excluded }: Selection,
): ((representation: Representation) => Representation) => {
  if (attributes !== null) {
    const named = namedBy(kind, [...ALWAYS, ...attributes]);
    return (representation) => only(representation, named) as Representation;
  }
  if (excluded === null) return (representation) => representation;
  const named = namedBy(
    kind,
    excluded.filter((path) => !ALWAYS.some((one) => same(one, path))),
  );
  return (representation) => without(representation, named) as Representation;
};

/** Whether an answer shows the members of groups. */
export const showsMembers = (kind: ResourceKind, { attributes, excluded }: Selection): boolean => {
  const named = namedBy(kind, attributes ?? excluded ?? []).below.get('members');
  if (attributes !== null) return named !== undefined;
  return named?.isAll !== true;
};
